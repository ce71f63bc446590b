/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See expand.h. Each expansion is the body of a function in MLIR's own words.
/// Types in braces, {f32}, stand for themselves, or for a vector of them in the
/// shape of the operand; {1.5:f32} is a constant of such a type, {in} and {out}
/// are operand and result, %x, %y and %z the operands, %r the result.
#include "jit/expand.h"

#include "jit/rt.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <stdio.h>
#include <string.h>

/// An operation and element types (NULL: any) that have an expansion.
struct expansion {
  const char *op, *from, *to;
  const char *body;
};

/// x - x is NaN for infinities and NaN, and only for these.
#define IS_INFINITE                                                            \
  "%d = arith.subf %x, %x : {in}\n"                                            \
  "%e = arith.cmpf uno, %d, %d : {in}\n"                                       \
  "%o = arith.cmpf ord, %x, %x : {in}\n"                                       \
  "%r = arith.andi %e, %o : {i1}\n"

#define IS_NORMAL(least)                                                       \
  "%d = arith.subf %x, %x : {in}\n"                                            \
  "%f = arith.cmpf ord, %d, %d : {in}\n"                                       \
  "%a = math.absf %x : {in}\n"                                                 \
  "%m = arith.constant {" least ":in}\n"                                       \
  "%g = arith.cmpf oge, %a, %m : {in}\n"                                       \
  "%r = arith.andi %f, %g : {i1}\n"

/// Upstream's expansion of it gives the wrong end (LLVM 22).
#define CLAMP                                                                  \
  "%a = arith.maximumf %x, %y : {in}\n"                                        \
  "%r = arith.minimumf %a, %z : {in}\n"

/// Upstream's lowering is exp(x) - 1, which has no digits left near 0. With
/// t = tanh(x/2) it is 2t / (1 - t), which is exact enough up to 1.
#define EXPM1(type)                                                            \
  "%one = arith.constant {1.0:" type "}\n"                                     \
  "%half = arith.constant {0.5:" type "}\n"                                    \
  "%e = math.exp %v : {" type "}\n"                                            \
  "%far = arith.subf %e, %one : {" type "}\n"                                  \
  "%h = arith.mulf %v, %half : {" type "}\n"                                   \
  "%t = math.tanh %h : {" type "}\n"                                           \
  "%tt = arith.addf %t, %t : {" type "}\n"                                     \
  "%d = arith.subf %one, %t : {" type "}\n"                                    \
  "%near = arith.divf %tt, %d : {" type "}\n"                                  \
  "%abs = math.absf %v : {" type "}\n"                                         \
  "%is = arith.cmpf olt, %abs, %one : {" type "}\n"                            \
  "%w = arith.select %is, %near, %far : {i1}, {" type "}\n"

#define EXPM1_WIDE(type)                                                       \
  "%v = arith.bitcast %x : {in} to {in}\n" EXPM1(                              \
      type) "%r = arith.bitcast %w : {in} to {in}\n"

#define EXPM1_HALF                                                             \
  "%v = arith.extf %x : {in} to {f32}\n" EXPM1(                                \
      "f32") "%r = arith.truncf %w : {f32} to {in}\n"

/// Floats of 8 bits are read by way of f16, which has one more bit of exponent
/// and whose bits lie alike: the fields are moved, a factor mends the bias.
#define READ_FIELDS                                                            \
  "%b = arith.bitcast %x : {in} to {i8}\n"                                     \
  "%w = arith.extui %b : {i8} to {i16}\n"                                      \
  "%c7 = arith.constant {7:i16}\n"                                             \
  "%c8 = arith.constant {8:i16}\n"                                             \
  "%cm = arith.constant {127:i16}\n"                                           \
  "%cs = arith.constant {128:i16}\n"                                           \
  "%m = arith.andi %w, %cm : {i16}\n"                                          \
  "%s = arith.andi %w, %cs : {i16}\n"                                          \
  "%m7 = arith.shli %m, %c7 : {i16}\n"                                         \
  "%s8 = arith.shli %s, %c8 : {i16}\n"                                         \
  "%h = arith.ori %m7, %s8 : {i16}\n"                                          \
  "%f = arith.bitcast %h : {i16} to {f16}\n"                                   \
  "%e = arith.extf %f : {f16} to {f64}\n"

