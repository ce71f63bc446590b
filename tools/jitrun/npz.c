/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Reading .npz files. A zip archive is read from its end: a record there says
/// where the directory is, which says where each member is. Every number is
/// compared with what is there before it is used.
#define ZLIB_CONST // input is not written to

#include "npz.h"

#include "npy.h"

#include "base/strings.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum {
  END_SIZE = 22,          ///< of the record at the end, without its comment
  END_LIMIT = 65535 + 22, ///< with the longest comment
  LOCATOR_SIZE = 20,      ///< of what finds the record of large archives
  LARGE_END_SIZE = 56,    ///< of that record
  DIRECTORY_SIZE = 46,    ///< of a member in the directory, without texts
  LOCAL_SIZE = 30,        ///< of what stands before a member, without texts
  HEAD_SIZE = 65535 + 12, ///< the longest header of version 1, and more
  DEFLATE_RATIO = 1032,   ///< what a byte can unpack to, at the most
  SHOWN_MEMBERS = 8,      ///< in a list of them
  METHOD_STORED = 0,
  METHOD_DEFLATED = 8,
};

#define NOT_HERE UINT32_C(0xffffffff) ///< the number is in an extra field

struct archive {
  const unsigned char *data;
  uint64_t size;
  uint64_t directory, directory_size, count;
};

struct member {
  const char *name;
  size_t name_size; ///< without ".npy"
  unsigned flags, method;
  uint32_t checksum;
  uint64_t packed_size, size, offset;
};

static jitrun_error_t *refuse(const char *problem) {
  return jr_error(JITRUN_INVALID_ARGUMENT, "not a usable .npz file: %s",
                  problem);
}

static jitrun_error_t *refuse_member(const struct member *member,
                                     const char *problem) {
  return jr_error(JITRUN_DATA_LOSS, "member '%.*s' of the .npz file %s",
                  (int)member->name_size, member->name, problem);
}

static unsigned read_u16(const unsigned char *at) {
  return (unsigned)(at[0] | at[1] << 8);
}

static uint32_t read_u32(const unsigned char *at) {
  return read_u16(at) | (uint32_t)read_u16(at + 2) << 16;
}

static uint64_t read_u64(const unsigned char *at) {
  return read_u32(at) | (uint64_t)read_u32(at + 4) << 32;
}

/// The bytes of a range, or NULL when the archive has no such range.
static const unsigned char *find_range(const struct archive *archive,
                                       uint64_t offset, uint64_t size) {
  if (offset > archive->size || size > archive->size - offset)
    return NULL;
  return archive->data + offset;
}

bool jr_npz_split(const char *text, size_t *out_path_size,
                  const char **out_member) {
  static const char suffix[] = ".npz";
  const size_t suffix_size = sizeof suffix - 1;
  size_t size = strlen(text);
  *out_member = NULL;
  *out_path_size = size;
  if (jr_text_has_suffix(text, suffix))
    return true;
  for (size_t i = size; i > suffix_size; i--) {
    const char *colon = text + i - 1;
    if (*colon == ':' &&
        memcmp(colon - suffix_size, suffix, suffix_size) == 0) {
      *out_path_size = (size_t)(colon - text);
      *out_member = colon + 1;
      return true;
    }
  }
  return false;
}

/// Reads where the directory is from the record of large archives, if there is
/// one in front of the record at `end`.
static jitrun_error_t *read_large_end(struct archive *archive, uint64_t end) {
  const unsigned char *locator =
      end >= LOCATOR_SIZE
          ? find_range(archive, end - LOCATOR_SIZE, LOCATOR_SIZE)
          : NULL;
  if (!locator || memcmp(locator, "PK\6\7", 4) != 0)
    return NULL;
  const unsigned char *record =
      find_range(archive, read_u64(locator + 8), LARGE_END_SIZE);
  if (!record || memcmp(record, "PK\6\6", 4) != 0)
    return refuse("the record at its end is damaged");
  archive->count = read_u64(record + 32);
  archive->directory_size = read_u64(record + 40);
  archive->directory = read_u64(record + 48);
  return NULL;
}

