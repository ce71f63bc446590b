# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `./do bench host` computes: linalg on tensors, as compilers emit it."""


def tensor(*dims, of="f32"):
    return f"tensor<{'x'.join(map(str, dims))}x{of}>"


def function(arguments, result, body):
    listed = ", ".join(f"%{name}: {kind}" for name, kind in arguments.items())
    return f"func.func @main({listed}) -> {result} {{\n{body}}}\n"


def filled(name, kind, value="0.0", of="f32"):
    """A tensor that is one value."""
    return f"""  %{name}_value = arith.constant {value} : {of}
  %{name}_empty = tensor.empty() : {kind}
  %{name} = linalg.fill ins(%{name}_value : {of})
      outs(%{name}_empty : {kind}) -> {kind}
"""


def matmul(m, n, k, of="f32"):
    left, right = tensor(m, k, of=of), tensor(k, n, of=of)
    out = tensor(m, n)
    return function({"a": left, "b": right}, out, filled("zero", out) + f"""
  %c = linalg.matmul ins(%a, %b : {left}, {right}) outs(%zero : {out}) -> {out}
  return %c : {out}
""")


def layer(index, rows, width, has_relu):
    """%x{index} times %w{index}, plus a row; then what is below 0 is 0."""
    here, square, row = tensor(rows, width), tensor(width, width), tensor(width)
    relu = f"""    %zero = arith.constant 0.0 : f32
    %relu{index} = arith.maximumf %sum, %zero : f32
    linalg.yield %relu{index} : f32
""" if has_relu else "    linalg.yield %sum : f32\n"
    return filled(f"zero{index}", here) + f"""
  %p{index} = linalg.matmul ins(%x{index}, %w{index} : {here}, {square})
      outs(%zero{index} : {here}) -> {here}
  %e{index} = tensor.empty() : {here}
  %x{index + 1} = linalg.generic {{
      indexing_maps = [affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}}
      ins(%p{index}, %b{index} : {here}, {row}) outs(%e{index} : {here}) {{
  ^bb0(%value: f32, %bias: f32, %out: f32):
    %sum = arith.addf %value, %bias : f32
{relu}  }} -> {here}
"""


def mlp(rows=32, width=1024):
    arguments = {"x0": tensor(rows, width)}
    for index in range(3):
        arguments[f"w{index}"] = tensor(width, width)
        arguments[f"b{index}"] = tensor(width)
    body = "".join(layer(index, rows, width, index < 2) for index in range(3))
    return function(arguments, tensor(rows, width),
                    f"{body}  return %x3 : {tensor(rows, width)}\n")


