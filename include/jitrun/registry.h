/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Registries: which custom calls and attribute types a program may name.
///
/// Life: create -> register, load plug-ins -> open programs with it -> release.
/// A program takes its handlers when it is opened and retains the registry,
/// which keeps its plug-ins loaded; what is registered later is seen by
/// programs opened later. Every function here is thread-safe.
#ifndef JITRUN_REGISTRY_H
#define JITRUN_REGISTRY_H

#include "jitrun/customcall.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jitrun_registry jitrun_registry_t;

/// The process-wide registry, which holds the built-in calls. Never NULL, never
/// released.
JITRUN_API jitrun_registry_t *jitrun_registry_default(void);

/// Makes a registry that holds the built-in calls.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_registry_create(jitrun_registry_t **out_registry);

JITRUN_API void jitrun_registry_retain(jitrun_registry_t *registry);
JITRUN_API void jitrun_registry_release(/*own*/ jitrun_registry_t *registry);

/// Adds one custom call; the record is copied, what it points to is not.
/// INVALID_ARGUMENT when the record is not usable, ALREADY_EXISTS when its name
/// and platform are taken.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_registry_register(jitrun_registry_t *registry,
                         const jitrun_customcall_t *call);

/// Adds all calls and attribute types of a plug-in that is linked into the
/// program, or none.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_registry_add(jitrun_registry_t *registry, jitrun_plugin_query_t query);

/// Opens a shared library and adds what the plug-in in it provides, or nothing.
/// A name without a slash is a file in the current folder, else one in the
/// folders of the system. NOT_FOUND when it cannot be opened,
/// FAILED_PRECONDITION when it is no plug-in for this version or was built with
/// another sanitizer.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_registry_load_plugin(jitrun_registry_t *registry, const char *path);

/// Adds one attribute type, for programs compiled with this registry from now
/// on; the record is copied, what it points to is not. INVALID_ARGUMENT when
/// the record is not usable, ALREADY_EXISTS when its name is taken, NOT_FOUND
/// when a field is of a type that is not registered.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_registry_add_attr_type(jitrun_registry_t *registry,
                              const jitrun_attr_type_t *type);

/// The attribute type "vendor.name", built in or registered; NULL: none is.
/// Valid as long as the registry.
JITRUN_API const jitrun_attr_type_t *
jitrun_registry_find_attr_type(jitrun_registry_t *registry, const char *name);

/// Attribute type `index`: those built in, then the registered ones in their
/// order; NULL past the last. Valid as long as the registry.
JITRUN_API const jitrun_attr_type_t *
jitrun_registry_attr_type_get(jitrun_registry_t *registry, size_t index);

/// Opens a shared library of functions that programs call by name. A function
/// that a program declares, without a body and not as a custom call, is the one
/// of that name in the first library that has one, called as MLIR's C interface
/// does; see docs/from-mlir-runner.md. So are handlers that were written for
/// JitRt's direct ABI, of calls of platform "host" that are not registered, now
/// or later, and classic handlers. Libraries are looked into in the order in
/// which they were added, nothing else of the process is. `path` as for
/// jitrun_registry_load_plugin(). NOT_FOUND when it cannot be opened,
/// UNIMPLEMENTED without libjitrun-jitrt.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_registry_add_library(jitrun_registry_t *registry, const char *path);

/// Adds a handler of XLA's classic custom calls; the record is copied, with its
/// names. ALREADY_EXISTS when name and platform are taken.
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_registry_add_classic(jitrun_registry_t *registry,
                            const jitrun_classic_t *classic);

/// Number of registered calls, over all platforms.
JITRUN_API size_t jitrun_registry_call_count(jitrun_registry_t *registry);

/// Call `index`, ordered by name then platform at the time of the call; NULL
/// past the last. Valid as long as the registry.
JITRUN_API const jitrun_customcall_t *
jitrun_registry_call_get(jitrun_registry_t *registry, size_t index);

/// Writes the declared signature for people, "(lhs: buffer f32 rank 2) -> ()",
/// or "(...) {...} -> (...)" when none is declared. Free with
/// jitrun_text_free().
JITRUN_API JITRUN_MUST_USE jitrun_error_t *
jitrun_customcall_describe(const jitrun_customcall_t *call, char **out_text);

#ifdef __cplusplus
}
#endif
#endif
