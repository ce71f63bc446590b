/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See names.h.
#include "jit/names.h"

void jr_names_init(struct jr_names *names, MlirContext context) {
#define X(member, spelling)                                                    \
  names->member = mlirIdentifierGet(context, jr_ref(spelling));
  JR_JIT_NAMES(X)
#undef X
}