/// Finds the directory.
static jitrun_error_t *open_archive(struct archive *archive, const void *data,
                                    size_t size) {
  *archive = (struct archive){.data = data, .size = size};
  uint64_t last = size < END_LIMIT ? 0 : size - END_LIMIT;
  uint64_t at = size < END_SIZE ? 0 : size - END_SIZE + 1;
  while (at > last) {
    const unsigned char *record = archive->data + --at;
    if (memcmp(record, "PK\5\6", 4) != 0 ||
        at + END_SIZE + read_u16(record + 20) != size)
      continue;
    archive->count = read_u16(record + 10);
    archive->directory_size = read_u32(record + 12);
    archive->directory = read_u32(record + 16);
    JITRUN_TRY(read_large_end(archive, at));
    if (!find_range(archive, archive->directory, archive->directory_size))
      return refuse("its directory lies outside of it");
    return NULL;
  }
  return refuse("it is no zip archive");
}

/// Replaces what the directory had no room for by what an extra field says.
static bool read_large_sizes(struct member *member, const unsigned char *extra,
                             size_t size) {
  uint64_t *numbers[] = {&member->size, &member->packed_size, &member->offset};
  size_t at = 0;
  while (at + 4 <= size) {
    unsigned id = read_u16(extra + at);
    size_t length = read_u16(extra + at + 2);
    at += 4;
    if (length > size - at)
      return false;
    size_t next = at;
    for (size_t i = 0; id == 1 && i < 3; i++) {
      if (*numbers[i] != NOT_HERE)
        continue;
      if (next + 8 > at + length)
        return false;
      *numbers[i] = read_u64(extra + next);
      next += 8;
    }
    at += length;
  }
  return true;
}

/// Reads a member of the directory at `*at`, and moves that to the next.
static jitrun_error_t *read_member(const struct archive *archive, uint64_t *at,
                                   struct member *out_member) {
  const unsigned char *record = find_range(archive, *at, DIRECTORY_SIZE);
  if (!record || memcmp(record, "PK\1\2", 4) != 0)
    return refuse("its directory is damaged");
  size_t name_size = read_u16(record + 28);
  size_t extra_size = read_u16(record + 30);
  size_t texts = name_size + extra_size + read_u16(record + 32);
  if (!find_range(archive, *at, DIRECTORY_SIZE + texts))
    return refuse("its directory is cut off");
  const unsigned char *name = record + DIRECTORY_SIZE;
  *out_member = (struct member){.name = (const char *)name,
                                .name_size = name_size,
                                .flags = read_u16(record + 8),
                                .method = read_u16(record + 10),
                                .checksum = read_u32(record + 16),
                                .packed_size = read_u32(record + 20),
                                .size = read_u32(record + 24),
                                .offset = read_u32(record + 42)};
  if (!read_large_sizes(out_member, name + name_size, extra_size))
    return refuse("its directory is damaged");
  if (name_size > 4 && memcmp(name + name_size - 4, ".npy", 4) == 0)
    out_member->name_size -= 4;
  *at += DIRECTORY_SIZE + texts;
  return NULL;
}

static bool is_named(const struct member *member, const char *name) {
  size_t size = strlen(name);
  if (jr_text_has_suffix(name, ".npy"))
    size -= 4;
  return size == member->name_size && memcmp(name, member->name, size) == 0;
}