#define READ(factor, nan_operand, nan_bits)                                    \
  READ_FIELDS "%k = arith.constant {" factor ":f64}\n"                         \
              "%v = arith.mulf %e, %k : {f64}\n"                               \
              "%nb = arith.constant {" nan_bits ":i16}\n"                      \
              "%is = arith.cmpi eq, " nan_operand ", %nb : {i16}\n"            \
              "%nan = arith.constant {0x7FF8000000000000:f64}\n"               \
              "%d = arith.select %is, %nan, %v : {i1}, {f64}\n"

#define READ_F8E5M2                                                            \
  "%b = arith.bitcast %x : {in} to {i8}\n"                                     \
  "%w = arith.extui %b : {i8} to {i16}\n"                                      \
  "%c8 = arith.constant {8:i16}\n"                                             \
  "%h = arith.shli %w, %c8 : {i16}\n"                                          \
  "%f = arith.bitcast %h : {i16} to {f16}\n"                                   \
  "%d = arith.extf %f : {f16} to {f64}\n"

/// What is read is exact in every type that it can be extended to.
#define FROM_F64 "%r = arith.truncf %d : {f64} to {out}\n"

/// Rounds %d to `digits` bits behind the point, in one rounding: adding and
/// taking away a number so large that a unit in its last place is what is to
/// be kept; from 2^63 on nothing is rounded, which is too large anyway. `least`
/// is the exponent of the smallest normal number, biased as in
/// f64.
#define ROUND(digits, least)                                                   \
  "%u = arith.bitcast %d : {f64} to {i64}\n"                                   \
  "%c52 = arith.constant {52:i64}\n"                                           \
  "%c7ff = arith.constant {2047:i64}\n"                                        \
  "%sh = arith.shrui %u, %c52 : {i64}\n"                                       \
  "%ex = arith.andi %sh, %c7ff : {i64}\n"                                      \
  "%least = arith.constant {" least ":i64}\n"                                  \
  "%most = arith.constant {1086:i64}\n"                                        \
  "%eh = arith.minui %ex, %most : {i64}\n"                                     \
  "%em = arith.maxui %eh, %least : {i64}\n"                                    \
  "%digits = arith.constant {" digits ":i64}\n"                                \
  "%eu = arith.subi %em, %digits : {i64}\n"                                    \
  "%ub = arith.shli %eu, %c52 : {i64}\n"                                       \
  "%ulp = arith.bitcast %ub : {i64} to {f64}\n"                                \
  "%big = arith.constant {6755399441055744.0:f64}\n"                           \
  "%magic = arith.mulf %ulp, %big : {f64}\n"                                   \
  "%abs = math.absf %d : {f64}\n"                                              \
  "%sum = arith.addf %abs, %magic : {f64}\n"                                   \
  "%q = arith.subf %sum, %magic : {f64}\n"                                     \
  "%c63 = arith.constant {63:i64}\n"                                           \
  "%sign = arith.shrui %u, %c63 : {i64}\n"                                     \
  "%sign8 = arith.trunci %sign : {i64} to {i8}\n"                              \
  "%cb7 = arith.constant {7:i8}\n"                                             \
  "%top = arith.shli %sign8, %cb7 : {i8}\n"

/// The rounded number as f16, exactly.
#define AS_HALF(factor)                                                        \
  "%k = arith.constant {" factor ":f64}\n"                                     \
  "%qk = arith.mulf %q, %k : {f64}\n"                                          \
  "%f = arith.truncf %qk : {f64} to {f16}\n"                                   \
  "%h = arith.bitcast %f : {f16} to {i16}\n"

#define WRITE_F8E5M2                                                           \
  ROUND("2", "1009")                                                           \
  AS_HALF("1.0")                                                               \
  "%c8 = arith.constant {8:i16}\n"                                             \
  "%s = arith.shrui %h, %c8 : {i16}\n"                                         \
  "%cm = arith.constant {127:i16}\n"                                           \
  "%m = arith.andi %s, %cm : {i16}\n"                                          \
  "%t = arith.trunci %m : {i16} to {i8}\n"                                     \
  "%o = arith.ori %t, %top : {i8}\n"                                           \
  "%r = arith.bitcast %o : {i8} to {out}\n"

