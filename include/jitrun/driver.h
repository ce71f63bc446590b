/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Drivers: what makes a platform's devices, memory and streams usable. Authors
/// of drivers include this header alone; a driver links nothing of jitrun and
/// exports one function, jitrun_driver_query(), which answers with a table.
///
/// Life: query -> open -> use its devices -> close, any number of times.
/// jitrun checks arguments, counts memory and keeps limits; a driver does what
/// it is asked. Every function may be called from several threads at once, for
/// the same stream too. An object is destroyed once nobody uses it any more,
/// and always before what it was made from.
///
/// Addresses of device memory are numbers: whether the host can read what is
/// there is for the driver to say. What handlers of custom calls get as the
/// address of a buffer is that number.
#ifndef JITRUN_DRIVER_H
#define JITRUN_DRIVER_H

#include "jitrun/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Version of everything in this header. A driver answers a query for version N
/// with a table of a version not above N, or with NULL.
#define JITRUN_DRIVER_VERSION 1u

/// What the driver makes of them is its own.
typedef struct jitrun_driver_platform jitrun_driver_platform_t;
typedef struct jitrun_driver_device jitrun_driver_device_t;
typedef struct jitrun_driver_stream jitrun_driver_stream_t;
typedef struct jitrun_driver_event jitrun_driver_event_t;

/// Address of device memory. 0 is none. Offsets may be added to it.
typedef uint64_t jitrun_address_t;

/// What a driver can ask of jitrun; valid until it is closed. Append only: test
/// `size` before using a later field.
typedef struct jitrun_driver_host {
  size_t size;
  /// Makes an error, for the driver to return. `text` (`text_size` bytes, or
  /// SIZE_MAX for NUL-terminated) is copied. Never NULL.
  jitrun_error_t *(*error)(jitrun_code_t code, const char *text,
                           size_t text_size);
} jitrun_driver_host_t;

/// Something that a driver is told, or tells of a device, by name.
typedef struct jitrun_driver_value {
  const char *name;
  const char *text;
} jitrun_driver_value_t;

typedef struct jitrun_driver_options {
  size_t size; ///< sizeof(jitrun_driver_options_t)
  /// How many devices are wanted; 0: those there are. A driver whose devices
  /// are real refuses more than it has; one that makes them up makes so many.
  uint32_t device_count;
  const jitrun_driver_value_t *values; ///< names are the driver's own
  size_t value_count;
} jitrun_driver_options_t;

/// What a device is. Texts live until the platform is closed.
typedef struct jitrun_driver_info {
  size_t size;             ///< set by the caller; no more than that is written
  const char *kind;        ///< "NVIDIA H200", "x86-64"
  const char *description; ///< one line for people; NULL: none
  const jitrun_driver_value_t *attributes; ///< "compute_capability", "9.0"
  size_t attribute_count;
  uint64_t memory_bytes; ///< that the device has; 0: not known
  uint32_t core_count;   ///< processors or multiprocessors; 0: not known
  /// The host reads and writes device memory by its address, at any time that
  /// no stream does: programs may run code of the host on it.
  bool is_host_addressable;
  /// Operations of streams are done when their functions return, and handlers
  /// put nothing into streams: nobody needs to wait for them.
  bool is_synchronous;
  uint8_t reserved[2];
  /// Element types that buffers of the device cannot have: bit N stands for
  /// jitrun_dtype_t N. A driver without 64-bit types says so here.
  uint64_t refused_dtypes;
} jitrun_driver_info_t;

/// Flags of stream_create.
#define JITRUN_STREAM_HIGH_PRIORITY 1u

/// Flags of event_create.
#define JITRUN_EVENT_TIMED 1u

