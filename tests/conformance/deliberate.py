# SPDX-License-Identifier: BSD-3-Clause
"""The rules for intended differences from PyTorch, with the reasons that docs/conformance.md prints. Every other difference is a bug.

A reason is for readers of that page: it says in one or two plain sentences what PyTorch does, what Corten does and why, without
the code beside it. Rules with the same reason share a line of the page.
"""
import re
from collections import namedtuple

from cases import RULES  # rules defined next to the samples
from facts import VALUES, finite_within, nearly, where_finite

# A rule applies if its patterns match `row text dtype form` of the case, PyTorch's fact and Corten's fact, and if `alike`,
# when given, accepts the two facts.
Rule = namedtuple("Rule", "why case theirs mine alike", defaults=[None])


def but_warnings(mine, theirs):
    """Accepts the same results with a different warning."""
    return mine.split(" ? ")[0] == theirs.split(" ? ")[0]


def first_result(mine, theirs):
    """Accepts other indices if the values of the first result agree; 0 and -0 are equal."""
    return mine.split(";")[0].replace(" -0", " 0") == theirs.split(";")[0].replace(" -0", " 0")


def but_signs(mine, theirs):
    """Accepts the same numbers with other signs."""
    return mine.replace("-", "") == theirs.replace("-", "")


def same_geometry(mine, theirs):
    """Accepts other numbers if types, shapes, strides, aliasing and warnings agree."""
    a, b = (VALUES.sub(r"\1\2", fact).replace(" ", "") for fact in (mine, theirs))
    return a == b


def no_strides(mine, theirs):
    """Accepts other strides if the elements of every result agree."""
    return re.sub(r"\]\([\d,]*\)", "]", mine) == re.sub(r"\]\([\d,]*\)", "]", theirs)


def but_strides(mine, theirs):
    """Accepts other strides if the elements agree."""
    mine, theirs = (re.sub(r"\([\d,]*\)", "()", fact, count=1) for fact in (mine, theirs))
    return mine == theirs or where_finite(mine, theirs)


def but_layout(mine, theirs):
    """Accepts other strides and warnings if the elements of every result agree to five digits."""
    def parts(fact):
        fact = re.sub(r"\]\([\d,]*\)\+\d+~?", "]()+0", fact.split(" ? ")[0])
        values = [v for _, _, text in VALUES.findall(fact) for v in re.split("[ &]+", text.strip())]
        return VALUES.sub(r"\1\2", fact), values
    (head, a), (other, b) = parts(mine), parts(theirs)
    return head == other and len(a) == len(b) and all(
        x == y or abs(float(x) - float(y)) <= 1e-5 * (1 + abs(float(y))) for x, y in zip(a, b))