/// What is too large becomes NaN. `zero` are the bits that the sign of a zero
/// leaves.
#define WRITE(digits, least, factor, largest, nan_bits, keeps_zero)            \
  ROUND(digits, least)                                                         \
  AS_HALF(factor)                                                              \
  "%c7 = arith.constant {7:i16}\n"                                             \
  "%s = arith.shrui %h, %c7 : {i16}\n"                                         \
  "%t = arith.trunci %s : {i16} to {i8}\n"                                     \
  "%o = arith.ori %t, %top : {i8}\n"                                           \
  "%zero = arith.constant {0:i8}\n"                                            \
  "%nz = arith.cmpi " keeps_zero ", %t, %zero : {i8}\n"                        \
  "%oz = arith.select %nz, %o, %t : {i1}, {i8}\n"                              \
  "%max = arith.constant {" largest ":f64}\n"                                  \
  "%over = arith.cmpf ugt, %q, %max : {f64}\n"                                 \
  "%nan = arith.constant {" nan_bits ":i8}\n"                                  \
  "%on = arith.select %over, %nan, %oz : {i1}, {i8}\n"                         \
  "%r = arith.bitcast %on : {i8} to {out}\n"

#define TO_F64 "%d = arith.extf %x : {in} to {f64}\n"

#define READ_F8E4M3FN READ("256.0", "%m", "127")
#define READ_F8E4M3B11FNUZ READ("16.0", "%w", "128")
#define WRITE_F8E4M3FN WRITE("3", "1017", "0.00390625", "448.0", "127", "uge")
#define WRITE_F8E4M3B11FNUZ WRITE("3", "1013", "0.0625", "30.0", "-128", "ne")

/// The real part is the lower half of the bits.
#define SPLIT_COMPLEX(part, bits, whole, size)                                 \
  {"complex.bitcast", "complex<" part ">", NULL,                               \
   "%a = complex.re %x : {in}\n"                                               \
   "%b = complex.im %x : {in}\n"                                               \
   "%c = arith.bitcast %a : " part " to " bits "\n"                            \
   "%d = arith.bitcast %b : " part " to " bits "\n"                            \
   "%e = arith.extui %c : " bits " to " whole "\n"                             \
   "%f = arith.extui %d : " bits " to " whole "\n"                             \
   "%n = arith.constant " size " : " whole "\n"                                \
   "%g = arith.shli %f, %n : " whole "\n"                                      \
   "%o = arith.ori %e, %g : " whole "\n"                                       \
   "%r = arith.bitcast %o : " whole " to {out}\n"},                            \
      {"complex.bitcast", NULL, "complex<" part ">",                           \
       "%o = arith.bitcast %x : {in} to " whole "\n"                           \
       "%n = arith.constant " size " : " whole "\n"                            \
       "%g = arith.shrui %o, %n : " whole "\n"                                 \
       "%c = arith.trunci %o : " whole " to " bits "\n"                        \
       "%d = arith.trunci %g : " whole " to " bits "\n"                        \
       "%a = arith.bitcast %c : " bits " to " part "\n"                        \
       "%b = arith.bitcast %d : " bits " to " part "\n"                        \
       "%r = complex.create %a, %b : {out}\n"},

/// Both ways between a small float and f64, and between it and the others.
#define SMALL_FLOAT(type, read, write)                                         \
  {"arith.extf", type, "f64", read "%r = arith.bitcast %d : {f64} to {f64}"},  \
      {"arith.extf", type, NULL, read FROM_F64},                               \
      {"arith.truncf", "f64", type,                                            \
       "%d = arith.bitcast %x : {f64} to {f64}\n" write},                      \
      {"arith.truncf", NULL, type, TO_F64 write},

/// The first that fits is taken.
static const struct expansion expansions[] = {
    {"math.clampf", NULL, NULL, CLAMP},
    {"math.expm1", "f64", NULL, EXPM1_WIDE("f64")},
    {"math.expm1", "f32", NULL, EXPM1_WIDE("f32")},
    {"math.expm1", "f16", NULL, EXPM1_HALF},
    {"math.expm1", "bf16", NULL, EXPM1_HALF},
    /* Upstream's lowering overflows at both ends (LLVM 22). */
    {"index.ceildivs", NULL, NULL, "%r = arith.ceildivsi %x, %y : {in}\n"},
    {"math.isinf", NULL, NULL, IS_INFINITE},
    {"math.isnormal", "f64", NULL, IS_NORMAL("2.2250738585072014E-308")},
    {"math.isnormal", "f32", NULL, IS_NORMAL("1.1754943508222875E-38")},
    {"math.isnormal", "bf16", NULL, IS_NORMAL("1.1754943508222875E-38")},
    {"math.isnormal", "f16", NULL, IS_NORMAL("6.103515625E-05")},
    SPLIT_COMPLEX("f16", "i16", "i32", "16")
        SPLIT_COMPLEX("f32", "i32", "i64", "32")
            SMALL_FLOAT("f8E5M2", READ_F8E5M2, WRITE_F8E5M2)
                SMALL_FLOAT("f8E4M3FN", READ_F8E4M3FN, WRITE_F8E4M3FN)
                    SMALL_FLOAT("f8E4M3B11FNUZ", READ_F8E4M3B11FNUZ,
                                WRITE_F8E4M3B11FNUZ)};

