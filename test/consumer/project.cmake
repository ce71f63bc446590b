# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What the projects of installed.sh build, however they found jitrun.
add_executable(embed embed.c)
target_link_libraries(embed jitrun::jitrun)
add_executable(embed_static embed.c)
target_link_libraries(embed_static jitrun::jitrun_static)

add_executable(image image.c)
jitrun_add_image(image SOURCE axpy.mlir)
add_executable(image_shared image.c)
jitrun_add_image(image_shared SOURCE axpy.mlir NAME axpy
                 LIBRARY jitrun::jitrun OPTIONS -O3 --check)
