/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Changes program text by its tokens, so that most of what comes out still
/// gets behind the parser: what stands in brackets is moved as a whole, and a
/// token's place is taken by another of its kind. libFuzzer finds the two
/// functions at the end by their names.
#include "fuzz.h"
#include "mlir_words.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TOKENS = 16384 };

#define PICK(state, words)                                                     \
  words[next_random(state, sizeof(words) / sizeof((words)[0]))]

/// A part of the text.
struct range {
  const char *start, *end;
};

/// A text that is being changed: what comes out grows in `out`.
struct mutation {
  const char *data, *end;
  char *out;
  size_t size, max_size;
  uint64_t random;
  struct range *tokens;
  size_t count;
};

/// A number below `limit`, or 0.
static size_t next_random(struct mutation *mutation, size_t limit) {
  mutation->random =
      mutation->random * 6364136223846793005u + 1442695040888963407u;
  return limit ? (size_t)(mutation->random >> 33) % limit : 0;
}

static bool is_word(char byte) {
  return isalnum((unsigned char)byte) || strchr("_.$", byte);
}

/// The end of the token that starts at `at`.
static const char *skip_token(const char *at, const char *end) {
  char first = *at++;
  if (first == '"') {
    while (at < end && *at != '"' && *at != '\n')
      at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at < end ? at + 1 : end;
  }
  if (first == '-' && at < end && *at == '>')
    return at + 1;
  if (!is_word(first) && !strchr("%@#!^-", first))
    return at;
  /* The parts of a shape are tokens of their own. */
  bool is_number = isdigit((unsigned char)first);
  if (is_number && at < end && *at == 'x' && first == '0')
    is_number = !isxdigit((unsigned char)at[1]);
  while (is_number && at < end && isdigit((unsigned char)*at))
    at++;
  if (is_number && at < end && *at == 'x')
    return at;
  while (at < end && *at && is_word(*at))
    at++;
  return at;
}

static void find_tokens(struct mutation *mutation) {
  const char *at = mutation->data;
  while (at < mutation->end && mutation->count < MAX_TOKENS) {
    if (isspace((unsigned char)*at) || *at == '\0') {
      at++;
      continue;
    }
    bool is_times = *at == 'x' && at > mutation->data &&
                    (isdigit((unsigned char)at[-1]) || strchr("?*", at[-1]));
    const char *end = is_times ? at + 1 : skip_token(at, mutation->end);
    mutation->tokens[mutation->count++] = (struct range){at, end};
    at = end;
  }
}

static void put(struct mutation *mutation, struct range text) {
  size_t size = (size_t)(text.end - text.start);
  size_t left = mutation->max_size - mutation->size;
  size = size < left ? size : left;
  if (size == 0)
    return;
  memcpy(mutation->out + mutation->size, text.start, size);
  mutation->size += size;
}

/// The whole text with something else in the place of a part.
static void put_instead(struct mutation *mutation, struct range part,
                        struct range text) {
  put(mutation, (struct range){mutation->data, part.start});
  put(mutation, text);
  put(mutation, (struct range){part.end, mutation->end});
}

static struct range text_range(const char *text) {
  return (struct range){text, text + strlen(text)};
}

static struct range any_token(struct mutation *mutation) {
  return mutation->tokens[next_random(mutation, mutation->count)];
}

/// A bracket that opens with all up to where it closes, or a token.
static struct range any_region(struct mutation *mutation) {
  size_t first = next_random(mutation, mutation->count);
  size_t depth = 0;
  for (size_t tries = 0; tries < 16; tries++) {
    if (strchr("([{<", *mutation->tokens[first].start))
      break;
    first = next_random(mutation, mutation->count);
  }
  for (size_t i = first; i < mutation->count; i++) {
    depth += strchr("([{<", *mutation->tokens[i].start) != NULL;
    depth -= depth > 0 && strchr(")]}>", *mutation->tokens[i].start);
    if (depth == 0)
      return (struct range){mutation->tokens[first].start,
                            mutation->tokens[i].end};
  }
  return mutation->tokens[first];
}

static struct range any_line(struct mutation *mutation) {
  struct range line = any_token(mutation);
  while (line.start > mutation->data && line.start[-1] != '\n')
    line.start--;
  while (line.end < mutation->end && line.end[-1] != '\n')
    line.end++;
  return line;
}

static struct range any_part(struct mutation *mutation) {
  switch (next_random(mutation, 4)) {
  case 0:
    return any_token(mutation);
  case 1:
    return any_region(mutation);
  default:
    return any_line(mutation);
  }
}

static bool is_one_of(struct range token, const char *const *words,
                      size_t count) {
  size_t size = (size_t)(token.end - token.start);
  for (size_t i = 0; i < count; i++)
    if (strncmp(words[i], token.start, size) == 0 && !is_word(words[i][size]))
      return true;
  return false;
}

/// Another spelling for the place of a token.
static const char *other_word(struct mutation *mutation, struct range token) {
  char first = *token.start;
  size_t size = (size_t)(token.end - token.start);
  if (isdigit((unsigned char)first) || first == '-' || first == '?')
    return PICK(mutation, number_words);
  if (first == '!' ||
      is_one_of(token, type_words, sizeof type_words / sizeof *type_words))
    return PICK(mutation, type_words);
  if (first == '"' || first == '#')
    return PICK(mutation, attr_words);
  if (is_one_of(token, key_words, sizeof key_words / sizeof *key_words))
    return PICK(mutation, key_words);
  if (memchr(token.start, '.', size))
    return PICK(mutation, op_words);
  return NULL;
}

