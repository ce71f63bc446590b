/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// `xla.gpu.func.launch`: the host cannot run kernels yet, but tells a launch
/// that is written wrong from one that is not. Programs of 2022 begin with six
/// numbers, later ones with the size of shared memory before them.
#include "customcalls/builtins.h"
#include "customcalls/xla.h"
#include "jitrun/customcall.h"
#include "jitrun/types.h"

#include <stdint.h>

static const jitrun_attr_param_t launch_attrs[] = {
    {.name = "kernel", .kind = JITRUN_ATTR_STRING},
    {.name = "ptx", .kind = JITRUN_ATTR_STRING, JR_XLA_OPTIONAL},
    {.name = "uid", JR_XLA_SCALAR(S64), JR_XLA_OPTIONAL}};

/// How many numbers there are is more than a signature can say.
const jitrun_signature_t jr_xla_launch_types = {.size =
                                                    sizeof(jitrun_signature_t),
                                                .attrs = launch_attrs,
                                                .attr_count = 3,
                                                .flags = JITRUN_VARIADIC_ARGS};

enum { ATTR_KERNEL };
enum { FEWEST_NUMBERS = 6, MOST_NUMBERS = 7 };

/// The first argument that is no 32-bit integer.
static uint32_t count_numbers(const jitrun_site_t *site) {
  uint32_t count = 0;
  while (count < site->arg_count &&
         site->types[count]->kind == JITRUN_KIND_SCALAR &&
         site->types[count]->dtype == JITRUN_DTYPE_S32)
    count++;
  return count;
}

jitrun_error_t *jr_xla_launch_check(jitrun_call_t *call) {
  const jitrun_site_t *site = call->site;
  uint32_t numbers = count_numbers(site);
  if (numbers != FEWEST_NUMBERS && numbers != MOST_NUMBERS)
    return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                         "%s begins with %u arguments of type i32; needed are "
                         "the size of shared memory (or not), three sizes of "
                         "the grid and three of a block",
                         site->target, numbers);
  for (uint32_t i = numbers; i < site->arg_count; i++)
    if (site->types[i]->kind != JITRUN_KIND_BUFFER)
      return jr_call_error(call, JITRUN_INVALID_ARGUMENT,
                           "Unsupported argument #%u type: kernels take "
                           "memrefs only",
                           i - numbers);
  return jr_call_error(call, JITRUN_UNIMPLEMENTED,
                       "%s of kernel '%s' cannot run: kernels are not built "
                       "yet on the host",
                       site->target, call->attrs[ATTR_KERNEL].value.string);
}
