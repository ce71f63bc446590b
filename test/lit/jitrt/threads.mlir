// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eight threads run one program at once, whose tasks share a state of the
// program and one of their execution: each thread counts to 2 in its own, and
// all together to 16 in that of the program, in each of the rounds.
// REQUIRES: llvm
// RUN: %jitrun %s --plugin=%plugins/shared.so --replicas=8 --repeat=4 --input=i32=20 --expect=i32=190 | sed -e 's/^replica [0-7]: //' > %t.out
// RUN: grep 'in the execution' %t.out | sort | uniq -c | %FileCheck %s --check-prefix=EXECUTION
// EXECUTION: 32 in the execution 1
// EXECUTION-NEXT: 32 in the execution 2
// EXECUTION-NOT: in
// RUN: grep 'in the program' %t.out | sort | uniq | wc -l | %FileCheck %s --check-prefix=PROGRAM
// PROGRAM: {{^}}64{{$}}
// RUN: grep -x 'in the program 64' %t.out

func.func private @program() attributes {rt.custom_call = "shared.program", uid = 1 : i64}
func.func private @execution() attributes {rt.custom_call = "shared.execution", uid = 1 : i64}

func.func @main(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.index_cast %n : i32 to index
  %t0 = async.execute {
    func.call @program() : () -> ()
    func.call @execution() : () -> ()
    async.yield
  }
  %t1, %v = async.execute -> !async.value<i32> {
    func.call @program() : () -> ()
    func.call @execution() : () -> ()
    %sum = scf.for %i = %c0 to %last step %c1 iter_args(%s = %zero) -> i32 {
      %k = arith.index_cast %i : index to i32
      %next = arith.addi %s, %k : i32
      scf.yield %next : i32
    }
    async.yield %sum : i32
  }
  async.await %t0 : !async.token
  %r = async.await %v : !async.value<i32>
  return %r : i32
}
