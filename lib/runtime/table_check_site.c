/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// Checking images: call sites with their arguments and attributes. See
/// table_check.c.
#include "runtime/table_check.h"

#include "base/alloc.h"
#include "base/dtype.h"
#include "base/strings.h"
#include "runtime/table_write.h"

#include <stdlib.h>
#include <string.h>

/// The entry that an argument's value comes from, or JR_NONE.
static uint32_t find_arg_entry(const struct jr_table *table,
                               const struct jr_arg *arg) {
  uint32_t param = JR_NONE;
  if (arg->kind == JR_ARG_SLICE || arg->kind == JR_ARG_VIEW)
    param = table->allocs[arg->index].param;
  else if (arg->kind == JR_ARG_PARAM)
    param = arg->index;
  return param == JR_NONE ? JR_NONE : jr_table_param_entry(table, param);
}

uint32_t jr_table_site_entry(const struct jr_table *table, uint64_t site) {
  const struct jr_site *record = &table->sites[site];
  uint32_t entry = JR_NONE;
  for (uint32_t i = 0; i < record->arg_count && entry == JR_NONE; i++)
    entry = find_arg_entry(table, &table->args[record->first_arg + i]);
  return entry;
}

/// A slice lies inside its allocation.
static bool is_good_slice(const struct jr_table *table,
                          const struct jr_arg *arg) {
  if (arg->index >= table->alloc_count)
    return false;
  const jitrun_type_t *type = jr_table_type(table, arg->type);
  uint64_t size_bytes = 0;
  uint64_t room = table->allocs[arg->index].size_bytes;
  return type->kind == JITRUN_KIND_BUFFER &&
         jr_type_size_bytes(type, &size_bytes) && arg->value <= room &&
         size_bytes <= room - arg->value;
}

/// A view is a whole parameter whose type is dynamic.
static bool is_good_view(const struct jr_table *table,
                         const struct jr_arg *arg) {
  if (arg->index >= table->alloc_count)
    return false;
  const struct jr_alloc *alloc = &table->allocs[arg->index];
  return alloc->kind == JR_ALLOC_PARAM && alloc->type == arg->type &&
         arg->value == 0 && !jr_type_is_static(jr_table_type(table, arg->type));
}

static bool is_good_param(const struct jr_table *table,
                          const struct jr_arg *arg) {
  return arg->index < table->param_count &&
         !jr_table_is_result(table, arg->index) &&
         table->params[arg->index].type == arg->type &&
         jr_type_is_word(jr_table_type(table, arg->type));
}

static bool is_good_arg(const struct jr_table *table, const struct jr_arg *arg,
                        bool is_result) {
  const jitrun_type_t *type = jr_table_type(table, arg->type);
  bool is_word = jr_type_is_word(type);
  switch (arg->kind) {
  case JR_ARG_SLICE:
    return !is_result && is_good_slice(table, arg);
  case JR_ARG_VIEW:
    return !is_result && is_good_view(table, arg);
  case JR_ARG_CONST:
    return !is_result && type->kind == JITRUN_KIND_SCALAR;
  case JR_ARG_SCALAR:
    return !is_result && is_word;
  case JR_ARG_PARAM:
    return !is_result && is_good_param(table, arg);
  case JR_ARG_BUFFER:
    return !is_result && !is_word;
  case JR_ARG_RESULT:
    return is_result;
  default:
    return false;
  }
}

/// A type record in the frame stands where the one before it ended, at
/// `cursor`, which is moved past it.
static bool is_in_frame(const struct jr_table *table, const struct jr_arg *arg,
                        uint64_t *cursor) {
  const jitrun_type_t *type = jr_table_type(table, arg->type);
  bool is_stored = arg->kind == JR_ARG_BUFFER || arg->kind == JR_ARG_RESULT;
  if (!is_stored || jr_type_is_static(type))
    return arg->type_offset == 0;
  bool is_behind = arg->type_offset == *cursor;
  *cursor += jr_type_record_size(type->rank);
  return is_behind;
}

static jitrun_error_t *check_args(const struct jr_table *table,
                                  uint64_t index) {
  const struct jr_site *site = &table->sites[index];
  uint32_t count = site->arg_count + site->result_count;
  uint64_t frame_bytes =
      jr_frame_header_bytes(site->arg_count, site->result_count);
  uint32_t owner = jr_table_site_entry(table, index);
  for (uint32_t i = 0; i < count; i++) {
    const struct jr_arg *arg = &table->args[site->first_arg + i];
    uint32_t entry = find_arg_entry(table, arg);
    if (!is_in_frame(table, arg, &frame_bytes) ||
        (entry != JR_NONE && entry != owner))
      return jr_error(JITRUN_DATA_LOSS,
                      "damaged image: operand %u of call %llu belongs to "
                      "another entry, or its type is not in its place in the "
                      "frame",
                      i, (unsigned long long)index);
  }
  frame_bytes = (frame_bytes + 15) & ~UINT64_C(15);
  if (site->frame_bytes != frame_bytes)
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: frame of call %llu has %u bytes instead of "
                    "%llu",
                    (unsigned long long)index, site->frame_bytes,
                    (unsigned long long)frame_bytes);
  return NULL;
}

