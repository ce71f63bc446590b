/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// See advice.h. Names of tools and passes are those of the projects that have
/// the dialects, as their documentation and tests have them.
#include "jit/advice.h"

#include "jit/names.h"

#include <string.h>

struct advice {
  const char *dialect; ///< or its beginning, with a star
  const char *text;
};

#define TO_HLO "lower it to StableHLO, and that to linalg, first: "
#define BY_CONTEXT                                                             \
  "its first operand is an execution context, an argument of the function of " \
  "type !rt.execution_context: "

static const struct advice operations[] = {
    {"rt.call", BY_CONTEXT "rt.call %ctx[\"target\"] (%x) : (type) -> ()"},
    {"rt.custom_call",
     BY_CONTEXT "rt.custom_call %ctx[\"target\"] (%x) : (type) -> ()"},
    {"rt.set_output", BY_CONTEXT "rt.set_output %ctx, 0, %value : type"},
    {"rt.set_error", BY_CONTEXT "rt.set_error %ctx, \"message\""},
    {"rt.export",
     "write rt.export @function, or rt.export @function ordinal 0"},
    {"rt.is_ok", "write rt.is_ok %status"},
    {"call", "within scf, affine and the like it is written func.call"},
};

static const struct advice dialects[] = {
    {"stablehlo", "lower it to linalg first: stablehlo-opt "
                  "--stablehlo-legalize-to-linalg"},
    {"chlo", TO_HLO "stablehlo-opt --chlo-legalize-to-stablehlo "
                    "--stablehlo-legalize-to-linalg"},
    {"vhlo", TO_HLO "stablehlo-translate --deserialize, then stablehlo-opt "
                    "--stablehlo-legalize-to-linalg"},
    {"mhlo", TO_HLO "mlir-hlo-opt --hlo-legalize-to-stablehlo, then "
                    "stablehlo-opt --stablehlo-legalize-to-linalg"},
    {"lmhlo*", "take the program as it was in mhlo and lower that to linalg, "
               "or call custom calls instead"},
    {"torch*", "lower it to linalg first: torch-mlir-opt "
               "--torch-backend-to-linalg-on-tensors-backend-pipeline"},
    {"onnx", "lower it to tosa first: onnx-mlir-opt --shape-inference "
             "--convert-onnx-to-tosa"},
    {"krnl", "take the program as it was in onnx and lower that to tosa: "
             "onnx-mlir-opt --shape-inference --convert-onnx-to-tosa"},
    {"tf*", "lower it to tosa first: tf-opt --tf-to-tosa-pipeline, or "
            "--tfl-to-tosa-pipeline for tfl"},
    {"iree*", "take the program as it was before iree-compile, in linalg or "
              "tosa"},
    {"flow", "take the program as it was before iree-compile, in linalg or "
             "tosa"},
    {"hal", "take the program as it was before iree-compile, in linalg or "
            "tosa"},
    {"stream", "take the program as it was before iree-compile, in linalg or "
               "tosa"},
    {"util", "take the program as it was before iree-compile, in linalg or "
             "tosa"},
    {"vm", "take the program as it was before iree-compile, in linalg or "
           "tosa"},
    {"gpu", "devices are not built yet: take the program as it was before its "
            "loops were mapped to gpu.launch"},
    {"nvvm", "devices are not built yet: take the program as it was before it "
             "was lowered to a device"},
    {"rocdl", "devices are not built yet: take the program as it was before it "
              "was lowered to a device"},
    {"spirv", "devices are not built yet: take the program as it was before it "
              "was lowered to a device"},
    {"transform", "apply it first: mlir-opt --transform-interpreter, and give "
                  "what it makes of the program"},
    {"sparse_tensor", "use dense tensors"},
    {"omp", "use scf.parallel or async.execute"},
    {"acc", "use scf.parallel or async.execute"},
};

static bool fits(const char *dialect, MlirStringRef name) {
  size_t size = strcspn(dialect, "*");
  return name.length > size && memcmp(name.data, dialect, size) == 0 &&
         (dialect[size] == '*' || name.data[size] == '.');
}

const char *jr_advice(MlirStringRef name) {
  for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
    if (mlirStringRefEqual(name, jr_ref(operations[i].dialect)))
      return operations[i].text;
  }
  for (size_t i = 0; i < sizeof dialects / sizeof dialects[0]; i++) {
    if (fits(dialects[i].dialect, name))
      return dialects[i].text;
  }
  return "lower it to func, scf, cf, arith, math, memref, vector, affine, "
         "tensor, linalg, tosa or async, or call a custom call instead";
}
