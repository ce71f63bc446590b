# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How our own C is compiled and linked: jr_plain_flags is the language and the
# warnings, jr_flags adds the sanitizers. Functions make a target of each kind.

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "kind of build" FORCE)
endif()

find_program(CCACHE ccache)
mark_as_advanced(CCACHE)
if(CCACHE AND NOT CMAKE_C_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(jr_plain_flags INTERFACE)
target_include_directories(jr_plain_flags INTERFACE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/lib)
target_compile_definitions(jr_plain_flags INTERFACE
  _GNU_SOURCE JITRUN_VERSION="${PROJECT_VERSION}"
  JITRUN_SOVERSION="${PROJECT_VERSION_MAJOR}")
target_compile_options(jr_plain_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
  -Wmissing-prototypes -Wvla $<$<BOOL:${JITRUN_WERROR}>:-Werror>
  -ffunction-sections -fdata-sections
  $<$<CONFIG:Release>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=>)
# Without separate mappings for code: two fewer to make, and to copy into the
# tool's child, for each library.
target_link_options(jr_plain_flags INTERFACE
  -Wl,-z,noseparate-code -Wl,--gc-sections -Wl,--as-needed -Wl,-z,relro,-z,now)

# With sanitizers clang leaves their symbols undefined in shared libraries.
add_library(jr_flags INTERFACE)
target_link_libraries(jr_flags INTERFACE jr_plain_flags)
set(JITRUN_SANITIZE_FLAGS "")
if(JITRUN_SANITIZE)
  set(JITRUN_SANITIZE_FLAGS
      -fsanitize=${JITRUN_SANITIZE} -fno-sanitize-recover=all
      -fno-omit-frame-pointer)
  target_compile_options(jr_flags INTERFACE ${JITRUN_SANITIZE_FLAGS})
  target_link_options(jr_flags INTERFACE ${JITRUN_SANITIZE_FLAGS})
else()
  target_link_options(jr_flags INTERFACE -Wl,-z,defs)
endif()

# libc has some of what libm has: after it, libm is not needed for that.
set(JITRUN_MATH m)
if(NOT JITRUN_SANITIZE)
  set(JITRUN_MATH c m)
endif()

# A folder's objects.
function(jr_objects name)
  add_library(${name} OBJECT ${ARGN})
  target_link_libraries(${name} PRIVATE jr_flags)
endfunction()

# A shared library that exports what the version script lists, and binds its
# own symbols; further arguments are for the linker.
function(jr_shared_library name map)
  set(map ${PROJECT_SOURCE_DIR}/${map})
  set_target_properties(${name} PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
    LINK_DEPENDS ${map})
  target_link_libraries(${name} PRIVATE jr_flags)
  target_link_options(${name} PRIVATE
    -Wl,--version-script=${map} -Wl,-Bsymbolic ${ARGN})
endfunction()

# A program of bin/ that finds the libraries beside it in lib/. Private parts of
# base are its own copy: libjitrun.so does not export them.
function(jr_tool name)
  target_link_libraries(${name} PRIVATE
    jr_flags jitrun jr_base ${TOOL_LIBRARIES} ${JITRUN_MATH})
  set_target_properties(${name} PROPERTIES
    BUILD_RPATH_USE_ORIGIN ON
    BUILD_RPATH "$ORIGIN/../lib"
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  # Where both are the same: the path of a build is padded to be replaced, with
  # an empty entry, which makes the loader look in the current folder too.
  if(CMAKE_INSTALL_LIBDIR STREQUAL "lib")
    set_target_properties(${name} PROPERTIES BUILD_WITH_INSTALL_RPATH ON)
  endif()
endfunction()