/// "it has 'a', 'b' and 3 more".
static jitrun_error_t *refuse_name(const struct archive *archive,
                                   const char *name) {
  struct jr_near_names near_names = {.wanted = name ? name : ""};
  struct jr_bytes text = {0};
  char names[SHOWN_MEMBERS][128];
  uint64_t at = archive->directory;
  uint64_t i = 0;
  struct member member;
  if (name)
    jr_bytes_appendf(&text, "no member '%s' in the .npz file; it has ", name);
  else if (archive->count > 1)
    jr_bytes_append_text(&text, "say which member of the .npz file, as in "
                                "x.npz:NAME; it has ");
  for (; i < archive->count && i < SHOWN_MEMBERS; i++) {
    jitrun_error_t *damage = read_member(archive, &at, &member);
    if (damage) {
      jr_bytes_deinit(&text);
      return damage;
    }
    int shown = member.name_size < 127 ? (int)member.name_size : 127;
    (void)snprintf(names[i], sizeof names[i], "%.*s", shown, member.name);
    jr_near_names_offer(&near_names, names[i]);
    jr_bytes_appendf(&text, "%s'%s'", i > 0 ? ", " : "", names[i]);
  }
  if (archive->count == 0)
    jr_bytes_append_text(&text, name ? "none" : "the .npz file is empty");
  if (i < archive->count)
    jr_bytes_appendf(&text, " and %" PRIu64 " more", archive->count - i);
  jr_near_names_append(&near_names, &text);
  jitrun_error_t *error = jr_bytes_check(&text);
  if (!error)
    error = jr_error_text(JITRUN_NOT_FOUND, (const char *)text.data, text.size);
  jr_bytes_deinit(&text);
  return error;
}

static jitrun_error_t *find_member(const struct archive *archive,
                                   const char *name,
                                   struct member *out_member) {
  uint64_t at = archive->directory;
  for (uint64_t i = 0; i < archive->count; i++) {
    JITRUN_TRY(read_member(archive, &at, out_member));
    if (name ? is_named(out_member, name) : archive->count == 1)
      return NULL;
    if (!name)
      break;
  }
  return refuse_name(archive, name);
}

/// Finds a member's packed bytes.
static jitrun_error_t *find_packed(const struct archive *archive,
                                   const struct member *member,
                                   const unsigned char **out_packed) {
  const unsigned char *local = find_range(archive, member->offset, LOCAL_SIZE);
  if (!local || memcmp(local, "PK\3\4", 4) != 0)
    return refuse_member(member, "is not where the directory says");
  uint64_t texts = (uint64_t)read_u16(local + 26) + read_u16(local + 28);
  uint64_t before = member->offset + LOCAL_SIZE + texts;
  *out_packed = find_range(archive, before, member->packed_size);
  if (!*out_packed)
    return refuse_member(member, "is cut off");
  return NULL;
}

static jitrun_error_t *check_member(const struct member *member) {
  if (member->flags & 1)
    return refuse_member(member, "is encrypted");
  if (member->method != METHOD_STORED && member->method != METHOD_DEFLATED)
    return jr_error(JITRUN_UNIMPLEMENTED,
                    "member '%.*s' of the .npz file is packed by method %u; "
                    "stored (0) and deflated (8) ones are read",
                    (int)member->name_size, member->name, member->method);
  bool is_stored = member->method == METHOD_STORED;
  if (is_stored ? member->size != member->packed_size
                : member->size / DEFLATE_RATIO > member->packed_size)
    return refuse_member(member, "cannot have the size that it claims");
  return NULL;
}

/// A walk through packed bytes, of either method.
struct unpacker {
  const struct member *member;
  z_stream stream;
  const unsigned char *packed; ///< what is left
  uint64_t packed_size;
  bool is_over;
};

static jitrun_error_t *open_unpacker(struct unpacker *unpacker,
                                     const struct member *member,
                                     const unsigned char *packed) {
  *unpacker = (struct unpacker){
      .member = member, .packed = packed, .packed_size = member->packed_size};
  if (member->method == METHOD_DEFLATED &&
      inflateInit2(&unpacker->stream, -MAX_WBITS) != Z_OK)
    return jr_error_no_memory();
  return NULL;
}

static void close_unpacker(struct unpacker *unpacker) {
  if (unpacker->member && unpacker->member->method == METHOD_DEFLATED)
    (void)inflateEnd(&unpacker->stream);
}