# Corten has one contract for `out=` (src/ops/out.c and docs/conformance.md); PyTorch's rules differ from function to function.
CAST = "Corten computes in the type of the inputs and casts the result to the type of `out`; PyTorch sometimes computes in the type of `out`, so that real infinities become complex NaN, and rounding or integer overflow is skipped."
OUT = [
    Rule("Corten writes the result of every operation into `out`, cast to the type of `out`; PyTorch refuses some types and memory layouts of `out`, differently from function to function.", " out ", "^!", "^[^!]"),
    Rule("A random function with `out=` draws the same numbers as it does without; in PyTorch the numbers depend on the type and strides of `out`.", r"^(rand|normal|bernoulli|multinomial).* out (strided|wide)", "^[^!]", "^[^!]", same_geometry),
    Rule("An `out` that is not contiguous gets the whole result; PyTorch's version of these functions leaves some of its elements unset or writes them to the wrong positions.",
         "^(gelu|narrow_copy|tri[lu]|fft_fftfreq) .* out strided", "^[^!]", "^[^!]", same_geometry),
    Rule("`fft.ihfft2` and `fft.ihfftn` write their result into `out`; over a single dim PyTorch leaves the old contents of `out` there.", r"^fft_ihfft(2|n) .* out ", "^[^!]", "^complex"),
    Rule("Fourier transforms of infinities and NaN: the order of the sums decides which results are NaN, and the two libraries sum in different orders.", r"^(fft_|i?stft).*\b[nw]\d.* out ", "^[^!]", "^[^!]"),
    Rule(CAST, " out wide", "^complex", "^complex.*(nan|inf)", where_finite),
    Rule(CAST, r" b?float16 out wide", "^complex", "^complex.*(nan|inf)", finite_within(2 ** -7)),
    Rule(CAST, "^nansum .* int64 out wide", "^complex", "^complex", same_geometry),
    Rule("An `out` that is resized, or is empty, gets the strides that a new result would have, and Corten warns when it resizes one that had elements; PyTorch's strides and warnings differ from function to function.",
         " out ", "^[^!]", "^[^!]", but_layout),
]
DELIBERATE = [
    Rule("Corten checks the arguments of every function against its signature and raises a TypeError; if PyTorch implements the function in Python, its error is the first that this Python code raises.",
         "", r"required positional arguments?: '|positional arguments? but|unexpected keyword argument|multiple values|^!AttributeError|Boolean value of Tensor", "^!TypeError"),
    Rule("Corten computes with uint16, uint32 and uint64 and promotes them like other integers; PyTorch implements only a few operations for these types.",
         "", r"not implemented for '(\w+_)?UInt(16|32|64)'|Promotion for uint16, uint32, uint64 types is not supported", ""),
    Rule("When the result of an in-place call cannot be cast to the type of the tensor, Corten's error is worded as in most functions of PyTorch; PyTorch words it differently for these functions.", "^(clamp|ldexp|mvlgamma)", "can't be cast", "can't be cast"),
    Rule("Casting a complex result to bool gives no warning in Corten; PyTorch warns that the imaginary part is discarded, although it takes part in the test for zero.", "", "Casting complex values to real", "^[^!?]*$", but_warnings),
    Rule("Corten computes with complex32, and bfloat16 with complex numbers gives complex64; PyTorch implements few operations for complex32, and gives bcomplex32.",
         "", r"bcomplex32|BComplex32|not implemented for 'ComplexHalf'", ""),
    Rule("Corten computes complex32 as complex64 and rounds the result once; PyTorch rounds intermediate results too.", "", "^complex32", "^complex32", nearly),
    Rule("A Python number is converted to the type of the computation (float32 for half types), so 2 ** 40 stays finite; PyTorch converts it to float16, where it is infinite.",
         r"\(?2 \*\* 40\)? (\*\*|%|//) .*float16|^(xlogy|special_xlog1py) .*2 \*\* 40.*float16", "^float16", "^float16"),
    Rule("`erf` of small float32 numbers: Corten's results are accurate to within a few ulps, PyTorch's are less accurate.",
         "^erf .*q7", "e-07", "e-07"),
    Rule("`copy_` accepts only tensors in Corten; PyTorch also accepts numbers, for which `fill_` exists.", r"^copy x23.copy_\(3\)", "", "TypeError"),
    Rule("`rsub(a, b)` is a separate operation in Corten, so its error messages name `a` first and its result takes the strides of `a`; PyTorch calls `sub(b, a)`, which starts with `b`.", "^rsub ", "The size of tensor a", "The size of tensor a"),
    Rule("`rsub(a, b)` is a separate operation in Corten, so its error messages name `a` first and its result takes the strides of `a`; PyTorch calls `sub(b, a)`, which starts with `b`.", "^rsub ", "^[^!]", "^[^!]", but_strides),
    Rule("Powers of complex numbers: Corten's results are accurate to within a few ulps, PyTorch's lose up to four bits.", r"^pow .*(complex64|\dj)", "^complex64", "^complex64", finite_within(2 ** -19)),
    Rule("The norm of complex numbers with a NaN is NaN in Corten; PyTorch returns infinity if the number's other part is infinite.", "^(norm|norm_except_dim) .*complex", r"^float.* inf( \?|$)", "nan"),
    Rule("`gcd` with the smallest integer of a type as an argument may be negative in PyTorch, which cannot represent its absolute value; Corten's result is positive if the type can represent it.", "^gcd .*n9", "^(int|complex).* -1", "^(int|complex)", but_signs),
    Rule("Wrong arguments: Corten checks them against one signature and says which one is wrong; in PyTorch these functions are Python code or several overloads, and the error comes from whatever runs first.",
         "^(elu|leaky_relu|hardtanh|relu6|hardsigmoid|hardswish|silu|mish|softsign|tanhshrink|logsigmoid) ",
         "missing 1 required positional argument: 'input'|AttributeError|^float32.* is [xnw]23|'>' not supported|log_sigmoid", "TypeError"),
    Rule("float16 and bfloat16 are computed in float32 and rounded once, at the result; PyTorch also rounds intermediate results.", "^(logit|special_ndtr) .*float16 ", "^b?float16|^complex", "^b?float16|^complex", nearly),
    Rule("Bessel and Airy functions of large arguments keep their accuracy in Corten; PyTorch rounds the angle before it takes the sine, and its float64 Bessel functions J and Y are accurate to 8 digits.", "^special_(bessel_|airy_ai).*([nq]7|float64)", "^(float|complex)", "^(float|complex)", finite_within(3e-3)),
    Rule("Orthogonal polynomials of a high degree multiply rounding errors by the degree; the two libraries round differently.",
         "^special_((shifted_)?chebyshev|laguerre|legendre).*(300|n9)", "^(float|complex)", "^(float|complex)", where_finite),
    Rule("`polygamma` is infinite at its poles and 0 at infinity in Corten; PyTorch returns NaN, or another value, at some of these points.", "^polygamma ", "", "inf", finite_within(2 ** -10)),
    Rule("Modified Bessel functions of infinity (`i0`, `special.i1`) are infinite in Corten; PyTorch returns NaN.", "^(i0|special_i1|special_modified_bessel_i[01]) .*n[79]", r"nan\S* nan\S* nan", "inf", where_finite),
    Rule("The trigamma function (`polygamma(1, x)`) in float64: Corten's results are accurate to within a few ulps, PyTorch's are less accurate.",
         r"^(polygamma \S*\(1, |polygamma \S*polygamma\(1\)|polygamma_ \S*\(1\)).*float64", "^(float64|complex)", "^(float64|complex)", where_finite),
    Rule("The Hurwitz `zeta` function of an infinite argument is 0 in Corten; PyTorch returns NaN.", "^special_zeta .*(n9|inf)", "^(float|complex).*nan", "^(float|complex)", where_finite),
    Rule("`ldexp` of a uint64 and a signed integer gives float64, the common type of both; PyTorch converts the exponent to float32 first and gives float32.",
         "^ldexp .*uint64", "^(float32|complex)", "^(float64|complex)"),
    Rule("`ldexp` with two mistakes reports the wrong shape first in Corten, as other operations do; PyTorch reports the type first.", "^ldexp ", "ldexp can't be cast", "^!.*(shape|size|overlap|memory)"),
    Rule("`ldexp` without `out=` gives no warning about resizing in Corten; PyTorch's intermediate step warns about a tensor that the program never passed.", "^ldexp ", r"was resized since it had shape \[\]", "", but_warnings),
    Rule("`ldexp` scales in the type of its result, so 0 stays 0; PyTorch first computes 2 ** `other` in the type of `other`, which may overflow, and then multiplies.",
         r"^ldexp .*(n9|uint64|float32|complex64|float16)", "^(b?float|complex)", "^(b?float|complex)", finite_within(2 ** -9)),
    Rule("In-place `tril_` and `triu_` refuse an expanded tensor, whose elements share memory, as other in-place calls do; PyTorch writes several results to the same element.", "^tri[lu] .*inplace", "^float", "more than one element"),
    Rule("`pixel_unshuffle` of an empty batch has the rearranged shape; PyTorch returns its input unchanged.", "^pixel_unshuffle .*x0244", "0x2x4x4", "0x8x2x2"),
    Rule("The error of `meshgrid` for a tensor of two or more dims prints its shape in Corten, all of its elements in PyTorch.", "^meshgrid ", "Expected 0D or 1D tensor", "Expected 0D or 1D tensor"),
    Rule("`block_diag` and `cartesian_prod` accept their tensors in a list too; PyTorch accepts only separate arguments.", r"^(block_diag|cartesian_prod) .*\(\[", "but got list", ""),
    Rule("Matrix products and `histc` of bool tensors are refused by both libraries; the error names the internal kernel, and the kernels have different names.", "^(matmul|einsum|linear|bilinear|histc) .* bool ", "not implemented for 'Bool'", "not implemented for 'Bool'"),
    Rule("`tensordot` of bool tensors is always refused in Corten; PyTorch computes it for some strides and refuses it for others.", "^tensordot.dims .* bool ", "^bool", "not implemented for 'Bool'"),
    Rule("`binomial` broadcasts its arguments without a warning in Corten; PyTorch warns about resizing an `out` that the call does not have.", "^binomial ", "An output with one or more elements", "^float"),
    Rule("Matrix products with `out_dtype` run on the CPU too; PyTorch has them for GPUs only.", r"^\w+\.dtype ", "Could not run 'aten::", ""),
    Rule("The call ends the process in PyTorch; Corten returns a result or raises an exception.", "", "^!killed by signal", "^(?!!killed)"),
    Rule("`blackman_window` of half types: Corten uses its constant 0.42 in the type of the computation, float32; PyTorch rounds the constant to the half type first.", "^blackman_window .*b?float16", "float16", "float16"),
    Rule("`as_strided_` with a negative size is refused by both libraries, with different messages.", r"^as_strided .*\(-1,\).* inplace", "numel: integer", "Storage size"),
    Rule("Wrong arguments: Corten checks them against one signature and says which one is wrong; in PyTorch these functions are Python code or several overloads, and the error comes from whatever runs first.", r"^(resize|resize_as|pad|lu) .*(nothing|x23, x23|\(\)|value='a'|mode=3|'text'|\[1, 2\]|None)", "Error", "TypeError"),
    Rule("`as_strided` accepts negative strides in Corten; PyTorch refuses them.", "^as_strided ", "Negative strides are not supported", ""),
    Rule("Wrong arguments: Corten checks them against one signature and says which one is wrong; in PyTorch these functions are Python code or several overloads, and the error comes from whatever runs first.",
         "^(norm|norm.name|gelu|eye|copy|nonzero|linspace|logspace|split|split.sizes|addcmul|addcdiv|max.dim|min.dim) ", "TypeError|AttributeError", "TypeError|movedim: Invalid"),
    Rule("`topk` and `kthvalue` with equal elements: Corten returns the index of the first one; PyTorch's choice depends on the order in which its selection algorithm swaps elements.", "^(topk|kthvalue) ", "^(topk|kthvalue)", "^(topk|kthvalue)", first_result),
    Rule("`mode` of numbers with NaN: both libraries sort before they count, and Corten sorts NaN last; PyTorch compares with `<`, which leaves rows with NaN unsorted.",
         r"^mode .*\b[nw]\d", "^mode", "^mode", same_geometry),
    Rule("`var_mean` and `std_mean` of infinities return the mean that `mean` returns; PyTorch updates a running mean, which becomes NaN.", r"^(var|std)_mean.*\b[nw]\d", "nan", "inf", finite_within(1e-6)),
    Rule("`histc` of half types finds the bin of an element in float32; PyTorch computes it in the half type, which moves elements near an edge to the next bin.", "^histc .* b?float16", "float16", "float16", finite_within(1)),
    Rule("`histc` of an unsupported type and an invalid range: Corten reports the type, PyTorch the range.", "^histc .* int64 ", "without overflow", "not implemented"),
    Rule("`pdist` with p = infinity ignores NaN, as `cdist` does in both libraries; PyTorch's `pdist` returns NaN.", r"^pdist .*float\('inf'\)", "nan", "^float"),
    Rule("The `mean` of real infinities as complex64 has the imaginary part 0 in Corten, NaN in PyTorch.", "^mean .*dtype=torch.complex64", "nan&nan", "nan&0", where_finite),
    Rule("Products of complex numbers that overflow: the order of the multiplications decides whether the result is infinite or NaN.", "^prod .*(complex64|out wide)", "inf", "nan", where_finite),
    Rule("`gradient` of int64: a difference that does not fit int64 is rounded to the floating-point result in Corten; in PyTorch it wraps around.", r"^gradient.*\b[nw]\d.* int64", "^tuple", "^tuple", same_geometry),
    Rule("Fourier transforms of infinities and NaN: the order of the sums decides which results are NaN, and the two libraries sum in different orders.", "^(fft_|i?stft)", "nan|inf", "nan|inf", where_finite),
    Rule("`gelu` of infinity is infinity in Corten; PyTorch's vectorised loop returns NaN.", "^gelu ", "nan nan", "nan inf", where_finite),
    Rule("The error of `histc` for a range with NaN prints `nan` in Corten; PyTorch prints `nan` or `-nan`, depending on the sign bit.", "^histc ", "-nan", "nan, nan"),
    Rule("Infinite complex numbers: PyTorch multiplies by a complex scalar whose imaginary part is 0, and infinity times 0 is NaN; Corten multiplies by the real number.",
         r"^(add|sub|mul|div|pow|lerp|addcmul|addcdiv|prod|cumprod|square|sgn|log1p|expm1|reciprocal|rsqrt|mean|std|var|matmul|addmv) .* complex", r"^complex.*(nan|inf)", r"^complex", where_finite),
]
DELIBERATE = [*OUT, *DELIBERATE, *(Rule(*rule) for rule in RULES)]


def reason(case, mine, theirs):
    """Returns the reason for an intended difference, or None."""
    whole = re.sub(r"\b[nw](?=\d)", "x", case.text)  # compares the same call with ordinary numbers
    places = [f"{case.row} {text} {case.dtype} {case.form} " for text in {case.text, whole}]
    for rule in DELIBERATE:
        found = any(re.search(rule.case, p) for p in places) and re.search(rule.theirs, theirs) and re.search(rule.mine, mine)
        if found and (rule.alike is None or rule.alike(mine, theirs)):
            return rule.why
    return None
