/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// The rows of the option table, in the order in which --help shows them.
#include "option_table.h"

#define VERB(name) (1u << JR_VERB_##name)
#define RUN VERB(RUN)
#define COMPILE VERB(COMPILE)
#define OPENS (VERB(RUN) | VERB(INSPECT) | VERB(BENCH))
#define EXECUTES (VERB(RUN) | VERB(BENCH))
#define PLUGINS (OPENS | COMPILE | VERB(CALLS) | VERB(DEVICES))
#define JSON (VERB(INSPECT) | VERB(BENCH) | VERB(CALLS) | VERB(DEVICES))
#define ALL ((1u << JR_VERB_COUNT) - 1)
#define FIELD(name) offsetof(struct jr_options, name)

const struct jr_verb_row jr_verb_table[JR_VERB_COUNT] = {
    [JR_VERB_RUN] = {"run", "[run] FILE [options]",
                     "run a program: MLIR, bytecode, or an image; - is "
                     "standard input",
                     true, false},
    [JR_VERB_COMPILE] = {"compile", "compile FILE -o OUT [options]",
                         "compile ahead of time to .o, .so, .h, .ll, .s "
                         "or .mlir",
                         true, false},
    [JR_VERB_INSPECT] = {"inspect", "inspect FILE [options]",
                         "show signatures, call sites and what is needed", true,
                         false},
    [JR_VERB_BENCH] = {"bench", "bench FILE [options]",
                       "measure: warm-up, runs, min/median/p90", true, false},
    [JR_VERB_CALLS] = {"calls", "calls [PREFIX...] [options]",
                       "list the registered custom calls and attribute "
                       "types, those of plug-ins first",
                       false, true},
    [JR_VERB_DEVICES] = {"devices", "devices [options]", "list the devices",
                         false, false},
};

const char *const jr_exit_table[JR_EXIT_COUNT] = {
    [JR_EXIT_DONE] = "done",
    [JR_EXIT_FAILED] = "the program or a file failed",
    [JR_EXIT_USAGE] = "wrong use",
    [JR_EXIT_DIFFERED] = "an --expect differed",
    [JR_EXIT_DEADLINE] = "a deadline passed",
};

