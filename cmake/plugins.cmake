# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Plug-ins of the examples and tests: built as their users would build them,
# from include/jitrun alone, and linked with nothing of jitrun; one named
# jitrt_bound is, with libjitrun-jitrt.

# Makes <build>/OUTPUT/<name>.so of each FOLDER/<name>.c.
function(jr_plugins folder output)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.c)
  foreach(source IN LISTS sources)
    get_filename_component(name ${source} NAME_WE)
    string(MAKE_C_IDENTIFIER "plugin_${folder}_${name}" target)
    add_library(${target} MODULE ${source})
    set_target_properties(${target} PROPERTIES
      OUTPUT_NAME ${name} PREFIX ""
      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${output})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include)
    target_compile_options(${target} PRIVATE
      -Wall -Wextra -Wpedantic -Wshadow -Wconversion
      $<$<BOOL:${JITRUN_WERROR}>:-Werror>
      ${JITRUN_SANITIZE_FLAGS})
    target_link_options(${target} PRIVATE ${JITRUN_SANITIZE_FLAGS})
    if(name STREQUAL "jitrt_bound")
      target_link_libraries(${target} PRIVATE jitrun_jitrt)
    endif()
  endforeach()
endfunction()
