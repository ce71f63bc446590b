/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Drivers that were found, and platforms that they opened.
#ifndef JR_DEVICE_DRIVER_H
#define JR_DEVICE_DRIVER_H

#include "base/dylib.h"
#include "jitrun/platform.h"

/// A driver, and the library that it is in. Freed with its last reference.
struct jr_driver {
  size_t reference_count; ///< atomic
  const jitrun_driver_t *table;
  struct jr_dylib library; ///< none: it is linked in
};

/// Checks what a query answers. The library is taken over, and is closed when
/// this fails.
jitrun_error_t *jr_driver_create(jitrun_driver_query_t query,
                                 /*own*/ struct jr_dylib library,
                                 struct jr_driver **out_driver)
    __attribute__((warn_unused_result));

/// Opens a library of a user's.
jitrun_error_t *jr_driver_load(const char *path, struct jr_driver **out_driver)
    __attribute__((warn_unused_result));

/// Opens libjitrun-driver-NAME.so. UNIMPLEMENTED names the places where it is
/// not.
jitrun_error_t *jr_driver_find(const char *name, struct jr_driver **out_driver)
    __attribute__((warn_unused_result));

void jr_driver_retain(struct jr_driver *driver);
void jr_driver_release(/*own*/ struct jr_driver *driver);

/// The driver of a platform, with a reference: of `platforms`, or of those that
/// every list has when that is NULL. NOT_FOUND names the platforms there are.
jitrun_error_t *jr_platforms_driver(jitrun_platforms_t *platforms,
                                    const char *name,
                                    struct jr_driver **out_driver)
    __attribute__((warn_unused_result));

/// An opened platform; zero-initialised is none.
struct jr_platform {
  struct jr_driver *driver;      ///< has a reference
  const jitrun_driver_t *table;  ///< the driver's
  jitrun_driver_platform_t *own; ///< of the driver
  uint32_t device_count;
};

/// Opens it, at `device_count` devices (0: as many as there are). The driver's
/// reason, with a note, when it cannot.
jitrun_error_t *jr_platform_open(struct jr_driver *driver,
                                 uint32_t device_count,
                                 struct jr_platform *out_platform)
    __attribute__((warn_unused_result));
void jr_platform_close(struct jr_platform *platform);

/// What a device is; texts that the driver left out are not NULL.
jitrun_error_t *jr_platform_info(const struct jr_platform *platform,
                                 uint32_t ordinal,
                                 jitrun_driver_info_t *out_info)
    __attribute__((warn_unused_result));

#endif
