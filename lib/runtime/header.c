/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See header.h. A part that the program needs is one whose call it names, even
/// if a plug-in of the user's will take that name.
#include "runtime/header.h"

#include "customcalls/parts.h"

JR_NEEDS_ALL_PARTS

static void find_parts(const struct jr_table *table,
                       bool is_needed[JR_PART_COUNT]) {
  for (uint64_t i = 0; i < table->site_count; i++) {
    const struct jitrun_part *part =
        jr_part_of_call(jr_table_string(table, table->sites[i].target));
    for (size_t k = 0; part && k < JR_PART_COUNT; k++)
      is_needed[k] |= part == jr_part_get(k);
  }
  const struct jitrun_part *functions = jr_part_get(JR_PART_functions);
  for (uint32_t i = 0; i < table->import_count; i++) {
    if (functions->find_function(
            jr_table_string(table, table->imports[i].name)))
      is_needed[JR_PART_functions] = true;
  }
}

static void format_parts(struct jr_bytes *text, const char *prefix,
                         const struct jr_table *table) {
  bool is_needed[JR_PART_COUNT] = {false};
  const char *separator = "";
  find_parts(table, is_needed);
  for (size_t i = 0; i < JR_PART_COUNT; i++) {
    if (!is_needed[i])
      continue;
    if (!*separator)
      jr_bytes_appendf(
          text,
          "/* Parts of libjitrun.a that it needs: to be linked. "
          "*/\n"
          "__attribute__((used)) static const jitrun_part_t *const\n"
          "    jitrun_parts_of_%s[] = {",
          prefix);
    jr_bytes_appendf(text, "%s&jitrun_part_%s", separator,
                     jr_part_get(i)->name);
    separator = ", ";
  }
  jr_bytes_append_text(text, *separator ? "};\n\n" : "");
}

void jr_header_format(struct jr_bytes *text, const char *prefix,
                      const struct jr_table *table) {
  jr_bytes_appendf(
      text,
      "/* Made by jitrun: a program that is linked statically. */\n"
      "#ifndef JITRUN_IMAGE_%s_H\n"
      "#define JITRUN_IMAGE_%s_H\n\n"
      "#include <jitrun/parts.h>\n\n"
      "#ifdef __cplusplus\n"
      "extern \"C\" {\n"
      "#endif\n\n"
      "/* For jitrun_program_open_image(). */\n"
      "extern const unsigned char %s%s[];\n\n",
      prefix, prefix, JR_IMAGE_SYMBOL_PREFIX, prefix);
  format_parts(text, prefix, table);
  jr_bytes_append_text(text, "#ifdef __cplusplus\n"
                             "}\n"
                             "#endif\n"
                             "#endif\n");
}