/// A driver. Functions return NULL for success, or an error made by the host's
/// table. Those marked "or NULL" may be left out; what is done then is said.
typedef struct jitrun_driver {
  size_t size;           ///< sizeof(jitrun_driver_t)
  uint32_t version;      ///< JITRUN_DRIVER_VERSION it was built with
  uint32_t sanitizer;    ///< JITRUN_SANITIZER: mixed builds are refused
  const char *platform;  ///< "cuda": also of the custom calls of its devices
  const char *summary;   ///< one line for `jitrun devices`
  const char *libraries; ///< that it opens itself: "libcuda.so.1"; or NULL

  /// Opens the platform: UNAVAILABLE with the reason when it cannot be used
  /// here (no library, no device, a version that does not fit).
  jitrun_error_t *(*open)(const jitrun_driver_host_t *host,
                          const jitrun_driver_options_t *options,
                          jitrun_driver_platform_t **out_platform);
  void (*close)(jitrun_driver_platform_t *platform);
  uint32_t (*device_count)(const jitrun_driver_platform_t *platform);
  /// Without opening the device. `ordinal` is below the count.
  jitrun_error_t *(*device_info)(const jitrun_driver_platform_t *platform,
                                 uint32_t ordinal,
                                 jitrun_driver_info_t *out_info);
  /// Makes a device ready for use: its context, its memory.
  jitrun_error_t *(*device_open)(jitrun_driver_platform_t *platform,
                                 uint32_t ordinal,
                                 jitrun_driver_device_t **out_device);
  /// All that was done on the device has been waited for.
  void (*device_close)(jitrun_driver_device_t *device);

  /// Memory of the device: `size_bytes` > 0, at a multiple of `alignment`, a
  /// power of two. RESOURCE_EXHAUSTED when there is no room.
  jitrun_error_t *(*alloc)(jitrun_driver_device_t *device, uint64_t size_bytes,
                           uint64_t alignment, jitrun_address_t *out_address);
  /// Whatever used the memory has been waited for.
  void (*free)(jitrun_driver_device_t *device, jitrun_address_t address);
  /// What is free now. Or NULL: not known.
  jitrun_error_t *(*memory_free)(jitrun_driver_device_t *device,
                                 uint64_t *out_free_bytes);
  /// Host memory that copies to and from the device are fast and asynchronous
  /// with (pinned); aligned to 64 bytes. Both or neither; or NULL: any memory
  /// is.
  jitrun_error_t *(*host_alloc)(jitrun_driver_device_t *device,
                                uint64_t size_bytes, void **out_data);
  void (*host_free)(jitrun_driver_device_t *device, void *data);

  /// An order of work on a device. What is put into a stream begins when what
  /// was put in before has ended. Host memory that an operation is given stays,
  /// unchanged, until the operation has ended.
  ///
  /// An operation may fail when it is put in, or later; what is behind one that
  /// failed later is not done. synchronize() returns the first such error of
  /// the stream, and the stream is as new afterwards, unless the device itself
  /// is lost: then every function fails with that error.
  jitrun_error_t *(*stream_create)(jitrun_driver_device_t *device,
                                   uint32_t flags,
                                   jitrun_driver_stream_t **out_stream);
  /// Waits for what is in the stream.
  void (*stream_destroy)(jitrun_driver_stream_t *stream);
  /// Returns when all that was put in before has ended.
  jitrun_error_t *(*stream_synchronize)(jitrun_driver_stream_t *stream);
  /// Whether all has ended. An error is kept for synchronize().
  bool (*stream_query)(jitrun_driver_stream_t *stream);
  /// The handle that the platform's own libraries take (a CUstream, a
  /// hipStream_t). Or NULL: there is none.
  void *(*stream_native)(jitrun_driver_stream_t *stream);

  /// Copies, of at least one byte. Source and target do not overlap.
  jitrun_error_t *(*copy_to_device)(jitrun_driver_stream_t *stream,
                                    jitrun_address_t to, const void *from,
                                    uint64_t size_bytes);
  jitrun_error_t *(*copy_to_host)(jitrun_driver_stream_t *stream, void *to,
                                  jitrun_address_t from, uint64_t size_bytes);
  jitrun_error_t *(*copy_on_device)(jitrun_driver_stream_t *stream,
                                    jitrun_address_t to, jitrun_address_t from,
                                    uint64_t size_bytes);
  /// From another device of the same platform to that of the stream. Or NULL,
  /// or UNIMPLEMENTED for a pair of devices: through the host.
  jitrun_error_t *(*copy_from_peer)(jitrun_driver_stream_t *stream,
                                    jitrun_address_t to,
                                    jitrun_driver_device_t *from_device,
                                    jitrun_address_t from, uint64_t size_bytes);
  /// Repeats the first `pattern_bytes` (1, 2, 4) of `pattern`. `to` and
  /// `size_bytes` are multiples of that.
  jitrun_error_t *(*fill)(jitrun_driver_stream_t *stream, jitrun_address_t to,
                          uint64_t size_bytes, uint32_t pattern,
                          uint32_t pattern_bytes);

  /// A place in streams. One that was not recorded has been reached.
  jitrun_error_t *(*event_create)(jitrun_driver_device_t *device,
                                  uint32_t flags,
                                  jitrun_driver_event_t **out_event);
  void (*event_destroy)(jitrun_driver_event_t *event);
  /// Puts the event behind what is in the stream; what it was before is
  /// forgotten, but for those that wait for it already.
  jitrun_error_t *(*event_record)(jitrun_driver_stream_t *stream,
                                  jitrun_driver_event_t *event);
  /// Has what is put into the stream from now on wait for the event, which may
  /// be of another device. A failure of the event's stream is the waiting
  /// one's, too.
  jitrun_error_t *(*event_wait)(jitrun_driver_stream_t *stream,
                                jitrun_driver_event_t *event);
  /// Whether it has been reached, or its stream has failed before it.
  bool (*event_query)(jitrun_driver_event_t *event);
  /// Returns when it has; the stream's error if it has failed before, which
  /// stays the stream's.
  jitrun_error_t *(*event_synchronize)(jitrun_driver_event_t *event);
  /// Time between two events of JITRUN_EVENT_TIMED that have been reached. Or
  /// NULL: not known.
  jitrun_error_t *(*event_elapsed)(jitrun_driver_event_t *from,
                                   jitrun_driver_event_t *to, uint64_t *out_ns);
} jitrun_driver_t;

/// The one symbol a driver exports. Returns its table, built for a version not
/// above `max_version`, or NULL. Called once, when the driver is loaded. A
/// library may be a plug-in of custom calls as well; see jitrun/customcall.h.
typedef const jitrun_driver_t *(*jitrun_driver_query_t)(uint32_t max_version);
#define JITRUN_DRIVER_QUERY_NAME "jitrun_driver_query"
JITRUN_API const jitrun_driver_t *jitrun_driver_query(uint32_t max_version);

#ifdef __cplusplus
}
#endif
#endif
