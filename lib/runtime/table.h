/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The image: everything a program is, apart from its machine code, as one
/// position-independent little-endian block. A header, then sections of
/// fixed-size records that refer to each other by index. Written once by the
/// compiler (table_write.c), checked once when a program is opened
/// (table_check.c), then only read; nothing in it is ever patched.
///
/// Right behind the block, in the same symbol, stands one int64_t an entry: the
/// address of its native function minus the address of the image, or 0; and one
/// more for the code's struct jr_links.
///
/// docs/image-format.md is this file in words, with the rules of versions; a
/// lint script compares the two.
#ifndef JR_RUNTIME_TABLE_H
#define JR_RUNTIME_TABLE_H

#include "base/bytes.h"
#include "jitrun/customcall.h"

#define JR_TABLE_MAGIC "JITRUN\x1a\n" /* 8 bytes, without the final NUL */
#define JR_TABLE_VERSION 5u           /* that is written */
#define JR_TABLE_OLDEST 4u            /* that is still read */
#define JR_TABLE_ALIGNMENT 64u /* of the image, so also of its constants */
#define JR_IMAGE_SYMBOL_PREFIX "jitrun_image_"

/// No index.
#define JR_NONE UINT32_MAX

/// A string: offset of its first byte in SECTION_STRINGS; a NUL ends it. 0 is
/// "".
typedef uint32_t jr_str_t;

/// A type: offset in 8-byte words in SECTION_TYPES of a jitrun_type_t with its
/// dims and strides.
typedef uint32_t jr_type_ref_t;

enum jr_section_kind {
  JR_SECTION_STRINGS,      ///< bytes
  JR_SECTION_TYPES,        ///< int64_t words
  JR_SECTION_ENTRIES,      ///< struct jr_entry
  JR_SECTION_PARAMS,       ///< struct jr_param: of each entry, then its results
  JR_SECTION_ALLOCS,       ///< struct jr_alloc
  JR_SECTION_SITES,        ///< struct jr_site
  JR_SECTION_ARGS,         ///< struct jr_arg: of each site, then its results
  JR_SECTION_ATTRS,        ///< struct jr_attr
  JR_SECTION_THUNKS,       ///< struct jr_thunk
  JR_SECTION_ASSERTS,      ///< struct jr_assert
  JR_SECTION_IMPORTS,      ///< struct jr_import
  JR_SECTION_SKIPPED,      ///< struct jr_skipped
  JR_SECTION_DATA,         ///< bytes: attribute values and constants
  JR_SECTION_REGIONS,      ///< struct jr_region
  JR_SECTION_REGISTERS,    ///< struct jr_register
  JR_SECTION_COMPUTATIONS, ///< struct jr_computation
  JR_SECTION_COUNT
};

/// Bytes of one record of a section.
size_t jr_section_record_bytes(enum jr_section_kind section);

struct jr_section {
  uint64_t offset;       ///< from the start of the image, multiple of 8
  uint64_t count;        ///< records
  uint64_t record_bytes; ///< of one; in images of other versions it may be more
                         ///< or less than what is declared here
};

enum jr_table_flag {
  JR_TABLE_CHECKED = 1,  ///< the code was compiled with checks
  JR_TABLE_OWN_DATA = 2, ///< the code has variables that it writes to
  JR_TABLE_SETTLED = 4   ///< an object's relocations are applied in its file
};

/// Up to `hash` the same in all versions.
struct jr_table_header {
  char magic[8];
  uint32_t version;        ///< JR_TABLE_VERSION of who wrote it
  uint32_t reader_version; ///< the least JR_TABLE_VERSION that may read it
  uint64_t size_bytes;     ///< header and sections; the code offsets follow
  uint32_t header_bytes;   ///< up to `sections`
  uint32_t section_count;  ///< of `sections`
  uint8_t hash[16];        ///< XXH3-128 of the whole file with this field zero;
                           ///< zero in images that are in no file
  uint8_t source_hash[16]; ///< XXH3-128 of the source
  uint8_t constants_hash[16]; ///< XXH3-128 of the file of constants
  uint64_t constants_bytes;   ///< of that file
  jr_str_t constants;         ///< its name, from the image's folder on; 0: none
  jr_str_t producer;          ///< "jitrun 0.1.0 LLVM 22.1.8"
  jr_str_t source;            ///< name of the source file
  jr_str_t triple, data_layout, cpu;
  jr_str_t features;     ///< CPU features that the code needs, comma-separated
  uint32_t machine;      ///< ELF e_machine of the code; 0: no code
  uint32_t exec_version; ///< JR_EXEC_VERSION the code was made for; 0: no code
  uint32_t flags;        ///< enum jr_table_flag; others mean nothing
  uint64_t temp_bytes;   ///< of the arena that holds temporary allocations
  uint64_t temp_alignment;
  uint64_t temp_sum_bytes;  ///< what the arena would be if nothing shared it
  uint64_t temp_peak_bytes; ///< of temporaries in use at once; 0 both: unknown
  struct jr_section sections[JR_SECTION_COUNT];
};

