/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// A client with two devices: buffers stay on them between executions, the
/// replicas of a program meet in its collective calls, and a total that is
/// given away (donated) is updated in place. `./client total.mlir`, or an
/// image.
#include <jitrun/executable.h>

#include <stdio.h>
#include <stdlib.h>

enum { DEVICES = 2, WIDTH = 3 };

static void check(jitrun_error_t *error) {
  if (!error)
    return;
  (void)fprintf(stderr, "error: %s\n", jitrun_error_message(error));
  exit(1);
}

static jitrun_buffer_t *put(jitrun_device_t *device, float *values) {
  static const int64_t dims[] = {WIDTH};
  const jitrun_tensor_t row = {JITRUN_DTYPE_F32, 1, dims, NULL, values};
  jitrun_buffer_t *buffer;
  check(jitrun_buffer_from_host(device, &row, JITRUN_HOST_COPY_NOW, NULL, NULL,
                                &buffer));
  return buffer;
}

int main(int argc, char **argv) {
  jitrun_client_options_t host = {.size = sizeof host, .device_count = DEVICES};
  jitrun_executable_options_t replicated = {.size = sizeof replicated,
                                            .replica_count = DEVICES};
  static const uint32_t total[] = {1}; // argument 1 is donated
  float rows[DEVICES][WIDTH] = {{1, 2, 3}, {10, 20, 30}}, zeros[WIDTH] = {0};
  jitrun_client_t *client;
  jitrun_executable_t *program;
  jitrun_buffer_t *args[DEVICES][2];
  jitrun_launch_t launches[DEVICES];
  check(jitrun_client_create(&host, &client));
  check(jitrun_executable_load_file(client, argc > 1 ? argv[1] : "",
                                    &replicated, &program));
  for (size_t i = 0; i < DEVICES; i++) {
    jitrun_device_t *device = jitrun_executable_device(program, i);
    args[i][0] = put(device, rows[i]);
    args[i][1] = put(device, zeros);
  }
  for (int step = 0; step < 3; step++) {
    jitrun_buffer_t *totals[DEVICES];
    for (size_t i = 0; i < DEVICES; i++)
      launches[i] = (jitrun_launch_t){args[i], 2, total, 1, &totals[i], 1};
    check(jitrun_executable_execute(program, launches, DEVICES, NULL));
    for (size_t i = 0; i < DEVICES; i++) {
      jitrun_buffer_release(args[i][1]); // it was donated
      args[i][1] = totals[i];
    }
  }
  for (size_t i = 0; i < DEVICES; i++) {
    jitrun_tensor_t value;
    check(jitrun_buffer_host_value(args[i][1], 0, &value));
    const float *at = value.data;
    printf("replica %zu: %g %g %g\n", i, at[0], at[1], at[2]);
    jitrun_buffer_release(args[i][0]);
    jitrun_buffer_release(args[i][1]);
  }
  jitrun_executable_release(program);
  jitrun_client_release(client);
  return 0;
}
