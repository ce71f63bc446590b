# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# MLIR and LLVM for libjitrun-jit, as the target jr_llvm. Debian has MLIR's C API
# only as static archives. MLIR's own CMake package is not used: it wants a C++
# compiler, and its targets would link static MLIR beside the shared one, two
# copies of every type id.

set(JITRUN_LLVM_VERSION 22)
find_program(LLVM_CONFIG NAMES llvm-config-${JITRUN_LLVM_VERSION} llvm-config
             REQUIRED)

function(ask_llvm variable)
  execute_process(COMMAND ${LLVM_CONFIG} ${ARGN} OUTPUT_VARIABLE answer
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${variable} "${answer}" PARENT_SCOPE)
endfunction()

ask_llvm(version --version)
if(NOT version MATCHES "^${JITRUN_LLVM_VERSION}\\.")
  message(FATAL_ERROR "LLVM ${JITRUN_LLVM_VERSION} is needed; ${LLVM_CONFIG} "
                      "is of version ${version}")
endif()
ask_llvm(JITRUN_LLVM_INCLUDE --includedir)
ask_llvm(LLVM_LIB --libdir)
ask_llvm(LLVM_BIN --bindir)

file(GLOB MLIR_C_ARCHIVES ${LLVM_LIB}/libMLIRCAPI*.a)
list(FILTER MLIR_C_ARCHIVES EXCLUDE REGEX "ExecutionEngine")
if(NOT MLIR_C_ARCHIVES)
  message(FATAL_ERROR "no libMLIRCAPI*.a in ${LLVM_LIB}: install "
                      "libmlir-${JITRUN_LLVM_VERSION}-dev")
endif()

# JR_TARGET_<name> tells lib/jit which code generators are there.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(JITRUN_TARGETS AArch64 CACHE STRING "code generators of a STATIC build")
else()
  set(JITRUN_TARGETS X86 CACHE STRING "code generators of a STATIC build")
endif()

add_library(jr_llvm INTERFACE)
target_include_directories(jr_llvm SYSTEM INTERFACE ${JITRUN_LLVM_INCLUDE})
# Fuzz targets are linked with a sanitizer's archive, which has to stay visible.
if(NOT JITRUN_SANITIZE MATCHES "fuzzer")
  target_link_options(jr_llvm INTERFACE -Wl,--exclude-libs,ALL)
endif()
if(JITRUN_LLVM STREQUAL "SHARED")
  target_compile_definitions(jr_llvm INTERFACE JR_TARGET_X86 JR_TARGET_AARCH64)
  target_link_options(jr_llvm INTERFACE -Wl,-rpath,${LLVM_LIB})
  target_link_libraries(jr_llvm INTERFACE
    ${MLIR_C_ARCHIVES} ${LLVM_LIB}/libMLIR.so
    ${LLVM_LIB}/libLLVM-${JITRUN_LLVM_VERSION}.so stdc++ m)
elseif(JITRUN_LLVM STREQUAL "STATIC")
  # The linker keeps what is reached: passes are to be registered one by one,
  # since mlirRegisterAllPasses() wants every target's archives. lld needs no
  # order among archives. AArch64 costs 10 MB.
  file(GLOB MLIR_ARCHIVES ${LLVM_LIB}/libMLIR*.a)
  string(TOLOWER "${JITRUN_TARGETS}" components)
  list(TRANSFORM components REPLACE "(.+)" "\\1codegen;\\1asmparser")
  ask_llvm(llvm_archives --link-static --libfiles ${components} orcjit passes)
  separate_arguments(llvm_archives UNIX_COMMAND "${llvm_archives}")
  string(TOUPPER "${JITRUN_TARGETS}" targets)
  list(TRANSFORM targets PREPEND JR_TARGET_)
  target_compile_definitions(jr_llvm INTERFACE ${targets})
  target_link_options(jr_llvm INTERFACE
    -B${LLVM_BIN} -fuse-ld=lld -static-libgcc -s
    -Wl,--icf=all,-O2 -Wl,-z,pack-relative-relocs)
  target_link_libraries(jr_llvm INTERFACE
    ${MLIR_ARCHIVES} ${llvm_archives}
    -l:libstdc++.a -l:libz.a -l:libzstd.a m)
else()
  message(FATAL_ERROR "JITRUN_LLVM is '${JITRUN_LLVM}'; it can be SHARED, "
                      "STATIC or OFF")
endif()
