/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See room.h. Each thread's memory is the value of a key, which frees it when
/// the thread ends.
#include "base/room.h"

#include "base/alloc.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

struct room {
  size_t size_bytes;
  char data[] __attribute__((aligned(64)));
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

static void make_key(void) {
  has_key = pthread_key_create(&key, free) == 0;
}

/// A library that is closed takes the key with it: threads that go on keep
/// their memory, and must not call what is no longer there.
__attribute__((destructor)) static void delete_key(void) {
  if (!has_key)
    return;
  free(pthread_getspecific(key));
  (void)pthread_key_delete(key);
  has_key = false;
}

void *jr_thread_room(size_t size_bytes) {
  (void)pthread_once(&once, make_key);
  if (!has_key)
    return NULL;
  struct room *room = pthread_getspecific(key);
  if (room && room->size_bytes >= size_bytes)
    return room->data;
  free(room);
  room = size_bytes <= SIZE_MAX - sizeof *room
             ? jr_malloc_aligned(64, sizeof *room + size_bytes)
             : NULL;
  if (room)
    room->size_bytes = size_bytes;
  if (pthread_setspecific(key, room) != 0) {
    free(room);
    (void)pthread_setspecific(key, NULL);
    room = NULL;
  }
  return room ? room->data : NULL;
}
