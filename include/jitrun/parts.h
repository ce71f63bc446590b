/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Parts of libjitrun.a that a linker leaves out of programs that do not need
/// them: families of built-in calls, and functions that print.
///
/// Every registry holds the built-in calls that are there. libjitrun.so has all
/// of them; so has a program that is linked with libjitrun.a and opens programs
/// from files or memory. One that only opens images that are linked into it has
/// those parts that it names: headers made by `jitrun compile -o NAME.h` name
/// what their image needs. To name one without such a header:
///
///     const void *const parts[] = {&jitrun_part_memory, &jitrun_part_gemm};
///
/// in data that is not optimised away, or -Wl,-u,jitrun_part_memory when
/// linking.
#ifndef JITRUN_PARTS_H
#define JITRUN_PARTS_H

#include "jitrun/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Nothing but its address is of use.
typedef struct jitrun_part jitrun_part_t;

JITRUN_API extern const jitrun_part_t
    jitrun_part_control,    ///< jitrun.noop, .assert, .fail, .sleep
    jitrun_part_memory,     ///< jitrun.memcpy, .memset
    jitrun_part_print,      ///< jitrun.print
    jitrun_part_gemm,       ///< jitrun.gemm
    jitrun_part_random,     ///< jitrun.philox, .threefry
    jitrun_part_sort,       ///< jitrun.sort, .top_k
    jitrun_part_argmax,     ///< jitrun.argmax, .argmin
    jitrun_part_reduce,     ///< jitrun.reduce
    jitrun_part_softmax,    ///< jitrun.softmax, .log_softmax
    jitrun_part_fft,        ///< jitrun.fft
    jitrun_part_transpose,  ///< jitrun.transpose
    jitrun_part_cholesky,   ///< jitrun.cholesky
    jitrun_part_triangular, ///< jitrun.triangular_solve
    jitrun_part_collective, ///< jitrun.all_reduce and the like, .replica_id,
                            ///< .partition_id
    jitrun_part_transfer,   ///< jitrun.infeed, .outfeed, .send, .recv
    jitrun_part_xla,        ///< xla.*
    jitrun_part_functions;  ///< printF32, printMemrefF32, printf and the like

/// All of them.
JITRUN_API extern const jitrun_part_t *const jitrun_part_all[];

#ifdef __cplusplus
}
#endif
#endif