/// An exported function.
struct jr_entry {
  jr_str_t name;
  uint32_t first_param, param_count, result_count; ///< results follow params
  uint32_t first_thunk, thunk_count;
  jr_str_t thunks_refused; ///< why thunks cannot run it; 0: they can
  uint32_t scalar_words;   ///< length of jr_exec.scalars
  uint32_t result_words;   ///< length of jr_exec.results
  jr_str_t file;
  uint32_t line, column;
  jr_str_t result_shape; ///< as XLA writes it; 0 where the program does not say
  uint32_t reserved;
};

enum jr_param_flag {
  JR_PARAM_OUTPUT = 1,  ///< parameter: marked as an output of the program
  JR_RESULT_COPY = 2,   ///< result: copied from `alloc` when the entry is done
                        ///< (a returned argument or constant, or one value
                        ///< returned twice)
  JR_RESULT_STORED = 4, ///< BUFFER result of which only the execution knows
                        ///< where it is: copied from there
  JR_PARAM_CONSTRAINT = 0x300, ///< parameter: its jitrun_constraint_t, shifted
  JR_PARAM_PLACED = 0x400,     ///< OUTPUT: `output_index` is its place
  JR_PARAM_MUST_ALIAS = 0x800, ///< OUTPUT: the argument has to be donated
  JR_PARAM_CONSTANT = 0x1000,  ///< parameter: the constant `name`
  JR_PARAM_LOCAL = 0x2000,     ///< parameter: memory of a thread alone
  JR_PARAM_UNUSED = 0x4000     ///< parameter: the code does not refer to it
};
#define JR_PARAM_CONSTRAINT_SHIFT 8

/// A parameter or result of an entry.
struct jr_param {
  jr_type_ref_t type;
  jr_str_t name;  ///< 0 where it has none
  uint32_t alloc; ///< BUFFER: its allocation; others, and RESULT_STORED: none
  uint32_t first_word; ///< where its run-time values stand in jr_exec.scalars
                       ///< (a result's: jr_exec.results): BUFFER: each dynamic
                       ///< size, then each dynamic stride, RESULT_STORED:
                       ///< behind the address; others: 1 word, the value
  uint32_t flags;
  uint32_t reserved;
  uint64_t alignment; ///< BUFFER: required of element [0, ..., 0], in bytes
  uint32_t number;    ///< parameter: 1 + that of the program's parameter which
                      ///< it holds, or a part of; 0: of none
  uint32_t index_count; ///< of `index`
  uint64_t index;       ///< which part: offset in SECTION_DATA of int64_t
  uint32_t output_index_count; ///< of `output_index`
  uint32_t reserved2;
  uint64_t output_index; ///< PLACED: which part of the result, likewise
};

enum jr_alloc_kind {
  JR_ALLOC_PARAM = 1,    ///< given by the caller
  JR_ALLOC_CONSTANT = 2, ///< in SECTION_DATA
  JR_ALLOC_TEMP = 3,     ///< in the context's arena
  JR_ALLOC_LIVE_OUT = 4, ///< a result: given by the caller
  JR_ALLOC_GLOBAL = 5,   ///< of the loaded program, which may change it; begins
                         ///< as what is in SECTION_DATA
  JR_ALLOC_FILE = 6      ///< in the file of constants
};

/// Memory with one base address, jr_exec.bases[index of the allocation].
struct jr_alloc {
  uint32_t kind;  ///< enum jr_alloc_kind
  uint32_t param; ///< PARAM, LIVE_OUT: index in SECTION_PARAMS; else JR_NONE
  uint64_t size_bytes; ///< from the base; PARAM of dynamic type: 0
  uint64_t offset;     ///< CONSTANT, GLOBAL: in SECTION_DATA; TEMP: in the
                       ///< arena; FILE: in the file
  uint64_t alignment;
  jr_type_ref_t type;
  jr_str_t name;
};

enum jr_site_flag {
  JR_SITE_STATIC = 1,  ///< every argument is fixed before the execution starts
  JR_SITE_OPTIONAL = 2 ///< its target need not be registered until it runs
};

/// One custom call in the program.
struct jr_site {
  jr_str_t target;
  jr_str_t file;
  uint32_t line, column;
  uint32_t first_arg, arg_count, result_count;
  uint32_t first_attr, attr_count;
  uint32_t frame_bytes; ///< multiple of 16: jitrun_call_t, args, results, types
  uint32_t flags;
  uint32_t region; ///< 1 + that it is in, in SECTION_REGIONS; 0: none
};

