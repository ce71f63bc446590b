/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Which type id stands for what. NULL: JitRt has no encoding of it.
#ifndef JR_JITRT_IDS_H
#define JR_JITRT_IDS_H

#include "jitrun/jitrt.h"

const int64_t *jr_jitrt_scalar_id(uint8_t dtype);
const int64_t *jr_jitrt_array_id(uint8_t dtype);
const int64_t *jr_jitrt_tensor_id(uint8_t dtype);

/// Of the elements that an array of that id has.
const int64_t *jr_jitrt_tensor_of(const int64_t *array_id);

const int64_t *jr_jitrt_async_id(uint8_t dtype);

/// The record of a type by its name, the handler's own before XLA's; or NULL.
const jitrun_jitrt_type_t *jr_jitrt_type(const jitrun_jitrt_call_t *record,
                                         const char *name);

#endif
