/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// JSON writer. Every value begins with begin_value(), which writes the comma
/// and the indentation that its place asks for.
#include "base/json.h"

#include "base/decimal.h"

#include <math.h>
#include <string.h>

static void start_line(struct jr_json *json) {
  jr_bytes_append(json->out, "\n", 1);
  for (int i = 0; i < json->depth; i++)
    jr_bytes_append(json->out, "  ", 2);
}

/// Writes what stands before a key or a value without one.
static void begin_item(struct jr_json *json) {
  if (json->depth == 0)
    return;
  if (!json->first)
    jr_bytes_append(json->out, ",", 1);
  json->first = false;
  start_line(json);
}

static void begin_value(struct jr_json *json) {
  if (json->after_key)
    json->after_key = false;
  else
    begin_item(json);
}

static void open_group(struct jr_json *json, const char *bracket) {
  begin_value(json);
  jr_bytes_append_text(json->out, bracket);
  json->depth++;
  json->first = true;
}

static void close_group(struct jr_json *json, const char *bracket) {
  json->depth--;
  if (!json->first)
    start_line(json);
  json->first = false;
  jr_bytes_append_text(json->out, bracket);
}

void jr_json_open_object(struct jr_json *json) {
  open_group(json, "{");
}

void jr_json_close_object(struct jr_json *json) {
  close_group(json, "}");
}

void jr_json_open_array(struct jr_json *json) {
  open_group(json, "[");
}

void jr_json_close_array(struct jr_json *json) {
  close_group(json, "]");
}

/// Length of the UTF-8 sequence that its first byte announces, or 0 for a byte
/// that begins none; `out_min` is the smallest value it may encode.
static size_t sequence_length(unsigned char lead, uint32_t *out_min) {
  static const uint32_t minimums[] = {0, 0, 0x80, 0x800, 0x10000};
  size_t length = 0;
  if (lead < 0x80)
    length = 1;
  else if ((lead & 0xe0) == 0xc0)
    length = 2;
  else if ((lead & 0xf0) == 0xe0)
    length = 3;
  else if ((lead & 0xf8) == 0xf0)
    length = 4;
  *out_min = minimums[length];
  return length;
}

/// Length of the well-formed UTF-8 sequence at `text`, or 0 when it is bad:
/// cut, overlong, a surrogate or past U+10FFFF.
static size_t check_sequence(const unsigned char *text, size_t size) {
  uint32_t minimum = 0;
  size_t length = sequence_length(text[0], &minimum);
  if (length <= 1)
    return length;
  if (length > size)
    return 0;
  uint32_t value = text[0] & (0x7fu >> length);
  for (size_t i = 1; i < length; i++) {
    if ((text[i] & 0xc0) != 0x80)
      return 0;
    value = value << 6 | (text[i] & 0x3fu);
  }
  bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
  return value < minimum || value > 0x10ffff || is_surrogate ? 0 : length;
}

/// Writes one ASCII character, escaped where JSON asks for it.
static void write_ascii(struct jr_bytes *out, char character) {
  switch (character) {
  case '"':
    jr_bytes_append(out, "\\\"", 2);
    break;
  case '\\':
    jr_bytes_append(out, "\\\\", 2);
    break;
  case '\n':
    jr_bytes_append(out, "\\n", 2);
    break;
  case '\r':
    jr_bytes_append(out, "\\r", 2);
    break;
  case '\t':
    jr_bytes_append(out, "\\t", 2);
    break;
  default:
    if ((unsigned char)character < 0x20)
      jr_bytes_appendf(out, "\\u%04x", (unsigned)(unsigned char)character);
    else
      jr_bytes_append(out, &character, 1);
  }
}

static void write_text(struct jr_bytes *out, const char *text, size_t size) {
  jr_bytes_append(out, "\"", 1);
  for (size_t i = 0; i < size;) {
    size_t length = check_sequence((const unsigned char *)text + i, size - i);
    if (length == 0)
      jr_bytes_append(out, "\xef\xbf\xbd", 3); // U+FFFD
    else if (length == 1)
      write_ascii(out, text[i]);
    else
      jr_bytes_append(out, text + i, length);
    i += length ? length : 1;
  }
  jr_bytes_append(out, "\"", 1);
}

void jr_json_key(struct jr_json *json, const char *key) {
  begin_item(json);
  write_text(json->out, key, strlen(key));
  jr_bytes_append(json->out, ": ", 2);
  json->after_key = true;
}

void jr_json_text(struct jr_json *json, const char *text) {
  jr_json_text_sized(json, text, strlen(text));
}

void jr_json_text_sized(struct jr_json *json, const char *text, size_t size) {
  begin_value(json);
  write_text(json->out, text, size);
}

void jr_json_s64(struct jr_json *json, int64_t value) {
  begin_value(json);
  jr_bytes_appendf(json->out, "%lld", (long long)value);
}

void jr_json_u64(struct jr_json *json, uint64_t value) {
  begin_value(json);
  jr_bytes_appendf(json->out, "%llu", (unsigned long long)value);
}

void jr_json_f64(struct jr_json *json, double value) {
  char buffer[JR_DECIMAL_SIZE];
  const char *quote = isfinite(value) ? "" : "\"";
  begin_value(json);
  jr_bytes_appendf(json->out, "%s%s%s", quote, jr_format_f64(value, buffer),
                   quote);
}

void jr_json_bool(struct jr_json *json, bool value) {
  begin_value(json);
  jr_bytes_append_text(json->out, value ? "true" : "false");
}

void jr_json_null(struct jr_json *json) {
  begin_value(json);
  jr_bytes_append_text(json->out, "null");
}