/// Every argument and result by itself; `out_is_static` tells whether all are
/// fixed before the execution starts.
static jitrun_error_t *check_arg_records(const struct jr_table *table,
                                         uint64_t index, bool *out_is_static) {
  const struct jr_site *site = &table->sites[index];
  uint32_t count = site->arg_count + site->result_count;
  *out_is_static = true;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t arg_index = site->first_arg + i;
    const struct jr_arg *arg = &table->args[arg_index];
    JITRUN_TRY(jr_check_type(table, arg->type, "operand", arg_index));
    if (!is_good_arg(table, arg, i >= site->arg_count))
      return jr_error(JITRUN_DATA_LOSS,
                      "damaged image: operand %u of call %llu (kind %u, index "
                      "%u, value %llu) does not fit its type",
                      i, (unsigned long long)index, arg->kind, arg->index,
                      (unsigned long long)arg->value);
    *out_is_static = *out_is_static && arg->kind <= JR_ARG_PARAM;
  }
  return NULL;
}

static jitrun_error_t *check_site(const struct jr_table *table, uint64_t index,
                                  uint64_t *arg_cursor) {
  const struct jr_site *site = &table->sites[index];
  JITRUN_TRY(jr_check_string(table, site->target, "call", index));
  JITRUN_TRY(jr_check_string(table, site->file, "call", index));
  uint64_t count = (uint64_t)site->arg_count + site->result_count;
  if (*jr_table_string(table, site->target) == '\0')
    return jr_error(JITRUN_DATA_LOSS, "damaged image: call %llu has no target",
                    (unsigned long long)index);
  if (site->first_arg != *arg_cursor || count > table->arg_count - *arg_cursor)
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: operands of call %llu (%llu) begin at %u "
                    "instead of %llu of %u",
                    (unsigned long long)index, (unsigned long long)count,
                    site->first_arg, (unsigned long long)*arg_cursor,
                    table->arg_count);
  if (site->region > table->region_count)
    return jr_error(
        JITRUN_DATA_LOSS, "damaged image: call %llu is in region %u of %u",
        (unsigned long long)index, site->region - 1, table->region_count);
  *arg_cursor += count;
  bool is_static = false;
  JITRUN_TRY(check_arg_records(table, index, &is_static));
  if ((site->flags & ~(uint32_t)JR_SITE_OPTIONAL) !=
      (is_static ? JR_SITE_STATIC : 0u))
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: flags of call %llu are %u, which differs "
                    "from its operands",
                    (unsigned long long)index, site->flags);
  return check_args(table, index);
}

jitrun_error_t *jr_check_sites(const struct jr_table *table) {
  uint64_t args = 0;
  for (uint64_t i = 0; i < table->site_count; i++)
    JITRUN_TRY(check_site(table, i, &args));
  if (args != table->arg_count)
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: calls have %llu operands, the image %u",
                    (unsigned long long)args, table->arg_count);
  return NULL;
}

/// [offset, offset + count elements) lies in the data, aligned for them.
static bool is_in_data(const struct jr_table *table, uint64_t offset,
                       uint64_t count, uint64_t element_bytes) {
  uint64_t size = 0;
  return offset % sizeof(int64_t) == 0 && offset <= table->data_size &&
         jr_mul_u64(count, element_bytes, &size) &&
         size <= table->data_size - offset;
}

static bool is_good_text(const struct jr_table *table,
                         const struct jr_attr *attr) {
  return attr->value < table->data_size &&
         attr->count < table->data_size - attr->value &&
         table->data[attr->value + attr->count] == '\0';
}

/// An array of no elements may be of no type.
static bool is_good_array(const struct jr_table *table,
                          const struct jr_attr *attr) {
  size_t element_bytes = jr_dtype_size((jitrun_dtype_t)attr->dtype);
  if (element_bytes == 0 &&
      (attr->count != 0 || attr->dtype != JITRUN_DTYPE_INVALID))
    return false;
  return is_in_data(table, attr->value, attr->count, element_bytes);
}

