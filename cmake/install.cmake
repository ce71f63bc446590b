# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What `cmake --install` copies: libraries, headers, tools, and the descriptions
# that pkg-config and CMake's find_package(jitrun) read.

set(targets jitrun_tool)
if(TARGET jitrun_opt)
  list(APPEND targets jitrun_opt)
endif()
if(TARGET jitrun_jit)
  list(APPEND targets jitrun_jit)
endif()
install(TARGETS ${targets} jitrun_helpers)
install(TARGETS jitrun jitrun_static jitrun_jitrt jitrun_jitrt_static
        EXPORT jitrun)
install(DIRECTORY include/jitrun DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(GLOB documents CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md)
install(FILES ${documents} DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

file(RELATIVE_PATH PREFIX_FROM_PC
     /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/jitrun.pc.in jitrun.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/jitrun.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

include(CMakePackageConfigHelpers)
write_basic_package_version_file(jitrun-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(EXPORT jitrun FILE jitrun-config.cmake NAMESPACE jitrun::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/jitrun)
install(FILES ${PROJECT_BINARY_DIR}/jitrun-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/jitrun)
