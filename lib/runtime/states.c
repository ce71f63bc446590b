/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// States that call sites share. Records never move and stay until all go, also
/// where making the state failed, and a table that became too small is kept
/// beside its successor: so readers need no lock. One who misses something that
/// was added meanwhile looks again under the lock.
#include "runtime/states.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 16 };

/// One key.
struct jr_state {
  struct jr_state *older; ///< made before this one
  uint64_t hash;
  int64_t id;
  bool is_ready;    ///< atomic; `state` and `destroy` are final then
  bool is_creating; ///< under the lock, as is `creator`
  pthread_t creator;
  void *state;
  void (*destroy)(void *state);
  char name[];
};

/// Open addressing; the capacity is a power of two, half of it empty.
struct jr_state_table {
  struct jr_state_table *older; ///< readers may still be in it
  size_t capacity, count;
  struct jr_state *slots[]; ///< atomic
};

/// A thread that waits for a state that another makes.
struct jr_state_waiter {
  struct jr_state_waiter *next;
  pthread_t thread;
  const struct jr_state *on;
};

/// What is asked for.
struct request {
  struct jr_states *states;
  struct jr_state_sync *sync;
  const jitrun_state_key_t *key;
  uint64_t hash;
};

void jr_state_sync_init(struct jr_state_sync *sync) {
  (void)pthread_mutex_init(&sync->lock, NULL);
  (void)pthread_cond_init(&sync->ended, NULL);
  sync->waiters = NULL;
}

void jr_state_sync_deinit(struct jr_state_sync *sync) {
  (void)pthread_cond_destroy(&sync->ended);
  (void)pthread_mutex_destroy(&sync->lock);
}

jitrun_error_t *jr_state_key_check(const jitrun_state_key_t *key) {
  if (!key || key->size < sizeof *key)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the key of a state has size %zu: set it to "
                    "sizeof(jitrun_state_key_t), %zu",
                    key ? key->size : 0, sizeof *key);
  if (!key->name || key->name[0] == '\0')
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the key of a state has no name: set it to "
                    "\"vendor.kind\"");
  if (!key->create)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the key of state '%s' has no create function: it is "
                    "required",
                    key->name);
  if (key->scope != JITRUN_SCOPE_PROGRAM &&
      key->scope != JITRUN_SCOPE_EXECUTION)
    return jr_error(JITRUN_INVALID_ARGUMENT,
                    "the key of state '%s' has scope %d: set it to "
                    "JITRUN_SCOPE_PROGRAM or JITRUN_SCOPE_EXECUTION",
                    key->name, (int)key->scope);
  return NULL;
}

/// FNV-1a of the name, mixed with the id.
static uint64_t hash_key(const jitrun_state_key_t *key) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (const char *at = key->name; *at; at++)
    hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
  hash = (hash ^ (uint64_t)key->id) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ (hash >> 32);
}

static struct jr_state **find_slot(struct jr_state_table *table,
                                   const struct request *request) {
  const jitrun_state_key_t *key = request->key;
  for (size_t i = request->hash;; i++) {
    struct jr_state **slot = &table->slots[i & (table->capacity - 1)];
    const struct jr_state *state = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (!state || (state->hash == request->hash && state->id == key->id &&
                   strcmp(state->name, key->name) == 0))
      return slot;
  }
}

static struct jr_state *find_state(const struct request *request) {
  struct jr_state_table *table =
      __atomic_load_n(&request->states->table, __ATOMIC_ACQUIRE);
  if (!table)
    return NULL;
  return __atomic_load_n(find_slot(table, request), __ATOMIC_ACQUIRE);
}

/// Moves a record into a table that nobody else sees yet.
static void move_state(struct jr_state_table *table, struct jr_state *state) {
  size_t i = state->hash;
  while (table->slots[i & (table->capacity - 1)])
    i++;
  table->slots[i & (table->capacity - 1)] = state;
  table->count++;
}

/// Room for one more; false without memory.
static bool reserve_slot(struct jr_states *states) {
  struct jr_state_table *table = states->table;
  if (table && table->count < table->capacity / 2)
    return true;
  size_t capacity = table ? 2 * table->capacity : FIRST_CAPACITY;
  struct jr_state_table *grown =
      jr_calloc(1, sizeof *grown + capacity * sizeof(struct jr_state *));
  if (!grown)
    return false;
  grown->older = table;
  grown->capacity = capacity;
  for (size_t i = 0; table && i < table->capacity; i++) {
    if (table->slots[i])
      move_state(grown, table->slots[i]);
  }
  __atomic_store_n(&states->table, grown, __ATOMIC_RELEASE);
  return true;
}