enum jr_arg_kind {
  JR_ARG_SLICE = 1,  ///< bases[index] + value, of a static type
  JR_ARG_VIEW = 2,   ///< a whole parameter whose type is dynamic (index: alloc)
  JR_ARG_CONST = 3,  ///< scalar with the bits `value`
  JR_ARG_PARAM = 4,  ///< parameter of the entry, of one word (index: in PARAMS)
  JR_ARG_SCALAR = 5, ///< word stored before the call, by native code or a thunk
  JR_ARG_BUFFER = 6, ///< buffer whose pointer is stored; see type_offset
  JR_ARG_RESULT = 7  ///< result: read after the call
};

/// An argument or result of a site.
struct jr_arg {
  uint32_t kind; ///< enum jr_arg_kind
  uint32_t index;
  jr_type_ref_t type;
  uint32_t type_offset; ///< BUFFER, RESULT of dynamic type: where in the frame
                        ///< its own type record stands, whose dynamic sizes and
                        ///< strides are stored; else 0
  uint64_t value;
};

/// An attribute. Those of a site are contiguous and sorted by name (bytewise);
/// the items of a dictionary stand behind the record that refers to them, every
/// record has one owner, and dictionaries nest at most 64 deep.
struct jr_attr {
  jr_str_t name;
  uint8_t kind; ///< jitrun_attr_kind_t
  uint8_t dtype;
  uint16_t rank;
  uint64_t count;
  uint64_t value; ///< SCALAR: its bits, low-order bytes first; STRING, ARRAY,
                  ///< TENSOR: offset in SECTION_DATA (8-byte aligned; a string
                  ///< has a NUL behind it); DICT: index of the first item;
                  ///< FUNCTION: index in SECTION_ENTRIES; UNIT: 0
  uint64_t dims;  ///< TENSOR: offset in SECTION_DATA of `rank` int64_t
  jr_str_t type;  ///< SCALAR, DICT: name of the enumeration or structure; or 0
  uint32_t reserved;
};

/// What a thunk does. R[n] is register n; a thunk whose body is the `d` thunks
/// behind it is a nest.
enum jr_thunk_kind {
  JR_THUNK_RUN = 1,    ///< the sites [first, first + count)
  JR_THUNK_PASS = 2,   ///< a result in ARGS `from` is the argument in ARGS `to`
  JR_THUNK_RETURN = 3, ///< a result in ARGS `from` is the result in PARAMS `to`
  JR_THUNK_SET = 4,    ///< R[target] = `bits`
  JR_THUNK_PARAM = 5,  ///< R[target] = the parameter in PARAMS `from`
  JR_THUNK_TAKE = 6,   ///< R[target] = the result in ARGS `from`
  JR_THUNK_GIVE = 7,   ///< R[target] is the argument in ARGS `to`
  JR_THUNK_ANSWER = 8, ///< R[target] is the result in PARAMS `to`
  JR_THUNK_ADDRESS = 9,  ///< R[target] = allocation `a`, `count` bytes in
  JR_THUNK_MOVE = 10,    ///< R[target] = R[a]
  JR_THUNK_SLICE = 11,   ///< R[target] = memory R[a], R[b] bytes in
  JR_THUNK_LOAD = 12,    ///< R[target] = first element of memory R[a]
  JR_THUNK_STORE = 13,   ///< first element of memory R[a] = R[target]
  JR_THUNK_COMPUTE = 14, ///< R[target] = R[a] `c` R[b], `c` a jr_thunk_op
  JR_THUNK_SELECT = 15,  ///< R[target] = R[a] ? R[b] : R[c]
  JR_THUNK_FOR = 16,     ///< nest: for R[target] from R[a] to below R[b] by
                         ///< R[c], signed
  JR_THUNK_FOR_UNSIGNED = 17, ///< the same, unsigned
  JR_THUNK_WHILE = 18,  ///< nest: its first `c`; while R[target]: the others,
                        ///< the first `c`
  JR_THUNK_CASE = 19,   ///< nest: one of its `c` branches, that for R[target]
  JR_THUNK_BRANCH = 20, ///< nest: for `bits`; where `c` is 1, for all others
  JR_THUNK_COPY = 21,   ///< memory R[target] = memory R[a]
  JR_THUNK_FILL = 22,   ///< all elements of memory R[target] = R[a]
  JR_THUNK_CALL = 23,   ///< computation `a`
  JR_THUNK_ASSERT = 24  ///< fails with assertion `a` unless R[target]
};

struct jr_thunk {
  uint32_t kind;
  uint32_t target; ///< a register
  union {
    uint64_t first; ///< RUN
    uint64_t from;
    uint64_t bits;
    struct {
      uint32_t a, b;
    };
  };
  union {
    uint64_t count;
    uint64_t to;
    struct {
      uint32_t c, d;
    };
  };
};

