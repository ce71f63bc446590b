/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The devices that `jitrun run` runs a program on: one, on this thread, or
/// with --replicas and --partitions several in a world, each on a thread of its
/// own. What they print is kept until all have ended and then shown in order.
#ifndef JR_TOOLS_DEVICE_H
#define JR_TOOLS_DEVICE_H

#include "bind.h"
#include "remote.h"
#include "watch.h"

#include "base/bytes.h"
#include "jitrun/world.h"

struct jr_device_set;

struct jr_run_device {
  struct jr_device_set *set;
  uint32_t number;
  jitrun_program_t *program; ///< specialised for its arguments; NULL: the set's
  char prefix[48];           ///< "replica 1: ", "" for one alone
  struct jr_binding binding;
  struct jr_bytes printed;
  struct jr_watch_device watch;
  jitrun_error_t *error;
  uint64_t ended; ///< how many had ended before
};

/// Zero-initialised is none.
struct jr_device_set {
  struct jr_options *options;
  struct jr_watch *watch;
  jitrun_program_t *program; ///< borrowed
  jitrun_world_t *world;     ///< NULL: alone
  jitrun_profile_t *profile; ///< borrowed; NULL: none
  struct jr_remote remote;   ///< of another platform than the host
  struct jr_run_device *items;
  uint32_t count;
  uint64_t ended;          ///< atomic
  volatile int32_t cancel; ///< not all devices could be started
};

/// Binds the inputs of each device. Deinit in any case.
jitrun_error_t *
jr_device_set_init(struct jr_device_set *set, struct jr_options *options,
                   struct jr_watch *watch, jitrun_program_t *program,
                   const jitrun_entry_t *entry)
    __attribute__((warn_unused_result));

/// Runs the entry once on each device. Of several errors, the first of a device
/// that did not fail for another's sake, with a note that names it.
jitrun_error_t *jr_device_set_run(struct jr_device_set *set)
    __attribute__((warn_unused_result));

/// Gives all arguments their first values again.
void jr_device_set_reset(struct jr_device_set *set);

/// Writes text to standard output, each line after the device's prefix.
void jr_device_print(const struct jr_run_device *device, const char *text,
                     size_t size);

void jr_device_set_deinit(struct jr_device_set *set);

#endif