/// Inflates up to `size` bytes, in pieces that fit zlib's numbers; returns how
/// many there were.
static uint64_t inflate_some(struct unpacker *unpacker, unsigned char *out,
                             uint64_t size) {
  z_stream *stream = &unpacker->stream;
  uint64_t done = 0;
  while (done < size && !unpacker->is_over) {
    uint64_t room = size - done;
    uInt in =
        unpacker->packed_size > INT_MAX ? INT_MAX : (uInt)unpacker->packed_size;
    uInt wanted = room > INT_MAX ? INT_MAX : (uInt)room;
    stream->next_in = unpacker->packed;
    stream->avail_in = in;
    stream->next_out = out + done;
    stream->avail_out = wanted;
    int result = inflate(stream, Z_NO_FLUSH);
    unpacker->packed += in - stream->avail_in;
    unpacker->packed_size -= in - stream->avail_in;
    done += wanted - stream->avail_out;
    unpacker->is_over = result != Z_OK;
  }
  return done;
}

static uint64_t unpack_some(struct unpacker *unpacker, unsigned char *out,
                            uint64_t size) {
  if (unpacker->member->method == METHOD_DEFLATED)
    return inflate_some(unpacker, out, size);
  if (size > unpacker->packed_size)
    size = unpacker->packed_size;
  memcpy(out, unpacker->packed, size);
  unpacker->packed += size;
  unpacker->packed_size -= size;
  return size;
}

/// Unpacks the front of a member and sees that the array which begins there
/// has the size that the directory claims.
static jitrun_error_t *unpack_head(struct unpacker *unpacker,
                                   struct jr_bytes *out_file) {
  const struct member *member = unpacker->member;
  size_t size = member->size < HEAD_SIZE ? (size_t)member->size : HEAD_SIZE;
  if (size == 0)
    return refuse_member(member, "is empty");
  unsigned char *head = jr_bytes_extend(out_file, size);
  uint64_t total = 0;
  if (!head)
    return jr_error_no_memory();
  if (unpack_some(unpacker, head, size) != size)
    return refuse_member(member, "is damaged: it ends early");
  JITRUN_TRY(jr_npy_measure(head, size, &total));
  if (total != member->size)
    return jr_error(JITRUN_DATA_LOSS,
                    "member '%.*s' of the .npz file claims %" PRIu64
                    " bytes, its array has %" PRIu64,
                    (int)member->name_size, member->name, member->size, total);
  return NULL;
}

static jitrun_error_t *unpack_rest(struct unpacker *unpacker,
                                   struct jr_bytes *out_file) {
  const struct member *member = unpacker->member;
  uint64_t size = member->size - out_file->size;
  unsigned char *rest = jr_bytes_extend(out_file, (size_t)size);
  unsigned char extra;
  if (!rest)
    return jr_error(JITRUN_RESOURCE_EXHAUSTED,
                    "out of memory: %" PRIu64 " bytes for member '%.*s'",
                    member->size, (int)member->name_size, member->name);
  if (unpack_some(unpacker, rest, size) != size)
    return refuse_member(member, "is damaged: it ends early");
  if (unpack_some(unpacker, &extra, 1) != 0)
    return refuse_member(member, "is longer than its array");
  if (crc32_z(0, out_file->data, out_file->size) != member->checksum)
    return refuse_member(member, "is damaged: its checksum differs");
  return NULL;
}

jitrun_error_t *jr_npz_read(const void *data, size_t size, const char *member,
                            struct jr_bytes *out_file) {
  struct archive archive;
  struct member found;
  const unsigned char *packed;
  JITRUN_TRY(open_archive(&archive, data, size));
  JITRUN_TRY(find_member(&archive, member, &found));
  JITRUN_TRY(check_member(&found));
  JITRUN_TRY(find_packed(&archive, &found, &packed));
  struct unpacker unpacker;
  jitrun_error_t *error = open_unpacker(&unpacker, &found, packed);
  if (!error)
    error = unpack_head(&unpacker, out_file);
  if (!error)
    error = unpack_rest(&unpacker, out_file);
  close_unpacker(&unpacker);
  return error;
}
