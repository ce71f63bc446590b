/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// MLIR reports through a callback, several times per failure; users want one
/// error. The callback appends to the error under construction.
#include "jit/diagnostics.h"

#include "base/bytes.h"
#include "jit/advice.h"
#include "jit/names.h"

#include <string.h>

/// More notes than this tell nobody anything.
enum { MAX_REPORTS = 32 };

/// True for the name that MLIR gives to a buffer that has none.
static bool is_buffer(MlirStringRef file) {
  return file.length == 0 || (file.length == 1 && file.data[0] == '-');
}

void jr_location_read(MlirLocation location,
                      const struct jr_desugared *desugared,
                      MlirStringRef *out_file, uint32_t *out_line,
                      uint32_t *out_column) {
  *out_file = mlirStringRefCreate("", 0);
  *out_line = *out_column = 0;
  for (;;) {
    if (mlirLocationIsAFileLineColRange(location)) {
      *out_file =
          mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
      *out_line = (uint32_t)mlirLocationFileLineColRangeGetStartLine(location);
      *out_column =
          (uint32_t)mlirLocationFileLineColRangeGetStartColumn(location);
      if (is_buffer(*out_file))
        *out_column = jr_desugar_column(desugared, *out_line, *out_column);
      return;
    }
    if (mlirLocationIsACallSite(location)) {
      location = mlirLocationCallSiteGetCallee(location);
    } else if (mlirLocationIsAName(location)) {
      if (out_file->length == 0)
        *out_file = mlirIdentifierStr(mlirLocationNameGetName(location));
      location = mlirLocationNameGetChildLoc(location);
    } else if (mlirLocationIsAFused(location) &&
               mlirLocationFusedGetNumLocations(location) > 0) {
      unsigned count = mlirLocationFusedGetNumLocations(location);
      MlirLocation *parts = NULL;
      MlirLocation first[8];
      if (count > 8)
        return;
      parts = first;
      mlirLocationFusedGetLocations(location, parts);
      location = parts[0];
    } else {
      return;
    }
  }
}

static void append_text(MlirStringRef text, void *bytes) {
  jr_bytes_append(bytes, text.data, text.length);
}

/// The operation of a dialect that the parser does not find: it reports so, in
/// words about MLIR, with a list of all dialects that it has. Empty otherwise.
static MlirStringRef unknown_op(const char *message) {
  static const char mark[] = "' not found for custom op '";
  const char *name = message ? strstr(message, mark) : NULL;
  if (!name || strncmp(message, "Dialect `", 9) != 0)
    return mlirStringRefCreate("", 0);
  name += sizeof mark - 1;
  return mlirStringRefCreate(name, strcspn(name, "'"));
}

/// Says what jitrun says of operations that it does not take.
static void explain(struct jr_bytes *text, MlirStringRef op) {
  struct jr_bytes made = {0};
  const char *what = jr_ref_begins(op, "rt.") ? "is not written like that"
                                              : "is not supported by this "
                                                "version";
  jr_bytes_appendf(&made, "operation '%.*s' %s; %s", (int)op.length, op.data,
                   what, jr_advice(op));
  jr_bytes_deinit(text);
  *text = made;
}

/// Says more about errors of MLIR that people meet without knowing why.
static void add_hint(struct jr_bytes *text) {
  const char *message = jr_bytes_text(text);
  if (message &&
      strcmp(message,
             "'func.call' op incorrect number of operands for callee") == 0)
    jr_bytes_append_text(text, "; a call gives what the declaration lists, an "
                               "execution context too where it lists one");
}

static void add_report(struct jr_diagnostics *diagnostics,
                       MlirDiagnostic diagnostic) {
  struct jr_bytes text = {0};
  mlirDiagnosticPrint(diagnostic, append_text, &text);
  MlirStringRef unknown = unknown_op(jr_bytes_text(&text));
  if (unknown.length > 0)
    explain(&text, unknown);
  else
    add_hint(&text);
  const char *message = jr_bytes_text(&text);
  MlirStringRef file;
  uint32_t line;
  uint32_t column;
  jr_location_read(mlirDiagnosticGetLocation(diagnostic),
                   diagnostics->desugared, &file, &line, &column);
  const char *name = diagnostics->source_name;
  if (message && !diagnostics->error) {
    diagnostics->error = jr_error_at(
        jr_error(JITRUN_INVALID_ARGUMENT, "%s", message), name, line, column);
  } else if (message && diagnostics->count < MAX_REPORTS) {
    diagnostics->error = jr_error_note(diagnostics->error, "%s:%u:%u: %s", name,
                                       line, column, message);
  }
  diagnostics->count++;
  intptr_t notes =
      unknown.length > 0 ? 0 : mlirDiagnosticGetNumNotes(diagnostic);
  jr_bytes_deinit(&text);
  for (intptr_t i = 0; i < notes && i < MAX_REPORTS; i++)
    add_report(diagnostics, mlirDiagnosticGetNote(diagnostic, i));
}

static MlirLogicalResult receive(MlirDiagnostic diagnostic, void *user_data) {
  if (mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError)
    add_report(user_data, diagnostic);
  return mlirLogicalResultSuccess();
}

void jr_diagnostics_attach(struct jr_diagnostics *diagnostics,
                           MlirContext context, const char *source_name,
                           const struct jr_desugared *desugared) {
  memset(diagnostics, 0, sizeof *diagnostics);
  diagnostics->source_name = source_name;
  diagnostics->desugared = desugared;
  diagnostics->context = context;
  diagnostics->handler =
      mlirContextAttachDiagnosticHandler(context, receive, diagnostics, NULL);
}

void jr_diagnostics_detach(struct jr_diagnostics *diagnostics) {
  if (!diagnostics->source_name)
    return;
  mlirContextDetachDiagnosticHandler(diagnostics->context,
                                     diagnostics->handler);
  jitrun_error_free(diagnostics->error);
  memset(diagnostics, 0, sizeof *diagnostics);
}

jitrun_error_t *jr_diagnostics_take(struct jr_diagnostics *diagnostics,
                                    const char *otherwise) {
  jitrun_error_t *error = diagnostics->error;
  diagnostics->error = NULL;
  diagnostics->count = 0;
  return error ? error : jr_error(JITRUN_INTERNAL, "%s", otherwise);
}
