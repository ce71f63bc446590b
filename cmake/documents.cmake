# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The manual pages and the completion of bash: jitrun-doc, which has the option
# table of the tools, writes each from its template in tools/doc.

add_executable(jitrun_doc ${DOC_SOURCES} $<TARGET_OBJECTS:jr_tool_parts>)
set_target_properties(jitrun_doc PROPERTIES
  OUTPUT_NAME jitrun-doc RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
target_include_directories(jitrun_doc PRIVATE ${PROJECT_SOURCE_DIR}/tools/jitrun)
target_link_libraries(jitrun_doc PRIVATE
  jr_flags jitrun_static ${TOOL_LIBRARIES} m)

set(documents)
# Makes OUTPUT, below share/, of the template; what follows are its arguments.
function(jr_document output template)
  set(path ${PROJECT_BINARY_DIR}/share/${output})
  set(template ${PROJECT_SOURCE_DIR}/tools/doc/${template})
  get_filename_component(folder ${path} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${path} VERBATIM
    COMMAND jitrun_doc ${template} ${ARGN} > ${path}.new
    COMMAND ${CMAKE_COMMAND} -E rename ${path}.new ${path}
    DEPENDS jitrun_doc ${template} ${ARGN})
  set(documents ${documents} ${path} PARENT_SCOPE)
  get_filename_component(folder ${output} DIRECTORY)
  install(FILES ${path} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder})
endfunction()

jr_document(man/man1/jitrun.1 jitrun.1.in)
jr_document(man/man1/jitrun-opt.1 jitrun-opt.1.in)
jr_document(man/man5/jitrun-values.5 jitrun-values.5.in
            ${PROJECT_SOURCE_DIR}/tools/doc/spec.ebnf)
foreach(tool jitrun jitrun-opt) # each is looked for by its name
  jr_document(bash-completion/completions/${tool} jitrun.bash.in)
endforeach()
add_custom_target(jitrun_documents ALL DEPENDS ${documents})
