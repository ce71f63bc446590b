/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See guard.h: operations in bytecode. They are read as MLIR does, but nothing
/// is kept of them: names, attributes and types are numbers, whose range MLIR
/// checks by itself.
#include "jit/guard_reader.h"

enum {
  MAX_DEPTH = 500, ///< as in text
  IR_SECTION = 4,
  WITH_SECTIONS = 2,      ///< version since which isolated regions are sections
  WITH_USE_LISTS = 3,     ///< those where the order of uses can be given
  WITH_UNKNOWN_PLACES = 4 ///< those where arguments need have no location
};

/// What an operation has, as bits of a byte.
enum part {
  ATTRIBUTES = 1,
  RESULTS = 2,
  OPERANDS = 4,
  SUCCESSORS = 8,
  REGIONS = 16,
  USE_LISTS = 32,
  PROPERTIES = 64
};

/// Regions of one operation that are being read.
struct level {
  struct jr_guard_reader section; ///< of its own, if it is isolated
  bool is_section;
  uint64_t regions, blocks, ops; ///< that are still to be read
};

struct walk {
  const unsigned char *file;
  uint64_t version;
  struct jr_guard_reader *reader; ///< of the innermost section
  struct level levels[MAX_DEPTH];
  size_t depth;
};

static bool skip_numbers(struct jr_guard_reader *reader, uint64_t count) {
  uint64_t number;
  for (uint64_t i = 0; i < count; i++) {
    if (!jr_guard_number(reader, &number))
      return false;
  }
  return true;
}

/// A count and as many numbers.
static bool skip_list(struct jr_guard_reader *reader, uint64_t *out_count) {
  return jr_guard_count(reader, out_count) && skip_numbers(reader, *out_count);
}

/// The order of the uses of some of `count` values.
static bool skip_use_lists(struct jr_guard_reader *reader, uint64_t count) {
  uint64_t lists = 1;
  if (count > 1 && !jr_guard_count(reader, &lists))
    return false;
  for (uint64_t i = 0; i < lists; i++) {
    uint64_t uses;
    if (count > 1 && !skip_numbers(reader, 1))
      return false;
    if (!jr_guard_number(reader, &uses))
      return false;
    uses >>= 1;
    if (uses > (uint64_t)(reader->end - reader->at) ||
        !skip_numbers(reader, uses))
      return false;
  }
  return true;
}

static bool skip_arguments(const struct walk *walk, uint64_t *out_count) {
  struct jr_guard_reader *reader = walk->reader;
  if (!jr_guard_count(reader, out_count))
    return false;
  for (uint64_t i = 0; i < *out_count; i++) {
    uint64_t type;
    if (!jr_guard_number(reader, &type))
      return false;
    bool has_place = walk->version < WITH_UNKNOWN_PLACES || (type & 1);
    if (has_place && !skip_numbers(reader, 1))
      return false;
  }
  return true;
}

/// The head of a block: how many operations, and its arguments.
static bool open_block(const struct walk *walk, struct level *level) {
  uint64_t head;
  uint64_t arguments = 0;
  unsigned char has_use_lists = 0;
  if (!jr_guard_number(walk->reader, &head))
    return false;
  level->ops = head >> 1;
  bool has_arguments = head & 1;
  if (has_arguments && !skip_arguments(walk, &arguments))
    return false;
  if (has_arguments && walk->version >= WITH_USE_LISTS &&
      !jr_guard_byte(walk->reader, &has_use_lists))
    return false;
  return !has_use_lists || skip_use_lists(walk->reader, arguments);
}

/// The head of a region, and of its first block, if it has one.
static bool open_region(const struct walk *walk, struct level *level) {
  uint64_t values;
  level->regions--;
  if (!jr_guard_count(walk->reader, &level->blocks))
    return false;
  if (level->blocks == 0)
    return true;
  if (!jr_guard_count(walk->reader, &values))
    return false;
  level->blocks--;
  return open_block(walk, level);
}

/// What stands in front of an operation's regions; their number and whether
/// they are isolated.
static bool skip_head(const struct walk *walk, uint64_t *out_regions) {
  struct jr_guard_reader *reader = walk->reader;
  unsigned char parts;
  uint64_t results = 0;
  uint64_t ignored;
  *out_regions = 0;
  if (!skip_numbers(reader, 1) || !jr_guard_byte(reader, &parts) ||
      !skip_numbers(reader, 1))
    return false;
  if ((parts & ATTRIBUTES && !skip_numbers(reader, 1)) ||
      (parts & PROPERTIES && !skip_numbers(reader, 1)) ||
      (parts & RESULTS && !skip_list(reader, &results)) ||
      (parts & OPERANDS && !skip_list(reader, &ignored)) ||
      (parts & SUCCESSORS && !skip_list(reader, &ignored)))
    return false;
  if (walk->version >= WITH_USE_LISTS && parts & USE_LISTS &&
      !skip_use_lists(reader, results))
    return false;
  return !(parts & REGIONS) || jr_guard_number(reader, out_regions);
}

/// Goes into the regions of an operation.
static const char *enter(struct walk *walk, uint64_t regions,
                         bool is_isolated) {
  unsigned id;
  if (walk->depth == MAX_DEPTH)
    return "operations are nested more than 500 deep";
  struct level *level = &walk->levels[walk->depth++];
  *level = (struct level){.regions = regions};
  level->is_section = is_isolated && walk->version >= WITH_SECTIONS;
  if (level->is_section) {
    const char *wrong =
        jr_guard_section(walk->file, walk->reader, &id, &level->section);
    if (wrong)
      return wrong;
    if (id != IR_SECTION)
      return "the section of a region holds something else";
    walk->reader = &level->section;
  }
  return regions > (uint64_t)(walk->reader->end - walk->reader->at)
             ? "an operation counts more regions than there can be"
             : NULL;
}

/// Goes back to where the operation stands whose regions were read.
static void leave(struct walk *walk, struct jr_guard_reader *outermost) {
  walk->depth--;
  walk->reader = outermost;
  for (size_t i = walk->depth; i > 0; i--) {
    if (!walk->levels[i - 1].is_section)
      continue;
    walk->reader = &walk->levels[i - 1].section;
    break;
  }
}

static const char *read_op(struct walk *walk) {
  uint64_t regions;
  if (!skip_head(walk, &regions))
    return "an operation is cut off, or counts more than there can be";
  return regions >> 1 ? enter(walk, regions >> 1, regions & 1) : NULL;
}

const char *jr_guard_operations(const unsigned char *file, uint64_t version,
                                struct jr_guard_reader section) {
  struct walk walk = {.file = file, .version = version, .reader = &section};
  struct jr_guard_reader head = section;
  uint64_t has_arguments;
  walk.depth = 1;
  /* MLIR has no place for their values yet, and crashes. */
  if (jr_guard_number(&head, &has_arguments) && (has_arguments & 1))
    return "the first block has arguments";
  if (!open_block(&walk, &walk.levels[0]))
    return "the first block is cut off";
  while (walk.depth > 0) {
    struct level *level = &walk.levels[walk.depth - 1];
    const char *wrong = NULL;
    bool fits = true;
    if (level->ops > 0) {
      level->ops--;
      wrong = read_op(&walk);
    } else if (level->blocks > 0) {
      level->blocks--;
      fits = open_block(&walk, level);
    } else if (level->regions > 0) {
      fits = open_region(&walk, level);
    } else {
      leave(&walk, &section);
    }
    if (wrong || !fits)
      return wrong ? wrong
                   : "a block is cut off, or counts more than there "
                     "can be";
  }
  return NULL;
}
