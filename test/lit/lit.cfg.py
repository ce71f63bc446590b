# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How lit runs the tests of this folder: each RUN line in a shell, with nothing
# in its environment but what stands here.
import os

import lit.formats

config.name = "jitrun"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
lit_config.maxIndividualTestTime = 300  # a hang is a failure; needs psutil
config.test_source_root = os.path.join(config.source_dir, "test", "lit")
config.test_exec_root = os.path.join(config.build_dir, "test", "lit")

config.environment = {
    "PATH": os.pathsep.join([config.llvm_bin, "/usr/bin", "/bin"]),
    "LC_ALL": "C.UTF-8",
}
for line in config.sanitizer_environment.split("\n"):
    name, value = line.split("=", 1)
    config.environment[name] = value

build = config.build_dir
source = config.source_dir
# --param both=FILE: every run by thunks as well, see both.py.
both = lit_config.params.get("both")
tool = f"{build}/bin/jitrun"
if both:
    tool = f"/usr/bin/python3 {source}/test/lit/both.py {tool} {both}"
compiler = f"{config.c_compiler} -std=c11 -I{source}/include"
# Longer names first: lit replaces in this order.
config.substitutions += [
    ("%jitrun_opt", f"{build}/bin/jitrun-opt"),
    ("%jitrun", tool),
    ("%ways", f"/usr/bin/python3 {source}/test/lit/ways.py {build}/bin/jitrun"),
    ("%FileCheck", "FileCheck"),
    ("%image", f"{build}/test/image"),
    ("%hostile", f"{source}/test/hostile.py"),
    ("%ex_plugins", f"{build}/examples"),
    ("%examples", f"{source}/examples"),
    ("%share", f"{build}/share"),
    ("%spec_lines", f"{build}/test/spec_lines"),
    ("%consumer", f"{source}/test/consumer"),
    ("%plugins", f"{build}/test/plugins"),
    ("%inputs", f"{source}/test/lit/Inputs"),
    ("%llvm_bin", config.llvm_bin),
    ("%llvm_libs", f"{config.llvm_bin}/../lib"),
    ("%libs", f"{build}/lib"),
    ("%python", "/usr/bin/python3"),
    ("%cxx", f"{config.llvm_bin}/clang++ -I{source}/include"),
    ("%cc", f"{compiler} {config.sanitize_flags}".rstrip()),
]

features = config.available_features
features.add("no-llvm" if config.jitrun_llvm == "OFF" else "llvm")
if os.path.exists(f"{build}/bin/jitrun-opt"):
    features.add("jitrun-opt")
if config.jitrun_llvm != "OFF":
    has_all = config.jitrun_llvm == "SHARED" or "AArch64" in config.targets
    features.add("all-targets" if has_all else "one-target")
if os.path.exists("/usr/aarch64-linux-gnu/lib/libc.a"):
    features.add("aarch64-cross")
if config.build_type == "Release":
    features.add("release")
if "address" in config.sanitize:
    features.add("asan")
if "thread" in config.sanitize:
    features.add("tsan")
if not config.sanitize:
    features.add("no-sanitizer")
if all(os.path.exists(f"{config.llvm_bin}/{name}")
       for name in ("mlir-opt", "mlir-runner", "../lib/libmlir_runner_utils.so")):
    features.add("mlir-runner")
for program in ("qemu-aarch64", "aarch64-linux-gnu-ld", "gdb", "groff",
                "man"):
    if os.path.exists(f"/usr/bin/{program}"):
        features.add(program)
