# SPDX-License-Identifier: BSD-3-Clause
"""Where Corten means to differ from PyTorch, and why. Everything else that differs is a mistake."""
import re
from collections import namedtuple

from cases import RULES  # those of files with samples of their own
from facts import VALUES, finite_within, nearly, where_finite

# Patterns are searched: in `row text dtype form` of the case, in PyTorch's fact and in Corten's; `alike` says
# what the two facts must share all the same.
Rule = namedtuple("Rule", "why case theirs mine alike", defaults=[None])


def but_warnings(mine, theirs):
    """The same results: only a warning differs."""
    return mine.split(" ? ")[0] == theirs.split(" ? ")[0]


def first_result(mine, theirs):
    """The same values of the first result, perhaps other indices; 0 and -0 are equal."""
    return mine.split(";")[0].replace(" -0", " 0") == theirs.split(";")[0].replace(" -0", " 0")


def but_signs(mine, theirs):
    """The same numbers, which may be negative or not."""
    return mine.replace("-", "") == theirs.replace("-", "")


def same_geometry(mine, theirs):
    """The same types, shapes, strides, memory and warnings: only numbers differ."""
    a, b = (VALUES.sub(r"\1\2", fact).replace(" ", "") for fact in (mine, theirs))
    return a == b


def no_strides(mine, theirs):
    """The same elements of every result, in any order in memory."""
    return re.sub(r"\]\([\d,]*\)", "]", mine) == re.sub(r"\]\([\d,]*\)", "]", theirs)


def but_strides(mine, theirs):
    """The same elements, which lie in another order."""
    mine, theirs = (re.sub(r"\([\d,]*\)", "()", fact, count=1) for fact in (mine, theirs))
    return mine == theirs or where_finite(mine, theirs)


def but_layout(mine, theirs):
    """The same elements to five digits, of every result: strides and warnings may differ."""
    def parts(fact):
        fact = re.sub(r"\]\([\d,]*\)\+\d+~?", "]()+0", fact.split(" ? ")[0])
        values = [v for _, _, text in VALUES.findall(fact) for v in re.split("[ &]+", text.strip())]
        return VALUES.sub(r"\1\2", fact), values
    (head, a), (other, b) = parts(mine), parts(theirs)
    return head == other and len(a) == len(b) and all(
        x == y or abs(float(x) - float(y)) <= 1e-5 * (1 + abs(float(y))) for x, y in zip(a, b))


