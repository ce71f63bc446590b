/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// How operations of each dialect are bufferized and deallocated is told to
/// MLIR by functions that its C API calls all together only, which links every
/// dialect there is. They are called by their mangled names instead (Itanium
/// C++ ABI; each takes a DialectRegistry by reference). Remove when mlir-c
/// registers the models of single dialects (it does not up to LLVM 22).
#include "jit/upstream.h"

/// X(number, namespaces and name as mangled)
#define MODELS(X)                                                              \
  X(0,                                                                         \
    "13bufferization8func_ext45registerBufferizableOpInterfaceExternalModels") \
  X(1, "2cf45registerBufferizableOpInterfaceExternalModels")                   \
  X(2, "2cf51registerBufferDeallocationOpInterfaceExternalModels")             \
  X(3, "3scf44registerValueBoundsOpInterfaceExternalModels")                   \
  X(4, "3scf45registerBufferizableOpInterfaceExternalModels")                  \
  X(5, "3scf51registerBufferDeallocationOpInterfaceExternalModels")            \
  X(6, "5arith44registerValueBoundsOpInterfaceExternalModels")                 \
  X(7, "5arith45registerBufferizableOpInterfaceExternalModels")                \
  X(8, "5arith47registerBufferViewFlowOpInterfaceExternalModels")              \
  X(9, "5arith51registerBufferDeallocationOpInterfaceExternalModels")          \
  X(10, "6affine44registerValueBoundsOpInterfaceExternalModels")               \
  X(11, "6linalg42registerAllDialectInterfaceImplementations")                 \
  X(12, "6memref43registerAllocationOpInterfaceExternalModels")                \
  X(13, "6memref44registerValueBoundsOpInterfaceExternalModels")               \
  X(14, "6memref47registerBufferViewFlowOpInterfaceExternalModels")            \
  X(15, "6tensor39registerSubsetOpInterfaceExternalModels")                    \
  X(16, "6tensor42registerInferTypeOpInterfaceExternalModels")                 \
  X(17, "6tensor44registerValueBoundsOpInterfaceExternalModels")               \
  X(18, "6tensor45registerBufferizableOpInterfaceExternalModels")              \
  X(19, "6vector39registerSubsetOpInterfaceExternalModels")                    \
  X(20, "6vector44registerValueBoundsOpInterfaceExternalModels")               \
  X(21, "6vector45registerBufferizableOpInterfaceExternalModels")

#define DECLARE(number, name)                                                  \
  void register_##number(void *registry) __asm__("_ZN4mlir" name               \
                                                 "ERNS_15DialectRegistryE");
MODELS(DECLARE)

void jr_register_models(MlirDialectRegistry registry) {
#define REGISTER(number, name) register_##number(registry.ptr);
  MODELS(REGISTER)
#undef REGISTER
}

void register_checks(void *registry) __asm__(
    "_ZN4mlir6linalg50registerRuntimeVerifiableOpInterfaceExternalModels"
    "ERNS_15DialectRegistryE");

void jr_register_linalg_checks(MlirDialectRegistry registry) {
  register_checks(registry.ptr);
}
