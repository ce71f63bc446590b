# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What `cmake --install` copies: libraries, headers, tools, and the descriptions
# that pkg-config and CMake's find_package(jitrun) read.

if(NOT JITRUN_INSTALL)
  return()
endif()

set(targets jitrun_tool)
if(TARGET jitrun_opt)
  list(APPEND targets jitrun_opt)
endif()
if(TARGET jitrun_jit)
  list(APPEND targets jitrun_jit)
endif()
install(TARGETS ${targets})
install(TARGETS jitrun jitrun_static jitrun_helpers jitrun_jitrt
                jitrun_jitrt_static
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
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/jitrun)
configure_package_config_file(
  cmake/jitrun-config.cmake.in jitrun-config.cmake
  INSTALL_DESTINATION ${package}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(jitrun-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(EXPORT jitrun FILE jitrun-targets.cmake NAMESPACE jitrun::
        DESTINATION ${package})
install(FILES ${PROJECT_BINARY_DIR}/jitrun-config.cmake
              ${PROJECT_BINARY_DIR}/jitrun-config-version.cmake
              cmake/jitrun-image.cmake
        DESTINATION ${package})
