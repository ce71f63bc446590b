// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every operation of index.

func.func @binary(%a: memref<?xindex>, %b: memref<?xindex>, %out: memref<17x?xindex>) {
  %c0 = index.constant 0
  %c1 = index.constant 1
  %c2 = index.constant 2
  %c3 = index.constant 3
  %c4 = index.constant 4
  %c5 = index.constant 5
  %c6 = index.constant 6
  %c7 = index.constant 7
  %c8 = index.constant 8
  %c9 = index.constant 9
  %c10 = index.constant 10
  %c11 = index.constant 11
  %c12 = index.constant 12
  %c13 = index.constant 13
  %c14 = index.constant 14
  %c15 = index.constant 15
  %c16 = index.constant 16
  %n = memref.dim %a, %c0 : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xindex>
    %y = memref.load %b[%i] : memref<?xindex>
    %add = index.add %x, %y
    memref.store %add, %out[%c0, %i] : memref<17x?xindex>
    %sub = index.sub %x, %y
    memref.store %sub, %out[%c1, %i] : memref<17x?xindex>
    %mul = index.mul %x, %y
    memref.store %mul, %out[%c2, %i] : memref<17x?xindex>
    %and = index.and %x, %y
    memref.store %and, %out[%c3, %i] : memref<17x?xindex>
    %or = index.or %x, %y
    memref.store %or, %out[%c4, %i] : memref<17x?xindex>
    %xor = index.xor %x, %y
    memref.store %xor, %out[%c5, %i] : memref<17x?xindex>
    %divs = index.divs %x, %y
    memref.store %divs, %out[%c6, %i] : memref<17x?xindex>
    %divu = index.divu %x, %y
    memref.store %divu, %out[%c7, %i] : memref<17x?xindex>
    %ceildivs = index.ceildivs %x, %y
    memref.store %ceildivs, %out[%c8, %i] : memref<17x?xindex>
    %ceildivu = index.ceildivu %x, %y
    memref.store %ceildivu, %out[%c9, %i] : memref<17x?xindex>
    %floordivs = index.floordivs %x, %y
    memref.store %floordivs, %out[%c10, %i] : memref<17x?xindex>
    %rems = index.rems %x, %y
    memref.store %rems, %out[%c11, %i] : memref<17x?xindex>
    %remu = index.remu %x, %y
    memref.store %remu, %out[%c12, %i] : memref<17x?xindex>
    %maxs = index.maxs %x, %y
    memref.store %maxs, %out[%c13, %i] : memref<17x?xindex>
    %maxu = index.maxu %x, %y
    memref.store %maxu, %out[%c14, %i] : memref<17x?xindex>
    %mins = index.mins %x, %y
    memref.store %mins, %out[%c15, %i] : memref<17x?xindex>
    %minu = index.minu %x, %y
    memref.store %minu, %out[%c16, %i] : memref<17x?xindex>
  }
  return
}

func.func @shifts(%a: memref<8xindex>, %b: memref<8xindex>, %out: memref<3x8xindex>) {
  %c0 = index.constant 0
  %c1 = index.constant 1
  %c2 = index.constant 2
  %n = index.constant 8
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<8xindex>
    %y = memref.load %b[%i] : memref<8xindex>
    %shl = index.shl %x, %y
    memref.store %shl, %out[%c0, %i] : memref<3x8xindex>
    %shrs = index.shrs %x, %y
    memref.store %shrs, %out[%c1, %i] : memref<3x8xindex>
    %shru = index.shru %x, %y
    memref.store %shru, %out[%c2, %i] : memref<3x8xindex>
  }
  return
}

func.func @cmp(%a: memref<8xindex>, %b: memref<8xindex>, %out: memref<10x8xi1>) {
  %c0 = index.constant 0
  %c1 = index.constant 1
  %c2 = index.constant 2
  %c3 = index.constant 3
  %c4 = index.constant 4
  %c5 = index.constant 5
  %c6 = index.constant 6
  %c7 = index.constant 7
  %c8 = index.constant 8
  %c9 = index.constant 9
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] : memref<8xindex>
    %y = memref.load %b[%i] : memref<8xindex>
    %eq = index.cmp eq(%x, %y)
    memref.store %eq, %out[%c0, %i] : memref<10x8xi1>
    %ne = index.cmp ne(%x, %y)
    memref.store %ne, %out[%c1, %i] : memref<10x8xi1>
    %slt = index.cmp slt(%x, %y)
    memref.store %slt, %out[%c2, %i] : memref<10x8xi1>
    %sle = index.cmp sle(%x, %y)
    memref.store %sle, %out[%c3, %i] : memref<10x8xi1>
    %sgt = index.cmp sgt(%x, %y)
    memref.store %sgt, %out[%c4, %i] : memref<10x8xi1>
    %sge = index.cmp sge(%x, %y)
    memref.store %sge, %out[%c5, %i] : memref<10x8xi1>
    %ult = index.cmp ult(%x, %y)
    memref.store %ult, %out[%c6, %i] : memref<10x8xi1>
    %ule = index.cmp ule(%x, %y)
    memref.store %ule, %out[%c7, %i] : memref<10x8xi1>
    %ugt = index.cmp ugt(%x, %y)
    memref.store %ugt, %out[%c8, %i] : memref<10x8xi1>
    %uge = index.cmp uge(%x, %y)
    memref.store %uge, %out[%c9, %i] : memref<10x8xi1>
  }
  return
}

func.func @casts(%a: i32, %b: index) -> (index, index, i32, i64, i8, index, i1) {
  %0 = index.casts %a : i32 to index
  %1 = index.castu %a : i32 to index
  %2 = index.casts %b : index to i32
  %3 = index.castu %b : index to i64
  %4 = index.casts %b : index to i8
  %5 = index.sizeof
  %6 = index.bool.constant true
  return %0, %1, %2, %3, %4, %5, %6 : index, index, i32, i64, i8, index, i1
}
