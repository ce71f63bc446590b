/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Declared signatures: checking a call site against one, and their text.
#ifndef JR_CUSTOMCALLS_SIGNATURE_H
#define JR_CUSTOMCALLS_SIGNATURE_H

#include "base/bytes.h"
#include "jitrun/customcall.h"

/// Compares a site with what its handler declared. INVALID_ARGUMENT at the
/// site's location: names the target, each difference with declared and found,
/// and the declared signature in full.
jitrun_error_t *jr_signature_check(const jitrun_customcall_t *call,
                                   const jitrun_site_t *site)
    __attribute__((warn_unused_result));

/// Fills `out_attrs` (signature->attr_count long) with the site's attributes in
/// declared order; absent ones are JITRUN_ATTR_ABSENT.
void jr_signature_order_attrs(const jitrun_signature_t *signature,
                              const jitrun_site_t *site,
                              jitrun_attr_t *out_attrs);

/// Appends "(lhs: buffer f32|f64 rank 2, ...) {alpha: f64, beta?: f64} -> ()".
void jr_signature_format(struct jr_bytes *text,
                         const jitrun_signature_t *signature);

#endif
