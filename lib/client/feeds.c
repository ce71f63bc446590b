/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Feeds of devices. They are the feeds of one world that all devices of a
/// client are in; the worlds of executables have theirs there.
#include "jitrun/feed.h"

#include "base/clock.h"
#include "client/client.h"
#include "customcalls/world.h"

jitrun_error_t *jr_client_feeds(jitrun_client_t *client,
                                jitrun_world_t **out_feeds) {
  jitrun_error_t *error = NULL;
  (void)pthread_mutex_lock(&client->order);
  if (!client->feeds) {
    error = jitrun_world_create((uint32_t)client->device_count, 1, NULL,
                                &client->feeds);
    if (!error)
      client->feeds->platform = jitrun_client_platform(client);
  }
  *out_feeds = client->feeds;
  (void)pthread_mutex_unlock(&client->order);
  return error;
}

/// One end of a feed that the caller uses.
struct feed {
  jitrun_world_t *world;
  struct jr_queue_key key;
  struct jr_message *message; ///< to be put in; NULL: to take one
  const jitrun_tensor_t *tensors;
  size_t count;
};

static jitrun_error_t *try_feed(struct feed *feed, const struct jr_wait *wait) {
  return feed->message
             ? jr_queue_put(feed->world, &feed->key, &feed->message, wait)
             : jr_queue_take(feed->world, &feed->key, feed->tensors,
                             feed->count, wait);
}

static void warn_of_feed(const struct feed *feed, bool is_put,
                         const struct jr_patience *patience) {
  char what[JR_WAITING_SIZE];
  struct jr_bytes text = {0};
  jr_queue_describe(feed->world, &feed->key, is_put, what, sizeof what);
  jr_bytes_appendf(
      &text, "still waiting after %.3g s %s",
      (double)(jr_clock_ns() - patience->start_ns) / (double)JR_NS_PER_S, what);
  jr_watch_warn(patience->watch, &text);
  jr_bytes_deinit(&text);
}

/// Waits as long as the caller asked for, with warnings in between.
static jitrun_error_t *use_feed(struct feed *feed,
                                const jitrun_client_t *client, const char *who,
                                int64_t timeout_ns) {
  bool is_put = feed->message != NULL;
  int64_t limit_ns = jr_client_timeout(client, timeout_ns);
  struct jr_patience patience = jr_patience_begin(client->watch, limit_ns);
  for (;;) {
    struct jr_wait wait = jr_wait_begin(who, NULL, jr_patience_next(&patience));
    wait.timeout_ns = limit_ns;
    jitrun_error_t *error = try_feed(feed, &wait);
    if (jitrun_error_code(error) != JITRUN_DEADLINE_EXCEEDED ||
        !jr_patience_is_due(&patience))
      return error;
    jitrun_error_free(error);
    warn_of_feed(feed, is_put, &patience);
  }
}

jitrun_error_t *jitrun_device_infeed(jitrun_device_t *device,
                                     const jitrun_tensor_t *tensors,
                                     size_t count, int64_t timeout_ns) {
  JR_NEED(device);
  struct feed feed = {
      .key = {JR_QUEUE_FEED, 0, JR_HOST, device->local_ordinal}};
  JITRUN_TRY(jr_client_feeds(device->client, &feed.world));
  JITRUN_TRY(jr_message_create(tensors, count, &feed.message));
  jitrun_error_t *error =
      use_feed(&feed, device->client, "an infeed", timeout_ns);
  jr_message_destroy(feed.message);
  return error;
}

jitrun_error_t *jitrun_device_outfeed(jitrun_device_t *device,
                                      const jitrun_tensor_t *tensors,
                                      size_t count, int64_t timeout_ns) {
  JR_NEED(device);
  struct feed feed = {.key = {JR_QUEUE_FEED, 0, device->local_ordinal, JR_HOST},
                      .tensors = tensors,
                      .count = count};
  JITRUN_TRY(jr_client_feeds(device->client, &feed.world));
  return use_feed(&feed, device->client, "an outfeed", timeout_ns);
}