enum { EXPANSIONS = sizeof expansions / sizeof expansions[0] };

static void append_text(MlirStringRef text, void *bytes) {
  jr_bytes_append(bytes, text.data, text.length);
}

static MlirType element_type(MlirType type) {
  return mlirTypeIsAVector(type) ? mlirShapedTypeGetElementType(type) : type;
}

/// True for a type that is written as `name`.
static bool is_named(MlirType type, const char *name) {
  struct jr_bytes text = {0};
  mlirTypePrint(type, append_text, &text);
  const char *found = jr_bytes_text(&text);
  bool is_same = found && strcmp(found, name) == 0;
  jr_bytes_deinit(&text);
  return is_same;
}

static const struct expansion *find_expansion(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (mlirOperationGetNumOperands(op) == 0 ||
      mlirOperationGetNumResults(op) != 1)
    return NULL;
  MlirType from =
      element_type(mlirValueGetType(mlirOperationGetOperand(op, 0)));
  MlirType to = element_type(mlirValueGetType(mlirOperationGetResult(op, 0)));
  for (size_t i = 0; i < EXPANSIONS; i++) {
    const struct expansion *expansion = &expansions[i];
    if (mlirStringRefEqual(name, jr_ref(expansion->op)) &&
        (!expansion->from || is_named(from, expansion->from)) &&
        (!expansion->to || is_named(to, expansion->to)))
      return expansion;
  }
  return NULL;
}

/// Appends the type called `name` in the shape of `like`.
static void append_type(struct jr_bytes *text, const char *name, size_t size,
                        MlirType like) {
  if (!mlirTypeIsAVector(like)) {
    jr_bytes_append(text, name, size);
    return;
  }
  jr_bytes_append_text(text, "vector<");
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(like); i++) {
    bool scales = mlirVectorTypeIsDimScalable(like, i);
    jr_bytes_appendf(text, scales ? "[%lld]x" : "%lldx",
                     (long long)mlirShapedTypeGetDimSize(like, i));
  }
  jr_bytes_append(text, name, size);
  jr_bytes_append_text(text, ">");
}

/// What stands in braces: a type, or a constant and its type.
static void append_braces(struct jr_bytes *text, const char *begin,
                          size_t length, MlirOperation op) {
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  const char *colon = memchr(begin, ':', length);
  const char *type = colon ? colon + 1 : begin;
  bool is_vector = mlirTypeIsAVector(from);
  if (colon)
    jr_bytes_appendf(text, is_vector ? "dense<%.*s> : " : "%.*s : ",
                     (int)(colon - begin), begin);
  size_t size = length - (size_t)(type - begin);
  if (size == 2 && memcmp(type, "in", 2) == 0)
    mlirTypePrint(from, append_text, text);
  else if (size == 3 && memcmp(type, "out", 3) == 0)
    mlirTypePrint(to, append_text, text);
  else
    append_type(text, type, size, from);
}

/// Appends the function that computes what `op` does.
static void append_function(struct jr_bytes *text, const char *name,
                            const char *body, MlirOperation op) {
  static const char operands[] = "xyz";
  jr_bytes_appendf(text, "func.func private @%s(", name);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && i < 3; i++) {
    jr_bytes_appendf(text, "%s%%%c: ", i ? ", " : "", operands[i]);
    append_braces(text, "in", 2, op);
  }
  jr_bytes_append_text(text, ") -> ");
  append_braces(text, "out", 3, op);
  jr_bytes_append_text(
      text, " attributes {llvm.linkage = #llvm.linkage<internal>} {\n");
  const char *at = body;
  for (const char *open = strchr(at, '{'); open; open = strchr(at, '{')) {
    const char *end = open + strcspn(open, "}");
    jr_bytes_append(text, at, (size_t)(open - at));
    append_braces(text, open + 1, (size_t)(end - open - 1), op);
    at = end + 1;
  }
  jr_bytes_append_text(text, at);
  jr_bytes_append_text(text, "\nfunc.return %r : ");
  append_braces(text, "out", 3, op);
  jr_bytes_append_text(text, "\n}\n");
}