/// The record of a key, added where there is none; NULL without memory. Under
/// the lock.
static struct jr_state *add_state(const struct request *request) {
  const jitrun_state_key_t *key = request->key;
  struct jr_state *state = find_state(request);
  if (state)
    return state;
  size_t name_size = strlen(key->name) + 1;
  state = jr_malloc(sizeof *state + name_size);
  if (!state || !reserve_slot(request->states)) {
    free(state);
    return NULL;
  }
  *state = (struct jr_state){.hash = request->hash, .id = key->id};
  memcpy(state->name, key->name, name_size);
  struct jr_state_table *table = request->states->table;
  __atomic_store_n(find_slot(table, request), state, __ATOMIC_RELEASE);
  table->count++;
  return state;
}

/// True when `state` is made by this thread, or by one that waits, perhaps
/// through others, for one that this thread makes.
static bool waits_for_itself(const struct jr_state_sync *sync,
                             const struct jr_state *state) {
  const struct jr_state_waiter *waiter = NULL;
  do {
    if (pthread_equal(state->creator, pthread_self()))
      return true;
    waiter = sync->waiters;
    while (waiter && !pthread_equal(waiter->thread, state->creator))
      waiter = waiter->next;
    state = waiter ? waiter->on : NULL;
  } while (state && state->is_creating);
  return false;
}

/// Waits until the state is made or could not be. Under the lock.
static jitrun_error_t *wait_for(struct jr_state_sync *sync,
                                const struct jr_state *state) {
  if (waits_for_itself(sync, state))
    return jr_error(JITRUN_FAILED_PRECONDITION,
                    "state '%s' %lld is asked for by what creates it, which "
                    "would wait for itself",
                    state->name, (long long)state->id);
  struct jr_state_waiter waiter = {
      .next = sync->waiters, .thread = pthread_self(), .on = state};
  sync->waiters = &waiter;
  while (state->is_creating)
    (void)pthread_cond_wait(&sync->ended, &sync->lock);
  struct jr_state_waiter **place = &sync->waiters;
  while (*place != &waiter)
    place = &(*place)->next;
  *place = waiter.next;
  return NULL;
}

/// Finds the state or takes its making on, which `is_creating` tells. Under the
/// lock.
static jitrun_error_t *claim_state(const struct request *request,
                                   struct jr_state **out_state,
                                   bool *out_is_ours) {
  struct jr_state *state = add_state(request);
  if (!state)
    return jr_error_no_memory();
  while (state->is_creating)
    JITRUN_TRY(wait_for(request->sync, state));
  *out_state = state;
  *out_is_ours = !state->is_ready;
  if (!state->is_ready) {
    state->is_creating = true;
    state->creator = pthread_self();
  }
  return NULL;
}

/// Publishes what was made (`is_made`), or lets the next one try.
static void end_creation(const struct request *request, struct jr_state *state,
                         void *made, bool is_made) {
  (void)pthread_mutex_lock(&request->sync->lock);
  state->is_creating = false;
  if (is_made) {
    state->state = made;
    state->destroy = request->key->destroy;
    state->older = request->states->newest;
    request->states->newest = state;
    __atomic_store_n(&state->is_ready, true, __ATOMIC_RELEASE);
  }
  (void)pthread_cond_broadcast(&request->sync->ended);
  (void)pthread_mutex_unlock(&request->sync->lock);
}

static jitrun_error_t *make_state(const struct request *request,
                                  const jitrun_call_t *call,
                                  struct jr_state **out_state) {
  const jitrun_state_key_t *key = request->key;
  bool is_ours = false;
  (void)pthread_mutex_lock(&request->sync->lock);
  jitrun_error_t *err = claim_state(request, out_state, &is_ours);
  (void)pthread_mutex_unlock(&request->sync->lock);
  if (err || !is_ours)
    return err;
  void *made = NULL;
  err = key->create(call, key->context, &made);
  end_creation(request, *out_state, made, err == NULL);
  return jr_error_note(err, "while creating state '%s' %lld", key->name,
                       (long long)key->id);
}

jitrun_error_t *jr_states_get(struct jr_states *states,
                              struct jr_state_sync *sync,
                              const jitrun_call_t *call,
                              const jitrun_state_key_t *key, void **out_state) {
  struct request request = {
      .states = states, .sync = sync, .key = key, .hash = hash_key(key)};
  struct jr_state *state = find_state(&request);
  if (!state || !__atomic_load_n(&state->is_ready, __ATOMIC_ACQUIRE))
    JITRUN_TRY(make_state(&request, call, &state));
  *out_state = state->state;
  return NULL;
}

void jr_states_clear(struct jr_states *states) {
  struct jr_state_table *table = states->table;
  for (struct jr_state *state = states->newest; state; state = state->older) {
    if (state->destroy)
      state->destroy(state->state);
  }
  for (size_t i = 0; table && i < table->capacity; i++)
    free(table->slots[i]);
  while (table) {
    struct jr_state_table *older = table->older;
    free(table);
    table = older;
  }
  *states = (struct jr_states){0};
}
