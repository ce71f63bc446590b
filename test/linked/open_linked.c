/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The command jitrun with a program in it: linked with
/// --wrap=jitrun_program_open_file and the image jitrun_image_linked, it runs
/// that, whatever file it is given. So tests run programs that are linked
/// statically by the command line of all others; see test/lit/ways.py.
#include "jitrun/program.h"

extern const unsigned char jitrun_image_linked[];

// NOLINTBEGIN(bugprone-reserved-identifier, cert-*): the linker's name
jitrun_error_t *
__wrap_jitrun_program_open_file(const char *path,
                                const jitrun_open_options_t *options,
                                jitrun_program_t **out_program);

jitrun_error_t *
__wrap_jitrun_program_open_file(const char *path,
                                const jitrun_open_options_t *options,
                                jitrun_program_t **out_program) {
  (void)path;
  return jitrun_program_open_image(jitrun_image_linked, options, out_program);
}
// NOLINTEND(bugprone-reserved-identifier, cert-*)
