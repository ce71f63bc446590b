/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What the client's soak knows of each buffer: what must be in it, or the
/// error that whoever uses it must get.
#ifndef TEST_SOAK_MODEL_H
#define TEST_SOAK_MODEL_H

#include "jitrun/executable.h"
#include "jitrun/job.h"
#include "jitrun/tuple.h"

#include <stdbool.h>
#include <stdint.h>

enum { JR_SOAK_DEVICES = 4, JR_SOAK_SIZE = 4, JR_SOAK_SLOTS = 24 };

/// What is known of a buffer.
struct slot {
  jitrun_buffer_t *buffer; ///< NULL: nothing is here
  size_t device;
  bool is_gone;        ///< deleted or donated
  jitrun_code_t error; ///< of what makes it
  bool is_held;
  uint64_t step; ///< that needs it: it stays until the next
  int32_t values[JR_SOAK_SIZE];
};

/// One thread's part.
struct soak {
  struct shared *shared;
  uint64_t random; ///< never 0
  uint64_t step;
  struct slot slots[JR_SOAK_SLOTS];
};

/// What all threads use.
struct shared {
  jitrun_client_t *client;
  jitrun_device_t *devices[JR_SOAK_DEVICES];
  jitrun_executable_t *add, *result, *fail, *nap, *sum[3]; ///< 2, 3, 4 devices
  uint64_t seed;
  uint64_t steps;  ///< of each thread; 0: until the time is over
  uint64_t end_ns; ///< of a clock that only goes forward
  int64_t blocks;  ///< of host memory that buffers have; atomic
};

/// Ends the process with what was found, the seed and the step.
void jr_soak_fail(const struct soak *soak, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));

/// Below `bound`.
uint64_t jr_soak_random(struct soak *soak, uint64_t bound);

/// A slot where nothing is; what was there is released, unless this step needs
/// it.
struct slot *jr_soak_free_slot(struct soak *soak);

/// A slot with a buffer; NULL when there is none.
struct slot *jr_soak_used_slot(struct soak *soak);

/// A buffer that can be used, on that device; it is made when there is none.
struct slot *jr_soak_live_slot(struct soak *soak, size_t device);

void jr_soak_release(struct slot *slot);

/// The error of using a slot is what it has to be: of one that is gone
/// FAILED_PRECONDITION, of one that failed its error, else none. Frees it.
void jr_soak_expect(const struct soak *soak, const struct slot *slot,
                    const char *what, jitrun_error_t *error);

/// Makes a buffer from host memory into a free slot.
struct slot *jr_soak_make(struct soak *soak, size_t device);

/// One action on executables, whatever comes up.
void jr_soak_execute(struct soak *soak);

#endif
