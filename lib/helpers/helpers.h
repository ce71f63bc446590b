/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Functions that LLVM's code generator calls by name: conversions to and from
/// the 16-bit floats, 128-bit integers, powers, and MLIR's strided copy. They
/// are ours, because which of them a compiler's runtime has differs with its
/// version, and because generated code must not take them from the process.
///
/// All are weak and hidden: a runtime that is linked as well may win, and none
/// is ever exported. They need nothing but memcpy(). No call here fails; what C
/// leaves undefined saturates (float to integer) or gives 0 (division by 0).
#ifndef JR_HELPERS_HELPERS_H
#define JR_HELPERS_HELPERS_H

#include <stdint.h>

/// 16-bit floats travel in floating-point registers. For bf16 there is no C
/// type that all our compilers have, so its bits travel in a half: the register
/// is the same.
__extension__ typedef _Float16 jr_half;
__extension__ typedef __int128 jr_s128;
__extension__ typedef unsigned __int128 jr_u128;

#define JR_HELPER __attribute__((visibility("hidden")))

/// For the definitions alone: a weak reference would not pull them out of an
/// archive.
#define JR_WEAK __attribute__((weak))

/// Every name but memrefCopy, in order of strcmp(). X(name)
#define JR_HELPER_SYMBOLS(X)                                                   \
  X(__ashlti3)                                                                 \
  X(__ashrti3)                                                                 \
  X(__divmodti4)                                                               \
  X(__divti3)                                                                  \
  X(__extendbfsf2)                                                             \
  X(__extendhfdf2)                                                             \
  X(__extendhfsf2)                                                             \
  X(__extendhfxf2)                                                             \
  X(__fixbfti)                                                                 \
  X(__fixdfti)                                                                 \
  X(__fixhfti)                                                                 \
  X(__fixsfti)                                                                 \
  X(__fixunsbfti)                                                              \
  X(__fixunsdfti)                                                              \
  X(__fixunshfti)                                                              \
  X(__fixunssfti)                                                              \
  X(__floattibf)                                                               \
  X(__floattidf)                                                               \
  X(__floattihf)                                                               \
  X(__floattisf)                                                               \
  X(__floatuntibf)                                                             \
  X(__floatuntidf)                                                             \
  X(__floatuntihf)                                                             \
  X(__floatuntisf)                                                             \
  X(__gnu_f2h_ieee)                                                            \
  X(__gnu_h2f_ieee)                                                            \
  X(__lshrti3)                                                                 \
  X(__modti3)                                                                  \
  X(__muloti4)                                                                 \
  X(__multi3)                                                                  \
  X(__powidf2)                                                                 \
  X(__powisf2)                                                                 \
  X(__truncdfbf2)                                                              \
  X(__truncdfhf2)                                                              \
  X(__truncsfbf2)                                                              \
  X(__truncsfhf2)                                                              \
  X(__truncxfbf2)                                                              \
  X(__truncxfhf2)                                                              \
  X(__udivmodti4)                                                              \
  X(__udivti3)                                                                 \
  X(__umodti3)

// Narrowing, to nearest, ties to even, in one rounding.
JR_HELPER jr_half __truncsfhf2(float value);
JR_HELPER jr_half __truncdfhf2(double value);
JR_HELPER jr_half __truncxfhf2(long double value);
JR_HELPER jr_half __truncsfbf2(float value);
JR_HELPER jr_half __truncdfbf2(double value);
JR_HELPER jr_half __truncxfbf2(long double value);
JR_HELPER uint16_t __gnu_f2h_ieee(float value);

// Widening, exact.
JR_HELPER float __extendhfsf2(jr_half value);
JR_HELPER double __extendhfdf2(jr_half value);
JR_HELPER long double __extendhfxf2(jr_half value);
JR_HELPER float __extendbfsf2(jr_half value);
JR_HELPER float __gnu_h2f_ieee(uint16_t value);

// 128-bit integers to floats, in one rounding.
JR_HELPER jr_half __floattihf(jr_s128 value);
JR_HELPER jr_half __floattibf(jr_s128 value);
JR_HELPER float __floattisf(jr_s128 value);
JR_HELPER double __floattidf(jr_s128 value);
JR_HELPER jr_half __floatuntihf(jr_u128 value);
JR_HELPER jr_half __floatuntibf(jr_u128 value);
JR_HELPER float __floatuntisf(jr_u128 value);
JR_HELPER double __floatuntidf(jr_u128 value);

// Floats to 128-bit integers, towards zero, saturating; NaN gives 0.
JR_HELPER jr_s128 __fixhfti(jr_half value);
JR_HELPER jr_s128 __fixbfti(jr_half value);
JR_HELPER jr_s128 __fixsfti(float value);
JR_HELPER jr_s128 __fixdfti(double value);
JR_HELPER jr_u128 __fixunshfti(jr_half value);
JR_HELPER jr_u128 __fixunsbfti(jr_half value);
JR_HELPER jr_u128 __fixunssfti(float value);
JR_HELPER jr_u128 __fixunsdfti(double value);

// 128-bit integers.
JR_HELPER jr_s128 __ashlti3(jr_s128 value, int count);
JR_HELPER jr_s128 __ashrti3(jr_s128 value, int count);
JR_HELPER jr_s128 __lshrti3(jr_s128 value, int count);
JR_HELPER jr_s128 __multi3(jr_s128 a, jr_s128 b);
JR_HELPER jr_s128 __muloti4(jr_s128 a, jr_s128 b, int *out_overflow);
JR_HELPER jr_u128 __udivti3(jr_u128 a, jr_u128 b);
JR_HELPER jr_u128 __umodti3(jr_u128 a, jr_u128 b);
JR_HELPER jr_u128 __udivmodti4(jr_u128 a, jr_u128 b, jr_u128 *out_rest);
JR_HELPER jr_s128 __divti3(jr_s128 a, jr_s128 b);
JR_HELPER jr_s128 __modti3(jr_s128 a, jr_s128 b);
JR_HELPER jr_s128 __divmodti4(jr_s128 a, jr_s128 b, jr_s128 *out_rest);

// Integer powers.
JR_HELPER float __powisf2(float value, int power);
JR_HELPER double __powidf2(double value, int power);

/// MLIR's unranked memref: `descriptor` points to a struct jr_memref_head with
/// `rank` sizes, then `rank` strides behind it.
struct jr_memref_unranked {
  int64_t rank;
  void *descriptor;
};
struct jr_memref_head {
  void *allocated;
  void *aligned;
  int64_t offset;
  int64_t sizes[]; ///< then the strides
};

/// Copies all elements between strided memrefs of the same sizes that do not
/// overlap.
JR_HELPER void memrefCopy(int64_t element_bytes,
                          const struct jr_memref_unranked *source,
                          const struct jr_memref_unranked *target);

#endif