const struct jr_option jr_option_table[] = {
    {"entry", 0, JR_OPTION_TEXT, "NAME",
     "exported function; default: the only one, else main", EXECUTES,
     FIELD(entry)},
    {"input", 0, JR_OPTION_LIST, "SPEC",
     "next argument: 2x3xf32=1,2,3,4,5,6 (brackets and blanks\n"
     "may be added), 4xf32=0.5 (all alike), 2xf32 (zeros),\n"
     "i32=7, @x.npy, @x.npz:name, 2xf32@x.bin; arg[1]=SPEC\n"
     "names the argument",
     EXECUTES, FIELD(input_texts)},
    {"replicas", 0, JR_OPTION_COUNT, "N",
     "run on N devices together, each a thread; --input,\n"
     "--output and --expect are for all of them, --input.0,\n"
     "--output.0 and --expect.0 for device 0 alone",
     RUN, FIELD(replicas)},
    {"partitions", 0, JR_OPTION_COUNT, "N",
     "devices of each replica; replica R has those from R * N\n"
     "on",
     RUN, FIELD(partitions)},
    {"output", 0, JR_OPTION_LIST, "@FILE",
     "write the next output to a file, as .npy or .npz if it is\n"
     "named so, else as raw elements; - prints it. Outputs are\n"
     "the results first, then arguments marked jitrun.output;\n"
     "else every buffer argument. inspect lists them;\n"
     "result[0]=@FILE and arg[1]=@FILE name one",
     RUN, FIELD(output_texts)},
    {"expect", 0, JR_OPTION_LIST, "SPEC",
     "compare the next output, in the same order, or the one\n"
     "that result[0]=SPEC or arg[1]=SPEC names;\n"
     "|a-e| <= atol + rtol*|e|; (ignored) skips one",
     RUN, FIELD(expect_texts)},
    {"atol", 0, JR_OPTION_REAL, "X",
     "tolerance of --expect; default: integers 0, f64 and\n"
     "complex<f64> 1e-7, other floats 1e-5",
     RUN, FIELD(atol)},
    {"rtol", 0, JR_OPTION_REAL, "X",
     "tolerance of --expect; default: integers 0, f64 and\n"
     "complex<f64> 1e-7, f32 and complex<f32> 1.3e-6,\n"
     "f16 1e-3, bf16 1.6e-2, f8 1.25e-1 or 2.5e-1",
     RUN, FIELD(rtol)},
    {"full", 0, JR_OPTION_FLAG, NULL, "print all elements of long outputs", RUN,
     FIELD(full)},
    {"collectives", 0, JR_OPTION_CHOICE, "local",
     "how devices that run together meet: local, in this\n"
     "process, is the default and all there is",
     RUN, FIELD(collectives)},
    {"device", 0, JR_OPTION_DEVICE, "PLATFORM[:N]",
     "what to run on: host, the default, cuda or hip, or the\n"
     "platform of a driver given with --plugin, and which of\n"
     "its devices; 'jitrun devices' lists them",
     EXECUTES | VERB(DEVICES), FIELD(platform)},
    {"devices", 0, JR_OPTION_COUNT, "N",
     "how many devices: host is so many, of others the first N\n"
     "are used; default: host as many as --replicas and\n"
     "--partitions ask for, else all",
     EXECUTES | VERB(DEVICES), FIELD(device_count)},
    {"threads", 0, JR_OPTION_COUNT, "N",
     "use N processors at most: for async work, and devices\n"
     "that run together; default: all that the process may",
     EXECUTES, FIELD(threads)},
    {"executor", 0, JR_OPTION_CHOICE, "auto|jit|thunks",
     "how to execute; default: auto. compile: thunks makes an\n"
     "image without native code",
     OPENS | COMPILE, FIELD(executor)},
    {"specialize", 0, JR_OPTION_CHOICE, "auto|always|never",
     "compile the entry for the sizes and values that it is\n"
     "given; default: auto, when it asks for that (rt.constraint)",
     RUN, FIELD(specialize)},
    {NULL, 'O', JR_OPTION_LEVEL, "0..-O3",
     "optimisation of code between calls; default: -O2", OPENS | COMPILE,
     FIELD(opt_level)},
    {"cpu", 0, JR_OPTION_TEXT, "NAME",
     "processor to compile for; native: this machine's", OPENS | COMPILE,
     FIELD(cpu)},
    {"target", 0, JR_OPTION_TEXT, "TRIPLE", "machine to compile for", COMPILE,
     FIELD(target)},
    {NULL, 'o', JR_OPTION_TEXT, "OUT", "file to write; - is standard output",
     COMPILE, FIELD(out_path)},
    {"emit", 0, JR_OPTION_TEXT, "KIND,...",
     "what to write: o, so, h, ll, s, mlir, mlirbc, image (no\n"
     "code, for thunks), or all but the last; of several, each\n"
     "is OUT with its own ending; default: by the name of OUT",
     COMPILE, FIELD(emit_text)},
    {"prefix", 0, JR_OPTION_TEXT, "NAME",
     "prefix of symbols; default: from the name of FILE", COMPILE,
     FIELD(prefix)},
    {"source-name", 0, JR_OPTION_TEXT, "NAME",
     "what to call FILE in what is compiled; default: as given", COMPILE,
     FIELD(source_name)},
    {"constants", 0, JR_OPTION_TEXT, "FILE",
     "compile: put constants into FILE, in the folder of OUT;\n"
     "otherwise: where that file is; default: beside the image",
     OPENS | COMPILE, FIELD(constants)},
    {"trust-constants", 0, JR_OPTION_FLAG, NULL,
     "take the file of constants without comparing its hash", OPENS,
     FIELD(trust_constants)},
    {"depfile", 0, JR_OPTION_TEXT, "NAME",
     "write what OUT was made of to this file, as a rule of make", COMPILE,
     FIELD(depfile)},
    {"plugin", 0, JR_OPTION_LIST, "LIB",
     "shared library with custom calls or a driver; compile then\n"
     "checks that every call is known and fits",
     PLUGINS, FIELD(plugins)},
    {"shared-libs", 0, JR_OPTION_LIST, "LIB",
     "shared library: a function without a body, or a call that\n"
     "is not registered, is its function of that name (a call in\n"
     "JitRt's ABI)",
     OPENS | COMPILE, FIELD(shared_libs)},
    {"signature", 0, JR_OPTION_TEXT, "'NAME(TYPE,...) -> TYPE'",
     "FILE is an object or shared library that jitrun did not\n"
     "make: call its function _mlir_ciface_NAME, as in\n"
     "'main(memref<2x3xf32>, i32) -> memref<?xf32>'; types are\n"
     "memref<{SIZE x} ELEMENT [, strided<...>]>, index, i1 to\n"
     "i64, f16, bf16, f32, f64; of several results (TYPE,...)",
     OPENS, FIELD(signature)},
    {"check", 0, JR_OPTION_FLAG, NULL,
     "add checks: bounds, sizes that have to agree, divisions,\n"
     "shifts, alignment; and tell of memory that is not freed",
     EXECUTES | COMPILE, FIELD(check)},
    {"repeat", 0, JR_OPTION_COUNT, "N",
     "run N times; bench measures N runs, after at most as\n"
     "many (or 3, if N is less) and 0.1 s to warm up",
     EXECUTES, FIELD(repeat)},
    {"warm-up", 0, JR_OPTION_COUNT, "N",
     "run N times before measuring; default: see --repeat", VERB(BENCH),
     FIELD(warm_up)},
    {"batch", 0, JR_OPTION_COUNT, "N",
     "measure N runs at a time, and divide; for programs that\n"
     "take less than the clock tells",
     VERB(BENCH), FIELD(batch)},
    {"stats", 0, JR_OPTION_FLAG, NULL,
     "print to standard error what each stage took", EXECUTES | COMPILE,
     FIELD(stats)},
    {"profile", 0, JR_OPTION_FLAG, NULL,
     "print to standard error what executions took, and their\n"
     "calls, by name and place; with --full all of them",
     RUN, FIELD(profile)},
    {"profile-json", 0, JR_OPTION_TEXT, "FILE",
     "write the same to FILE, as JSON", RUN, FIELD(profile_json)},
    {"trace", 0, JR_OPTION_TEXT, "FILE",
     "write to FILE when everything was, as JSON that Perfetto\n"
     "and chrome://tracing open; also when the run fails or\n"
     "passes its deadline, but not when it crashes",
     RUN, FIELD(trace)},
    {"dump-ir", 0, JR_OPTION_TEXT, "DIR",
     "write the program to DIR as it is after each stage of\n"
     "compiling: 00-parse.mlir to 11-codegen.s",
     EXECUTES | COMPILE, FIELD(dump_dir)},
    {"print-ir-after", 0, JR_OPTION_LIST, "STAGE",
     "print the program to standard error as it is after a\n"
     "stage; all: after each of them",
     EXECUTES | COMPILE, FIELD(print_after)},
    {"debug-info", 'g', JR_OPTION_FLAG, NULL,
     "make line tables of the locations in MLIR; run and\n"
     "bench tell GDB of the code",
     EXECUTES | COMPILE, FIELD(debug_info)},
    {"perf", 0, JR_OPTION_FLAG, NULL,
     "write the names of functions for perf, to\n"
     "/tmp/perf-PID.map",
     EXECUTES, FIELD(perf)},
    {"cache-dir", 0, JR_OPTION_TEXT, "DIR",
     "keep compiled programs in DIR, and take them from there;\n"
     "default: JITRUN_CACHE_DIR of the environment; '': do not",
     EXECUTES, FIELD(cache_dir)},
    {"cache-limit", 0, JR_OPTION_BYTES, "BYTES",
     "size of that folder; K, M, G may follow; default: 1G", EXECUTES,
     FIELD(cache_limit)},
    {"json", 0, JR_OPTION_FLAG, NULL, "print JSON", JSON, FIELD(json)},
    {"timeout", 0, JR_OPTION_SECONDS, "S",
     "stop after S seconds, with exit status 4", ALL, FIELD(timeout_ns)},
    {"memory-limit", 0, JR_OPTION_BYTES, "BYTES",
     "limit of memory; K, M, G may follow", ALL, FIELD(memory_limit)},
    {"no-supervise", 0, JR_OPTION_FLAG, NULL,
     "work in this process, for debuggers: crashes and\n"
     "deadlines are then not reported",
     ALL, FIELD(no_supervise)},
    {"flagfile", 0, JR_OPTION_FLAGFILE, "FILE",
     "read options from a file, one on a line", ALL, 0},
    {"verbose", 'v', JR_OPTION_FLAG, NULL, "say more: codes of errors", ALL,
     FIELD(verbose)},
    {"version", 0, JR_OPTION_FLAG, NULL, "print the version", ALL,
     FIELD(version)},
    {"help", 'h', JR_OPTION_FLAG, NULL, "print this text, or a verb's", ALL,
     FIELD(help)},
};

const size_t jr_option_count =
    sizeof jr_option_table / sizeof jr_option_table[0];

const struct jr_option jr_opt_table[] = {
    {"stage", 0, JR_OPTION_TEXT, "STAGE",
     "print the program as it is after this stage; default:\n"
     "llvm. A wrong name lists them",
     0, 0},
    {"version", 0, JR_OPTION_FLAG, NULL, "print the version", 0, 0},
    {"help", 'h', JR_OPTION_FLAG, NULL, "print this text", 0, 0},
};

const size_t jr_opt_count = sizeof jr_opt_table / sizeof jr_opt_table[0];

_Static_assert(sizeof jr_option_table / sizeof jr_option_table[0] <=
                   JR_OPTION_LIMIT,
               "raise JR_OPTION_LIMIT");
