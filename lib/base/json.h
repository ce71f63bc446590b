/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// JSON writer: builds one document into a byte run, with commas, indentation
/// and escaping taken care of. Strings that are not UTF-8 are written with each
/// bad byte replaced by U+FFFD.
#ifndef JR_BASE_JSON_H
#define JR_BASE_JSON_H

#include "base/bytes.h"

struct jr_json {
  struct jr_bytes *out;
  int depth;
  bool first;     ///< nothing written yet in the open object or array
  bool after_key; ///< a key was written, its value is due
};

void jr_json_open_object(struct jr_json *json);
void jr_json_close_object(struct jr_json *json);
void jr_json_open_array(struct jr_json *json);
void jr_json_close_array(struct jr_json *json);
void jr_json_key(struct jr_json *json, const char *key);
void jr_json_text(struct jr_json *json, const char *text);
void jr_json_text_sized(struct jr_json *json, const char *text, size_t size);
void jr_json_s64(struct jr_json *json, int64_t value);
void jr_json_u64(struct jr_json *json, uint64_t value);
/// Shortest decimal that reads back; NaN and infinities as strings.
void jr_json_f64(struct jr_json *json, double value);
void jr_json_bool(struct jr_json *json, bool value);
void jr_json_null(struct jr_json *json);

#endif