static void replace_token(struct mutation *mutation) {
  for (int tries = 0; tries < 8; tries++) {
    struct range token = any_token(mutation);
    const char *word = other_word(mutation, token);
    if (!word)
      continue;
    put_instead(mutation, token, text_range(word));
    return;
  }
  put_instead(mutation, any_token(mutation), any_token(mutation));
}

/// Replaces a token everywhere, so that types still agree.
static void replace_everywhere(struct mutation *mutation) {
  struct range token = any_token(mutation);
  const char *word = other_word(mutation, token);
  for (int tries = 0; !word && tries < 16; tries++) {
    token = any_token(mutation);
    word = other_word(mutation, token);
  }
  size_t size = (size_t)(token.end - token.start);
  const char *done = mutation->data;
  for (size_t i = 0; word && i < mutation->count; i++) {
    struct range other = mutation->tokens[i];
    if ((size_t)(other.end - other.start) != size ||
        memcmp(other.start, token.start, size) != 0)
      continue;
    put(mutation, (struct range){done, other.start});
    put(mutation, text_range(word));
    done = other.end;
  }
  put(mutation, (struct range){done, mutation->end});
}

/// A whole type, attribute or operation's name where any part stood.
static void replace_part(struct mutation *mutation) {
  struct range part = any_part(mutation);
  switch (next_random(mutation, 4)) {
  case 0:
    put_instead(mutation, part, text_range(PICK(mutation, type_words)));
    return;
  case 1:
    put_instead(mutation, part, text_range(PICK(mutation, attr_words)));
    return;
  default:
    put_instead(mutation, part, any_part(mutation));
    return;
  }
}

static void swap_parts(struct mutation *mutation) {
  struct range a = any_part(mutation);
  struct range b = any_part(mutation);
  if (a.start > b.start) {
    struct range former = a;
    a = b;
    b = former;
  }
  if (a.end > b.start) {
    replace_token(mutation);
    return;
  }
  put(mutation, (struct range){mutation->data, a.start});
  put(mutation, b);
  put(mutation, (struct range){a.end, b.start});
  put(mutation, a);
  put(mutation, (struct range){b.end, mutation->end});
}

/// Puts an attribute into a dictionary, or in front of a region.
static void add_attribute(struct mutation *mutation) {
  char text[256];
  struct range part = any_region(mutation);
  struct range place = {part.start, part.start};
  bool is_inside = *part.start == '{';
  if (is_inside)
    place = (struct range){part.start + 1, part.start + 1};
  const char *key = PICK(mutation, key_words);
  const char *attribute = PICK(mutation, attr_words);
  (void)snprintf(text, sizeof text, "%s%s = %s%s", is_inside ? " " : "{", key,
                 attribute, is_inside ? ", " : "} ");
  put_instead(mutation, place, text_range(text));
}

static void mutate(struct mutation *mutation) {
  struct range part;
  switch (next_random(mutation, 16)) {
  case 0:
    put_instead(mutation, any_part(mutation), (struct range){0});
    return;
  case 1:
    part = any_part(mutation);
    put_instead(mutation, (struct range){part.end, part.end}, part);
    return;
  case 2:
    part = any_part(mutation);
    put_instead(mutation, (struct range){part.end, part.end},
                any_part(mutation));
    return;
  case 3:
    swap_parts(mutation);
    return;
  case 4:
    add_attribute(mutation);
    return;
  case 5:
    replace_part(mutation);
    return;
  case 6:
  case 7:
  case 8:
  case 9:
    replace_token(mutation);
    return;
  default:
    replace_everywhere(mutation);
    return;
  }
}

/// Text for a mutation, from where libFuzzer may change it meanwhile; false
/// when there is nothing to change.
static bool open_mutation(struct mutation *mutation, const uint8_t *data,
                          size_t size, unsigned seed) {
  char *copy = malloc(size + 1);
  mutation->tokens = malloc(MAX_TOKENS * sizeof *mutation->tokens);
  mutation->random = seed;
  mutation->data = copy;
  if (copy && mutation->tokens) {
    memcpy(copy, data, size);
    copy[size] = '\0';
    mutation->end = copy + size;
    find_tokens(mutation);
  }
  return mutation->count > 0;
}

static void close_mutation(struct mutation *mutation) {
  free(mutation->tokens);
  free((char *)mutation->data);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed) {
  struct mutation mutation = {.out = (char *)data, .max_size = max_size};
  bool has_tokens = open_mutation(&mutation, data, size, seed);
  if (has_tokens && next_random(&mutation, 40) > 0)
    mutate(&mutation);
  else
    mutation.size = LLVMFuzzerMutate(data, size, max_size);
  close_mutation(&mutation);
  return mutation.size;
}

// NOLINTNEXTLINE: the parameters are libFuzzer's
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_size,
                                 const uint8_t *second, size_t second_size,
                                 uint8_t *out, size_t max_size, unsigned seed) {
  struct mutation mutation = {.out = (char *)out, .max_size = max_size};
  struct mutation other = {0};
  bool has_first = open_mutation(&mutation, first, first_size, seed);
  bool has_second = open_mutation(&other, second, second_size, seed + 1);
  if (has_first && has_second) {
    struct range part = any_part(&mutation);
    if (next_random(&mutation, 2))
      part.start = part.end; // NOLINT: there are tokens
    put_instead(&mutation, part, any_part(&other));
  }
  close_mutation(&mutation);
  close_mutation(&other);
  return mutation.size;
}
