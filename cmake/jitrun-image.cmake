# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Programs in MLIR as sources of targets, for projects that use jitrun.
#
#   jitrun_add_image(TARGET SOURCE x.mlir [NAME name] [LIBRARY library]
#                    [OPTIONS option...] [DEPENDS file...])
#
# compiles SOURCE when TARGET is built, and again when it, a plug-in given in
# OPTIONS, or the compiler has changed; links the image into TARGET, which can
# include "name.h" and open jitrun_image_name. NAME is that of SOURCE by default;
# LIBRARY is what TARGET is linked with: jitrun::jitrun_static by default,
# jitrun::jitrun, or NONE. OPTIONS are those of `jitrun compile`; DEPENDS are
# further files or targets that these name.
#
# The command is jitrun::tool. Another one is named by JITRUN_EXECUTABLE, for
# builds for another machine, which then need --target in OPTIONS.

function(jitrun_add_image target)
  cmake_parse_arguments(PARSE_ARGV 1 image "" "SOURCE;NAME;LIBRARY"
                        "OPTIONS;DEPENDS")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "jitrun_add_image: there is no target '${target}'")
  endif()
  if(NOT image_SOURCE OR image_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "jitrun_add_image(${target}): needs SOURCE file.mlir, "
                        "and takes NAME, LIBRARY, OPTIONS and DEPENDS; found "
                        "'${image_UNPARSED_ARGUMENTS}'")
  endif()
  get_filename_component(source ${image_SOURCE} ABSOLUTE)
  if(NOT image_NAME)
    get_filename_component(name ${source} NAME_WE)
    string(MAKE_C_IDENTIFIER ${name} image_NAME)
  endif()
  if(NOT image_LIBRARY)
    set(image_LIBRARY jitrun::jitrun_static)
  endif()

  if(JITRUN_EXECUTABLE)
    set(tool ${JITRUN_EXECUTABLE})
    set(compiler ${JITRUN_EXECUTABLE})
  elseif(TARGET jitrun::tool)
    set(tool jitrun::tool)
    set(compiler jitrun::tool ${jitrun_JIT_LIBRARY})
    if(TARGET jitrun_jit) # of a subdirectory
      list(APPEND compiler jitrun_jit)
    endif()
  else()
    message(FATAL_ERROR "jitrun_add_image(${target}): the command jitrun is "
                        "not installed; set JITRUN_EXECUTABLE to one")
  endif()

  set(folder ${CMAKE_CURRENT_BINARY_DIR}/jitrun/${target})
  set(output ${folder}/${image_NAME})
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(
    OUTPUT ${output}.o ${output}.h
    COMMAND ${tool} compile ${source} --emit=o,h --prefix=${image_NAME}
            -o ${output} --depfile=${output}.d ${image_OPTIONS}
    DEPENDS ${source} ${compiler} ${image_DEPENDS}
    DEPFILE ${output}.d
    COMMENT "Compiling ${image_SOURCE}"
    VERBATIM)
  set_source_files_properties(${output}.o PROPERTIES
    EXTERNAL_OBJECT TRUE GENERATED TRUE)
  target_sources(${target} PRIVATE ${output}.o ${output}.h)
  target_include_directories(${target} PRIVATE ${folder})
  if(NOT image_LIBRARY STREQUAL "NONE")
    target_link_libraries(${target} PRIVATE ${image_LIBRARY})
  endif()
  if(NOT image_LIBRARY STREQUAL "jitrun::jitrun_static")
    target_link_libraries(${target} PRIVATE jitrun::helpers m)
  endif()
endfunction()
