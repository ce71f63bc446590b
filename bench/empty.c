/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/// What starting any program costs here.
int main(void) {
  return 0;
}