# `out=` has one contract for all rows, in src/ops/out.c and docs/conformance.md; PyTorch has many.
CAST = "a result is cast to the type of `out`; PyTorch computes some in it: as complex numbers, where inf * 0 is NaN, and without rounding or wrapping"
OUT = [
    Rule("what a call returns goes into `out`, cast where types differ; PyTorch refuses some types and layouts", " out ", "^!", "^[^!]"),
    Rule("draws into `out` give the numbers of a new tensor", r"^(rand|normal|bernoulli|multinomial).* out (strided|wide)", "^[^!]", "^[^!]", same_geometry),
    Rule("an `out` of any strides is written; PyTorch leaves or misplaces its elements",
         "^(gelu|narrow_copy|tri[lu]|fft_fftfreq) .* out strided", "^[^!]", "^[^!]", same_geometry),
    Rule("a transform goes into `out`; PyTorch takes it for the source of some", r"^fft_ihfft(2|n) .* out ", "^[^!]", "^complex"),
    Rule("transforms of infinities and NaN: which results are NaN depends on the order of the sums", r"^(fft_|i?stft).*\b[nw]\d.* out ", "^[^!]", "^[^!]"),
    Rule(CAST, " out wide", "^complex", "^complex.*(nan|inf)", where_finite),
    Rule(CAST, r" b?float16 out wide", "^complex", "^complex.*(nan|inf)", finite_within(2 ** -7)),
    Rule(CAST, "^nansum .* int64 out wide", "^complex", "^complex", same_geometry),
    Rule("an `out` that is resized, or has no elements, gets the strides of a new result; resizing one warns",
         " out ", "^[^!]", "^[^!]", but_layout),
]
DELIBERATE = [
    Rule("wrong arguments are refused by one parser, with a TypeError; functions that are Python code in PyTorch are refused as Python does it",
         "", r"required positional arguments?: '|positional arguments? but|unexpected keyword argument|multiple values|^!AttributeError|Boolean value of Tensor", "^!TypeError"),
    Rule("uint16, uint32 and uint64 compute and promote here; PyTorch has only some of their loops",
         "", r"not implemented for '(\w+_)?UInt(16|32|64)'|Promotion for uint16, uint32, uint64 types is not supported", ""),
    Rule("a result that cannot be cast is refused in the usual words", "^(clamp|ldexp|mvlgamma)", "can't be cast", "can't be cast"),
    Rule("truth values have no imaginary part to warn of", "", "Casting complex values to real", "^[^!?]*$", but_warnings),
    Rule("complex32 computes here; PyTorch has few of its loops, and a type for pairs of bfloat16 that is complex64 here",
         "", r"bcomplex32|BComplex32|not implemented for 'ComplexHalf'", ""),
    Rule("complex32 is computed in complex64 and rounded once", "", "^complex32", "^complex32", nearly),
    Rule("a number enters in the type of the computation: 2 ** 40 is not infinite beside halves",
         r"\(?2 \*\* 40\)? (\*\*|%|//) .*float16|^(xlogy|special_xlog1py) .*2 \*\* 40.*float16", "^float16", "^float16"),
    Rule("erf of small numbers is exact to the last places, PyTorch's float32 one is not",
         "^erf .*q7", "e-07", "e-07"),
    Rule("copy_ takes tensors; fill_ takes numbers", r"^copy x23.copy_\(3\)", "", "TypeError"),
    Rule("rsub is a separate operation, not sub with exchanged arguments: its error names the input first", "^rsub ", "The size of tensor a", "The size of tensor a"),
    Rule("rsub is a separate operation, not sub with exchanged arguments: its error names the input first", "^rsub ", "^[^!]", "^[^!]", but_strides),
    Rule("powers of complex numbers are exact to the last places; PyTorch's lose up to four bits", r"^pow .*(complex64|\dj)", "^complex64", "^complex64", finite_within(2 ** -19)),
    Rule("integers are compared in floating point, where they do not wrap", "^(isclose|allclose) .*n9.* uint", "^bool", "^bool", same_geometry),
    Rule("NaN in a complex number makes its norm NaN", "^(norm|norm_except_dim) .*complex", r"^float.* inf( \?|$)", "nan"),
    Rule("a common divisor is positive, beside the least integer too", "^gcd .*n9", "^(int|complex).* -1", "^(int|complex)", but_signs),
    Rule("activations are Python code in PyTorch, rows here; `inplace` is a truth value",
         "^(elu|leaky_relu|hardtanh|relu6|hardsigmoid|hardswish|silu|mish|softsign|tanhshrink|logsigmoid) ",
         "missing 1 required positional argument: 'input'|AttributeError|^float32.* is [xnw]23|'>' not supported|log_sigmoid", "TypeError"),
    Rule("logit and ndtr of halves are rounded once, at the end", "^(logit|special_ndtr) .*float16 ", "^b?float16|^complex", "^b?float16|^complex", nearly),
    Rule("Bessel and Airy functions keep their digits at large arguments, where PyTorch rounds an angle before its sine; "
         "its J and Y of float64 are right to 8 digits", "^special_(bessel_|airy_ai).*([nq]7|float64)", "^(float|complex)", "^(float|complex)", finite_within(3e-3)),
    Rule("polynomials of high degrees: small errors of an angle or of a step are multiplied by the degree",
         "^special_((shifted_)?chebyshev|laguerre|legendre).*(300|n9)", "^(float|complex)", "^(float|complex)", where_finite),
    Rule("polygamma at its poles is infinite, and 0 at infinity", "^polygamma ", "", "inf", finite_within(2 ** -10)),
    Rule("modified Bessel functions of infinity are infinite", "^(i0|special_i1|special_modified_bessel_i[01]) .*n[79]", r"nan\S* nan\S* nan", "inf", where_finite),
    Rule("trigamma is exact to the last places, PyTorch's in float64 is not",
         r"^(polygamma \S*\(1, |polygamma \S*polygamma\(1\)|polygamma_ \S*\(1\)).*float64", "^(float64|complex)", "^(float64|complex)", where_finite),
    Rule("zeta of large arguments is 0", "^special_zeta .*(n9|inf)", "^(float|complex).*nan", "^(float|complex)", where_finite),
    Rule("uint64 and signed integers have float64 in common; PyTorch's ldexp makes `other` floating first",
         "^ldexp .*uint64", "^(float32|complex)", "^(float64|complex)"),
    Rule("ldexp checks shapes before types, as other operations do", "^ldexp ", "ldexp can't be cast", "^!.*(shape|size|overlap|memory)"),
    Rule("ldexp resizes nothing by itself", "^ldexp ", r"was resized since it had shape \[\]", "", but_warnings),
    Rule("ldexp computes in the type of its result, and 0 stays 0; PyTorch raises 2 in the type of `other` and multiplies",
         r"^ldexp .*(n9|uint64|float32|complex64|float16)", "^(b?float|complex)", "^(b?float|complex)", finite_within(2 ** -9)),
    Rule("no element of an expanded tensor is written twice", "^tri[lu] .*inplace", "^float", "more than one element"),
    Rule("pixels of no image are shuffled too", "^pixel_unshuffle .*x0244", "0x2x4x4", "0x8x2x2"),
    Rule("the shape of a wrong tensor instead of its elements", "^meshgrid ", "Expected 0D or 1D tensor", "Expected 0D or 1D tensor"),
    Rule("tensors may come in a list as well", r"^(block_diag|cartesian_prod) .*\(\[", "but got list", ""),
    Rule("products of truth values are refused by the name of another kernel", "^(matmul|einsum|linear|bilinear|histc) .* bool ", "not implemented for 'Bool'", "not implemented for 'Bool'"),
    Rule("a dot product of truth values is refused for every stride", "^tensordot.dims .* bool ", "^bool", "not implemented for 'Bool'"),
    Rule("counts are broadcast without a warning about `out`, since the call has none", "^binomial ", "An output with one or more elements", "^float"),
    Rule("products in another type exist here on the CPU too", r"^\w+\.dtype ", "Could not run 'aten::", ""),
    Rule("PyTorch dies of it", "", "^!killed by signal", "^(?!!killed)"),
    Rule("a number enters in the type of the computation: 0.42 beside halves", "^blackman_window .*b?float16", "float16", "float16"),
    Rule("a negative size is refused in one way", r"^as_strided .*\(-1,\).* inplace", "numel: integer", "Storage size"),
    Rule("Python code in PyTorch, rows here", r"^(resize|resize_as|pad|lu) .*(nothing|x23, x23|\(\)|value='a'|mode=3|'text'|\[1, 2\]|None)", "Error", "TypeError"),
    Rule("strides have signs", "^as_strided ", "Negative strides are not supported", ""),
    Rule("signatures that are Python code or several overloads in PyTorch, and one row here",
         "^(norm|norm.name|gelu|eye|copy|nonzero|linspace|logspace|split|split.sizes|addcmul|addcdiv|max.dim|min.dim) ", "TypeError|AttributeError", "TypeError|movedim: Invalid"),
    Rule("equal elements keep their order; PyTorch's selection leaves them as its swaps do, which only the same swaps could follow", "^(topk|kthvalue) ", "^(topk|kthvalue)", "^(topk|kthvalue)", first_result),
    Rule("NaN is greater than all numbers, the mode of them too; PyTorch sorts lines with NaN by `<`, which leaves them in disorder",
         r"^mode .*\b[nw]\d", "^mode", "^mode", same_geometry),
    Rule("the mean beside var is the mean; PyTorch's running mean of infinities is NaN", r"^(var|std)_mean.*\b[nw]\d", "nan", "inf", finite_within(1e-6)),
    Rule("halves are counted in the bins that float32 gives", "^histc .* b?float16", "float16", "float16", finite_within(1)),
    Rule("types without a histogram are refused before the range is checked", "^histc .* int64 ", "without overflow", "not implemented"),
    Rule("the maximum of distances ignores NaN, as PyTorch's cdist does", r"^pdist .*float\('inf'\)", "nan", "^float"),
    Rule("real numbers summed as complex ones have no imaginary NaN", "^mean .*dtype=torch.complex64", "nan&nan", "nan&0", where_finite),
    Rule("an overflow of complex products", "^prod .*(complex64|out wide)", "inf", "nan", where_finite),
    Rule("differences of int64 that do not fit are rounded, not wrapped", r"^gradient.*\b[nw]\d.* int64", "^tuple", "^tuple", same_geometry),
    Rule("transforms of infinities and NaN: which results are NaN depends on the order of the sums", "^(fft_|i?stft)", "nan|inf", "nan|inf", where_finite),
    Rule("gelu of infinity is infinity; PyTorch's is NaN in vectors", "^gelu ", "nan nan", "nan inf", where_finite),
    Rule("the sign of a NaN is not compared", "^histc ", "-nan", "nan, nan"),
    Rule("infinite complex numbers: PyTorch multiplies sums by a complex one, and inf * 0 is NaN",
         r"^(add|sub|mul|div|pow|lerp|addcmul|addcdiv|prod|cumprod|square|sgn|log1p|expm1|reciprocal|rsqrt|mean|std|var|matmul|addmv) .* complex", r"^complex.*(nan|inf)", r"^complex", where_finite),
]
DELIBERATE = [*OUT, *DELIBERATE, *(Rule(*rule) for rule in RULES)]


def reason(case, mine, theirs):
    """Why this difference is meant, or None."""
    whole = re.sub(r"\b[nw](?=\d)", "x", case.text)  # the same call with ordinary numbers
    places = [f"{case.row} {text} {case.dtype} {case.form} " for text in {case.text, whole}]
    for rule in DELIBERATE:
        found = any(re.search(rule.case, p) for p in places) and re.search(rule.theirs, theirs) and re.search(rule.mine, mine)
        if found and (rule.alike is None or rule.alike(mine, theirs)):
            return rule.why
    return None