/// An expansion for the types of one operation.
struct made {
  const struct expansion *expansion;
  MlirType from, to;
  MlirAttribute symbol;
};

struct expander {
  struct jr_unit *unit;
  struct jr_ops ops;
  struct made made[64];
  size_t made_count, number;
};

static MlirWalkResult find_ops(MlirOperation op, void *context) {
  struct expander *expander = context;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if ((jr_ref_begins(name, "math.") || jr_ref_begins(name, "complex.") ||
       jr_ref_begins(name, "index.ceil") || jr_ref_begins(name, "arith.extf") ||
       jr_ref_begins(name, "arith.truncf")) &&
      find_expansion(op))
    (void)jr_ops_push(&expander->ops, op);
  return MlirWalkResultAdvance;
}

jitrun_error_t *jr_add_function(struct jr_unit *unit, struct jr_bytes *text) {
  JITRUN_TRY(jr_bytes_check(text));
  MlirOperation function = mlirOperationCreateParse(
      unit->context, jr_ref(jr_bytes_text(text)), jr_ref("expansion"));
  if (mlirOperationIsNull(function))
    return jr_diagnostics_take(&unit->diagnostics,
                               "an expansion cannot be parsed");
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(unit->module), function);
  return NULL;
}

/// Finds the function for an operation, or makes it.
static jitrun_error_t *make_function(struct expander *expander,
                                     MlirOperation op,
                                     MlirAttribute *out_symbol) {
  const struct expansion *expansion = find_expansion(op);
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  for (size_t i = 0; i < expander->made_count; i++) {
    struct made *made = &expander->made[i];
    if (made->expansion == expansion && mlirTypeEqual(made->from, from) &&
        mlirTypeEqual(made->to, to)) {
      *out_symbol = made->symbol;
      return NULL;
    }
  }
  struct jr_unit *unit = expander->unit;
  char name[32];
  (void)snprintf(name, sizeof name, "jitrun.expand%zu", expander->number++);
  struct jr_bytes text = {0};
  append_function(&text, name, expansion->body, op);
  jitrun_error_t *error = jr_add_function(unit, &text);
  jr_bytes_deinit(&text);
  *out_symbol = mlirFlatSymbolRefAttrGet(unit->context, jr_ref(name));
  if (!error &&
      expander->made_count < sizeof expander->made / sizeof expander->made[0])
    expander->made[expander->made_count++] =
        (struct made){expansion, from, to, *out_symbol};
  return error;
}

void jr_replace_by_call(const struct jr_unit *unit, MlirOperation op,
                        MlirAttribute symbol) {
  MlirOperationState state =
      mlirOperationStateGet(jr_ref("func.call"), mlirOperationGetLocation(op));
  MlirNamedAttribute callee = jr_named(unit->context, "callee", symbol);
  MlirValue old = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(old);
  mlirOperationStateAddAttributes(&state, 1, &callee);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    mlirOperationStateAddOperands(&state, 1, &operand);
  }
  mlirOperationStateAddResults(&state, 1, &type);
  MlirOperation call = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, call);
  mlirValueReplaceAllUsesOfWith(old, mlirOperationGetResult(call, 0));
  mlirOperationDestroy(op);
}

jitrun_error_t *jr_expand(struct jr_unit *unit) {
  struct expander expander = {.unit = unit};
  jitrun_error_t *error = NULL;
  mlirOperationWalk(mlirModuleGetOperation(unit->module), find_ops, &expander,
                    MlirWalkPreOrder);
  for (size_t i = 0; i < expander.ops.count && !error; i++) {
    MlirAttribute symbol;
    error = make_function(&expander, expander.ops.items[i], &symbol);
    if (!error)
      jr_replace_by_call(unit, expander.ops.items[i], symbol);
  }
  jr_ops_deinit(&expander.ops);
  return error;
}

static bool is_small(MlirType type) {
  type = element_type(type);
  return mlirTypeIsAFloat(type) && mlirFloatTypeGetWidth(type) <= 8;
}

static MlirWalkResult find_small(MlirOperation op, void *context) {
  bool *found = context;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !*found; i++)
    *found = is_small(mlirValueGetType(mlirOperationGetOperand(op, i)));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op) && !*found; i++)
    *found = is_small(mlirValueGetType(mlirOperationGetResult(op, i)));
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool jr_has_small_floats(const struct jr_unit *unit) {
  bool found = false;
  mlirOperationWalk(mlirModuleGetOperation(unit->module), find_small, &found,
                    MlirWalkPreOrder);
  return found;
}
