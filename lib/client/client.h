/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What a client and its devices are made of.
#ifndef JR_CLIENT_CLIENT_H
#define JR_CLIENT_CLIENT_H

#include "client/memory.h"
#include "client/worker.h"
#include "jitrun/client.h"

enum { JR_CLIENT_NAME_SIZE = 24 };

struct jitrun_device {
  jitrun_client_t *client; ///< borrowed: it owns the device
  int64_t id;
  uint32_t local_ordinal;
  char name[JR_CLIENT_NAME_SIZE];
  struct jr_heap heap;
  struct jr_worker *worker;
};

/// Immutable but for the heaps and the reference count.
struct jitrun_client {
  size_t reference_count; ///< atomic
  int64_t timeout_ns;     ///< below 0: for ever
  pthread_mutex_t order;  ///< held to put in tasks that belong together, so
                          ///< that all devices have them in one order
  size_t device_count;
  jitrun_device_t devices[];
};

/// How long to wait, where 0 stands for what the client's options say.
int64_t jr_client_timeout(const jitrun_client_t *client, int64_t timeout_ns);

#endif