/// A value of thunks: a scalar of at most 8 bytes, its bits zero-extended, or
/// the address of a buffer of static type. All are 0 when an entry starts.
struct jr_register {
  jr_type_ref_t type;
  uint32_t reserved;
};

/// Thunks that others call. A computation calls only those behind it.
struct jr_computation {
  jr_str_t name;
  uint32_t first_thunk, thunk_count;
  jr_str_t file;
  uint32_t line, column;
};

/// A cf.assert, or another error that the program itself makes.
struct jr_assert {
  jr_str_t message; ///< the whole of it
  jr_str_t file;
  uint32_t line, column;
};

/// A function that the code calls and that is neither in it nor on the closed
/// list (symbols.h): found by name when a program is opened.
struct jr_import {
  jr_str_t name;
  uint32_t reserved;
};

/// A function that was written to be called from outside and is no entry.
struct jr_skipped {
  jr_str_t name;
  jr_str_t reason; ///< "its argument 0 has type ..."
};

/// What the program names a part of itself: an rt.trace.
struct jr_region {
  jr_str_t name;
  uint32_t parent; ///< 1 + the region that it is in, in front of it; 0: none
};

/// What opening a program writes into its code. Code reads the addresses of
/// imports here; everything else that is loaded stays as it is.
struct jr_links {
  uint64_t use_count; ///< programs open at once: more than one only where the
                      ///< image is linked into the process
  void *functions[];  ///< one an import
};

/// A checked image: typed pointers into it. Borrowed.
struct jr_table {
  const unsigned char *image;
  void *converted; ///< owned: records of other versions as those declared here
  const struct jr_table_header *header;
  const char *strings;
  const int64_t *types;
  const struct jr_entry *entries;
  const struct jr_param *params;
  const struct jr_alloc *allocs;
  const struct jr_site *sites;
  const struct jr_arg *args;
  const struct jr_attr *attrs;
  const struct jr_thunk *thunks;
  const struct jr_assert *asserts;
  const struct jr_import *imports;
  const struct jr_skipped *skipped;
  const unsigned char *data;
  const struct jr_region *regions;
  const struct jr_register *registers;
  const struct jr_computation *computations;
  uint32_t entry_count, param_count, alloc_count, arg_count, attr_count,
      thunk_count, assert_count, import_count, skipped_count, region_count,
      register_count, computation_count;
  uint64_t site_count;
  uint64_t data_size;
  bool
      has_described; ///< an entry says more of its allocations than their types
  const unsigned char *code;   ///< what code offsets count from: the image, or
                               ///< the same where its code was loaded
  const int64_t *code_offsets; ///< one an entry, then that of the links
};

static inline const char *jr_table_string(const struct jr_table *table,
                                          jr_str_t string) {
  return table->strings + string;
}

static inline const jitrun_type_t *jr_table_type(const struct jr_table *table,
                                                 jr_type_ref_t type) {
  return (const jitrun_type_t *)(const void *)(table->types + type);
}

/// Bytes of the whole image, code offsets included; 0 when the header is not
/// one of this version or the image does not fit. `size_bytes` are readable at
/// `image` (SIZE_MAX for a linked image, whose size only its header knows).
uint64_t jr_table_image_size(const void *image, size_t size_bytes);

/// Reads the header of an image of any version that can be read, and checks it
/// and the bounds of all sections: what the image lacks is zero, what this
/// version does not know is left out. Errors as for jr_table_check().
jitrun_error_t *jr_table_read_header(const void *image, size_t size_bytes,
                                     struct jr_table_header *out_header)
    __attribute__((warn_unused_result));

/// Checks everything that later code relies on: magic, version, section bounds,
/// every index, string, type, offset, size and overlap. DATA_LOSS names the
/// record and what is wrong; FAILED_PRECONDITION for another format version.
/// Linear in the image. The image must be 8-byte aligned. Beyond what the
/// records say above, records that are owned (parameters by entries, arguments
/// by sites, thunks by entries and computations) and run-time words stand in
/// the order of their owners without gaps; what a site's arguments refer to
/// belongs to one entry; at most one thunk runs a site, and arguments that are
/// not fixed were passed to it before; thunks nest at most JR_TABLE_MAX_NEST
/// deep, calls included. Close the table in the end.
jitrun_error_t *jr_table_check(const void *image, size_t size_bytes,
                               struct jr_table *out_table)
    __attribute__((warn_unused_result));

/// Frees what the table owns; the image stays.
void jr_table_close(struct jr_table *table);

/// Takes the code offsets from where the code of a checked table was loaded.
void jr_table_set_code(struct jr_table *table, const void *image);

/// Writes the table as members of an open JSON object: source, target, entries,
/// allocations, call sites with arguments and attributes, thunks.
struct jr_json;
void jr_table_print_json(const struct jr_table *table, struct jr_json *json);

#endif