def part(name, index, length, width, heads):
    """Queries, keys or values out of what they are together, as heads."""
    whole, third = tensor(length, 3 * width), tensor(length, width)
    split = tensor(length, heads, width // heads)
    return f"""
  %{name}_flat = tensor.extract_slice %qkv[0, {index * width}]
      [{length}, {width}] [1, 1] : {whole} to {third}
  %{name} = tensor.expand_shape %{name}_flat [[0], [1, 2]]
      output_shape [{length}, {heads}, {width // heads}] : {third} into {split}
"""


def attention(length=128, width=256, heads=4):
    depth = width // heads
    x, whole = tensor(length, width), tensor(length, 3 * width)
    split, scores = tensor(length, heads, depth), tensor(heads, length, length)
    w_in, w_out = tensor(width, 3 * width), tensor(width, width)
    body = filled("zero_in", whole) + f"""
  %qkv = linalg.matmul ins(%x, %w_in : {x}, {w_in})
      outs(%zero_in : {whole}) -> {whole}
""" + "".join(part(name, index, length, width, heads)
              for index, name in enumerate("qkv"[i] for i in range(3)))
    body = body.replace("%q_", "%query_").replace("%q =", "%query =")
    body += filled("zero_scores", scores) + f"""
  %products = linalg.generic {{
      indexing_maps = [affine_map<(h, i, j, d) -> (i, h, d)>,
                       affine_map<(h, i, j, d) -> (j, h, d)>,
                       affine_map<(h, i, j, d) -> (h, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}}
      ins(%query, %k : {split}, {split}) outs(%zero_scores : {scores}) {{
  ^bb0(%left: f32, %right: f32, %sum: f32):
    %product = arith.mulf %left, %right : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  }} -> {scores}
  %scaled_empty = tensor.empty() : {scores}
  %scaled = linalg.generic {{
      indexing_maps = [affine_map<(h, i, j) -> (h, i, j)>,
                       affine_map<(h, i, j) -> (h, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%products : {scores}) outs(%scaled_empty : {scores}) {{
  ^bb0(%value: f32, %out: f32):
    %scale = arith.constant 0.125 : f32
    %product = arith.mulf %value, %scale : f32
    linalg.yield %product : f32
  }} -> {scores}
  %weights_empty = tensor.empty() : {scores}
  %weights = linalg.softmax dimension(2) ins(%scaled : {scores})
      outs(%weights_empty : {scores}) -> {scores}
""" + filled("zero_mixed", split) + f"""
  %mixed = linalg.generic {{
      indexing_maps = [affine_map<(h, i, d, j) -> (h, i, j)>,
                       affine_map<(h, i, d, j) -> (j, h, d)>,
                       affine_map<(h, i, d, j) -> (i, h, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}}
      ins(%weights, %v : {scores}, {split}) outs(%zero_mixed : {split}) {{
  ^bb0(%left: f32, %right: f32, %sum: f32):
    %product = arith.mulf %left, %right : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  }} -> {split}
  %joined = tensor.collapse_shape %mixed [[0], [1, 2]] : {split} into {x}
""" + filled("zero_out", x) + f"""
  %y = linalg.matmul ins(%joined, %w_out : {x}, {w_out})
      outs(%zero_out : {x}) -> {x}
  return %y : {x}
"""
    return function({"x": x, "w_in": w_in, "w_out": w_out}, x, body)


def softmax(rows=512, columns=1024):
    kind = tensor(rows, columns)
    return function({"x": kind}, kind, f"""
  %empty = tensor.empty() : {kind}
  %y = linalg.softmax dimension(1) ins(%x : {kind}) outs(%empty : {kind})
      -> {kind}
  return %y : {kind}
""")


def along_rows(name, what, operands, out, body):
    """A reduction of the columns, or a step that broadcasts over them."""
    maps, inputs, kinds = zip(*operands)
    iterators = '["parallel", "reduction"]' if what == "sum" \
        else '["parallel", "parallel"]'
    result = "(i)" if what == "sum" else "(i, j)"
    listed = ", ".join(f"affine_map<(i, j) -> {one}>"
                       for one in (*maps, result))
    names = ", ".join(f"%in{i}: f32" for i in range(len(operands)))
    return f"""  %{name} = linalg.generic {{
      indexing_maps = [{listed}], iterator_types = {iterators}}}
      ins({', '.join(inputs)} : {', '.join(kinds)}) outs({out[0]} : {out[1]}) {{
  ^bb0({names}, %out: f32):
{body}  }} -> {out[1]}
"""


def layer_norm(rows=512, columns=1024):
    kind, line = tensor(rows, columns), tensor(rows)
    row = tensor(columns)
    here, each = ("(i, j)", "%x", kind), lambda name: ("(i)", name, line)
    body = filled("zero", line) + f"  %empty = tensor.empty() : {kind}\n"
    body += along_rows("sums", "sum", [here], ("%zero", line), """
    %next = arith.addf %in0, %out : f32
    linalg.yield %next : f32
""")
    body += along_rows("squares", "sum", [here, each("%sums")],
                       ("%zero", line), f"""
    %count = arith.constant {columns}.0 : f32
    %mean = arith.divf %in1, %count : f32
    %distance = arith.subf %in0, %mean : f32
    %square = arith.mulf %distance, %distance : f32
    %next = arith.addf %square, %out : f32
    linalg.yield %next : f32
""")
    body += along_rows(
        "y", "each", [here, each("%sums"), each("%squares"),
                      ("(j)", "%scale", row), ("(j)", "%bias", row)],
        ("%empty", kind), f"""
    %count = arith.constant {columns}.0 : f32
    %tiny = arith.constant 1.0e-5 : f32
    %mean = arith.divf %in1, %count : f32
    %distance = arith.subf %in0, %mean : f32
    %variance = arith.divf %in2, %count : f32
    %moved = arith.addf %variance, %tiny : f32
    %inverse = math.rsqrt %moved : f32
    %normal = arith.mulf %distance, %inverse : f32
    %scaled = arith.mulf %normal, %in3 : f32
    %next = arith.addf %scaled, %in4 : f32
    linalg.yield %next : f32
""")
    return function({"x": kind, "scale": row, "bias": row}, kind,
                    body + f"  return %y : {kind}\n")


def convolution(size=56, channels=64):
    """A layer of a ResNet block: 3x3, the same size, bias and relu."""
    padded = tensor(1, size + 2, size + 2, channels)
    x, kernel = (tensor(1, size, size, channels),
                 tensor(3, 3, channels, channels))
    return function({"x": x, "w": kernel}, x, filled("zero", x) + f"""
  %padding = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {{
  ^bb0(%b: index, %h: index, %w_: index, %c: index):
    tensor.yield %padding : f32
  }} : {x} to {padded}
  %y = linalg.conv_2d_nhwc_hwcf {{
      dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}}
      ins(%padded, %w : {padded}, {kernel}) outs(%zero : {x}) -> {x}
  return %y : {x}
""")
