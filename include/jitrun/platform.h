/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Platforms that clients can be made of: "host", which is built in, "cuda" and
/// "hip", whose drivers are libraries (libjitrun-driver-cuda.so) beside
/// libjitrun or where the system looks, and those of drivers that are added.
///
/// Life: create -> add, load -> make clients with it -> release. A client takes
/// its driver when it is made, and keeps its library loaded. Thread-safe.
#ifndef JITRUN_PLATFORM_H
#define JITRUN_PLATFORM_H

#include "jitrun/driver.h"
#include "jitrun/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jitrun_platforms jitrun_platforms_t;

/// Makes a list of host, cuda and hip. No library is opened before one is asked
/// for.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_platforms_create(jitrun_platforms_t **out_platforms);
JITRUN_API void jitrun_platforms_retain(jitrun_platforms_t *platforms);
JITRUN_API void jitrun_platforms_release(/*own*/ jitrun_platforms_t *platforms);

/// Adds a driver that is linked into the program. ALREADY_EXISTS when there is
/// one of its platform; one of cuda or hip takes the place of the library that
/// would be looked for. FAILED_PRECONDITION for a table of another version or
/// sanitizer, INVALID_ARGUMENT for one that lacks something.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_platforms_add(jitrun_platforms_t *platforms,
                     jitrun_driver_query_t query);

/// Opens a shared library and adds the driver in it. `path` as for
/// jitrun_registry_load_plugin(). NOT_FOUND when it cannot be opened,
/// FAILED_PRECONDITION when it is no driver, and as above.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_platforms_load(jitrun_platforms_t *platforms, const char *path);

JITRUN_API size_t jitrun_platforms_count(jitrun_platforms_t *platforms);

/// The name of platform `index`; NULL past the last. Valid as long as the list.
JITRUN_API const char *jitrun_platforms_get(jitrun_platforms_t *platforms,
                                            size_t index);

#ifdef __cplusplus
}
#endif
#endif