static bool is_good_tensor(const struct jr_table *table,
                           const struct jr_attr *attr) {
  if (attr->rank > JR_TABLE_MAX_RANK || attr->dtype == JITRUN_DTYPE_INVALID ||
      !is_in_data(table, attr->dims, attr->rank, sizeof(int64_t)))
    return false;
  const int64_t *dims =
      (const int64_t *)(const void *)(table->data + attr->dims);
  uint64_t count = 1;
  for (uint32_t i = 0; i < attr->rank; i++) {
    if (dims[i] < 0 || !jr_mul_u64(count, (uint64_t)dims[i], &count))
      return false;
  }
  return count == attr->count && is_good_array(table, attr);
}

static bool is_good_value(const struct jr_table *table,
                          const struct jr_attr *attr) {
  size_t element_bytes = jr_dtype_size((jitrun_dtype_t)attr->dtype);
  switch (attr->kind) {
  case JITRUN_ATTR_SCALAR:
    return element_bytes > 0 && element_bytes <= sizeof attr->value;
  case JITRUN_ATTR_STRING:
    return is_good_text(table, attr);
  case JITRUN_ATTR_ARRAY:
    return is_good_array(table, attr);
  case JITRUN_ATTR_TENSOR:
    return is_good_tensor(table, attr);
  case JITRUN_ATTR_UNIT:
    return attr->value == 0;
  case JITRUN_ATTR_FUNCTION:
    return attr->value < table->entry_count;
  default:
    return attr->kind == JITRUN_ATTR_DICT;
  }
}

/// Gives `count` attributes from `first` on their owner: `depths` holds 0 for
/// those that have none yet. They must be sorted by name.
static jitrun_error_t *own_attrs(const struct jr_table *table, uint64_t first,
                                 uint64_t count, uint8_t depth,
                                 uint8_t *depths) {
  if (count == 0)
    return NULL;
  if (first > table->attr_count || count > table->attr_count - first ||
      depth > JR_TABLE_MAX_DEPTH)
    return jr_error(
        JITRUN_DATA_LOSS,
        "damaged image: attributes [%llu, +%llu) are outside of the "
        "%u there are, or nested too deep",
        (unsigned long long)first, (unsigned long long)count,
        table->attr_count);
  for (uint64_t i = first; i < first + count; i++) {
    const struct jr_attr *attr = &table->attrs[i];
    if (depths[i] != 0)
      return jr_error(JITRUN_DATA_LOSS,
                      "damaged image: attribute %llu has two owners",
                      (unsigned long long)i);
    depths[i] = depth;
    JITRUN_TRY(jr_check_string(table, attr->name, "attribute", i));
    // as far as names may be long, which bounds the work
    if (i > first &&
        strncmp(jr_table_string(table, attr[-1].name),
                jr_table_string(table, attr->name), JR_TABLE_MAX_NAME) >= 0)
      return jr_error(JITRUN_DATA_LOSS,
                      "damaged image: attribute %llu is not behind the name of "
                      "the one before it",
                      (unsigned long long)i);
  }
  return NULL;
}

/// Attributes in order: an owner is always in front of what it owns.
static jitrun_error_t *check_attr(const struct jr_table *table, uint32_t index,
                                  uint8_t *depths) {
  const struct jr_attr *attr = &table->attrs[index];
  bool is_dict = attr->kind == JITRUN_ATTR_DICT;
  bool has_type = is_dict || attr->kind == JITRUN_ATTR_SCALAR;
  JITRUN_TRY(jr_check_string(table, attr->type, "attribute", index));
  if (depths[index] == 0 || !is_good_value(table, attr) ||
      (attr->type != 0 && !has_type) ||
      (is_dict && attr->count > 0 && attr->value <= index))
    return jr_error(JITRUN_DATA_LOSS,
                    "damaged image: attribute %u (kind %u, dtype %u, count "
                    "%llu, value %llu) is not valid",
                    index, attr->kind, attr->dtype,
                    (unsigned long long)attr->count,
                    (unsigned long long)attr->value);
  if (!is_dict)
    return NULL;
  return own_attrs(table, attr->value, attr->count,
                   (uint8_t)(depths[index] + 1), depths);
}

jitrun_error_t *jr_check_attrs(const struct jr_table *table) {
  uint8_t *depths = jr_calloc(table->attr_count, sizeof *depths);
  if (!depths)
    return jr_error_no_memory();
  jitrun_error_t *err = NULL;
  for (uint64_t i = 0; !err && i < table->site_count; i++)
    err = own_attrs(table, table->sites[i].first_attr,
                    table->sites[i].attr_count, 1, depths);
  for (uint32_t i = 0; !err && i < table->attr_count; i++)
    err = check_attr(table, i, depths);
  free(depths);
  return err;
}
