#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares random network calls in Corten and PyTorch 2.15: values, gradients, shapes, strides, errors.

    CORTEN_TORCH_PYTHON=... .venv/bin/python tests/conformance/networks.py --calls 100000
    ... --device cuda       Corten on the fake device, PyTorch on the CPU
    ... --seed N --calls 1  one call, with both results

Prints the differences by function, and exits with 1 if `EXPECTED` does not explain one of them. A call
that ends its process is always a difference.
"""
import argparse
import collections
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE))
from network_calls import make_call  # noqa: E402

TOLERANCE = {'torch.float64': 1e-9, 'torch.float32': 2e-4, 'torch.bfloat16': 5e-2, 'torch.float16': 1e-2,
             'torch.complex64': 2e-4, 'torch.complex128': 1e-9}
# Intended differences: (pattern of the call, kind of difference, reason). The kind ends with " [empty]" if a tensor of the call
# has no elements, and with " [thin]" if only strides of dims of size 1 differ.
EXPECTED = [
    ('', r"does not raise: .* not implemented for '", "Corten computes with a type for which PyTorch has no kernel."),
    ('', r'does not raise: derivative for ', "Corten has a second derivative that PyTorch lacks."),
    ('', r'does not raise: mixed dtype \(CPU\)', "Corten accepts running statistics and parameters of different floating types; PyTorch refuses some pairs."),
    ('lp_pool1d', r"does not raise: mul\(\): argument 'other'", "`lp_pool1d` accepts a tuple of one number as `kernel_size`, as the other pooling functions do; PyTorch's fails."),
    ('', r'does not raise: Expected a proper Tensor but got None', "Normalisation without a weight has a second derivative in Corten; PyTorch raises an error."),
    ('pixel_unshuffle', r'out 0: shape', "`pixel_unshuffle` of an empty batch has the rearranged shape; PyTorch returns its input unchanged."),
    ('relu6|hardtanh|softshrink|hardshrink|hardswish|elu|selu|celu', r'grads 0: values',
     "The gradient of some activations at NaN: PyTorch's vectorised and scalar loops disagree with each other."),
    ('ctc_loss', r'(grads|second) \d+: values', "`ctc_loss` with the blank as a target: Corten's gradient agrees with finite differences, PyTorch's does not."),
    (r'(size=(\(\d+, )?1\b|scale_factor=(0\.[57]|1\.5)).*antialias=True', r'values', "`interpolate(antialias=True)` to a width of 1: PyTorch repeats the first row in all other rows."),
    ('', r'(^|: )raises: .*\[empty\]', "Corten checks the arguments of calls with empty tensors too; PyTorch returns before its checks."),
    ('', r'does not raise: .*\[empty\]', "A call with empty tensors returns an empty result in Corten; PyTorch raises an error."),
    ('', r'stride.*\[thin\]', "Strides of dims of size 1 differ. They have no effect on any address."),
    ('conv_transpose', r'does not raise: Given input size per channel: .*', "A transposed convolution with an empty result: Corten returns it; PyTorch returns it or raises an error, which depends on the algorithm."),
    ('', r"does not raise: (expected scalar type|Found dtype|result type|All tensors must have the same dtype|mixed dtype|!needs_dynamic"
     r"_casting|TensorAccessor|self and mat|kl_div: (Integral|Complex)|Expected floating point type for target|scatter\(\): Expected self.dtype|Negation, the)", "Corten promotes pairs of types that PyTorch refuses."),
    ('', r"(dtype|Error instead of \w+).*\[empty\]", "Calls with empty tensors take another code path in PyTorch, with another result type or another error."),
    ('binary_cross_entropy', r'out 0: stride', "`binary_cross_entropy` gives its result the strides of the input; PyTorch those of the target."),
    ('MultiheadAttention', r'out 0: stride', "The strides of a result of `MultiheadAttention` that is not a view differ."),
    ('LSTMCell', r'(^|: )raises: mat1 and mat2 must have the same dtype', "`LSTMCell` refuses two states of different types; PyTorch accepts them."),
    ('hardsigmoid', r'values', "`hardsigmoid` in float64: PyTorch rounds its constant 1/6 to float32."),
    ('prelu', r'second 0: values', "The second derivative of `prelu` at NaN differs."),
    ('scale=0.0, is_causal', r'out 0: values', "Causal attention with a scale of 0: Corten masks before 0 is multiplied by infinity, so that masked positions do not become NaN."),
    ('avg_pool1d', r'out 0: values, -?\d{15,} instead of', "Average pooling of integers is computed in float64; PyTorch rounds differently or overflows."),
    ('leaky_relu', r'does not raise: In-place leakyReLu', "In-place `leaky_relu` works with a negative slope too, since Corten computes the derivative from the input; PyTorch refuses it."),
    ('binary_cross_entropy|soft_margin', r'does not raise: output with shape', "Losses broadcast weights and targets that are larger than the input; PyTorch refuses them."),
    ('pool', r'out 0: values', "Average pooling of integers is computed in float64; PyTorch rounds differently or overflows."),
    ('', r'(^|: )raises: mean\(\): could not infer', "Normalisation of integers is refused, since their mean is not an integer; PyTorch computes some cases."),
    ('conv', r'(^|: )raises: Input type .* and bias type', "A convolution whose bias has another type than its input is always refused; in PyTorch some algorithms accept it."),
    ('label_smoothing=-', r'(^|: )raises: label_smoothing', "`cross_entropy` with two mistakes reports an invalid `label_smoothing` first."),
    ('soft_margin|rms_norm', r'out 0: dtype', "The result has the common type of both arguments; PyTorch takes the type of the first."),
    ('glu', r'second 0: values, nan instead of -?inf', "The second derivative of `glu` at infinity is NaN in Corten and infinite in PyTorch."),
    ('is_causal=True', r'out 0: values, .* instead of nan', "Causal attention never reads masked positions, so that a NaN there has no effect; in PyTorch it may spread."),
    ('circular', r'out 0: values|does not raise: unsupported operation', "Circular padding of an empty dim is refused, or has a defined result; PyTorch returns uninitialised memory."),
    ('huber_loss', r'out 0: dtype', "The result has the common type of both arguments; PyTorch takes the type of the first."),
    ('', r'does not raise: .*(grad_input must be contiguous|view size is not compatible|Unsupported memory format|unallocated storage)',
     "PyTorch refuses some strides in an intermediate step; Corten accepts all strides."),
    ('scaled_dot_product', r"does not raise: (output with shape|Dimension out of range)", "Attention accepts a mask with more batch elements than the query, as PyTorch's documentation says; PyTorch itself refuses it."),
    ('', r'does not raise: .*does not support automatic differentiation for outputs with complex', "Corten has derivatives of these functions for complex numbers; PyTorch refuses them."),
    ('pixel_(un)?shuffle', r'does not raise: .*invalid gradient', "The gradient of pixel shuffling has the shape of the input; PyTorch's does not, and is refused."),
    ('circular', r'raises: Padding value causes wrapping', "Circular padding of an empty dim is refused, or has a defined result; PyTorch returns uninitialised memory."),
    ('GRUCell|LSTMCell', r'out \d: stride', "New states of `GRUCell` and `LSTMCell` are contiguous; in PyTorch they have the strides of the previous state."),
    ('multi.*margin_loss', r'out 0: values', "Margin losses of an empty batch return what the other losses return; PyTorch returns uninitialised memory."),
    ('scaled_dot_product', r"(^|: )raises: Expected size for first two dimensions of batch2", "Attention refuses keys and values of different lengths; PyTorch's fused kernel ignores the excess."),
    ('scaled_dot_product', r"out 0: shape \[empty\]", "Attention without batch elements broadcasts its batch dims, as with elements; PyTorch returns the query's shape."),
    (r'batch_norm.* bfloat16$', r'second 0: values', "Second derivatives of `batch_norm` in bfloat16: nearly all terms cancel, so that rounding decides."),
    ('TransformerEncoderLayer', r'out 0: stride', "The strides of a result of `TransformerEncoderLayer` that is not a view differ."),
    ('batch_norm', r'grads: raises: one of the variables needed .*modified by an inp', "Running statistics that a checkpoint returns: backward reports that the second run has written to them; PyTorch's `batch_norm` does not count its writes."),
    ('pack_padded_sequence', r'(^|: )raises: input must have', "A packed sequence of numbers instead of vectors is refused; PyTorch's LSTM multiplies them as one vector."),
    ('conv_transpose', r'does not raise: Only zero batch', "A transposed convolution with an empty result: Corten returns it; PyTorch returns it or raises an error, which depends on the algorithm."),
    ('multilabel_soft_margin', r'out 0: shape', "`multilabel_soft_margin_loss` of a target with more dims than the input: Corten averages over the classes, the last dim; PyTorch over the dim that is the input's last."),
    (r'normalize\(.*p=None', r"(^|: )raises: normalize\(\): argument 'p'", "`normalize` refuses `p=None`, which its signature does not allow; PyTorch takes it as 2."),
]


NEARER = "Values differ, and Corten's are at least as close to a float64 result computed from contiguous inputs: rounding, or strides that PyTorch misreads."


class Worker:
    """A process that runs calls one after the other. It is restarted if a call ends it."""

    def __init__(self, python, *arguments):
        self.start = [python, str(HERE / 'network_worker.py'), *arguments]
        self.env = {**os.environ, 'OMP_NUM_THREADS': '1', **({'CORTEN_FAKE_CUDA': '1'} if 'cuda' in arguments else {})}

    def answers(self, seeds):
        """Yields (seed, answer); the answer of a call that ended the process is {'killed': status}."""
        seeds = list(seeds)
        while seeds:
            with tempfile.TemporaryFile('w+') as todo:
                todo.write('\n'.join(map(str, seeds)))
                todo.seek(0)
                process = subprocess.Popen(self.start, stdin=todo, stdout=subprocess.PIPE, text=True, env=self.env)
            done = 0
            for line in process.stdout:
                answer = process.stdout.readline()
                if not answer.endswith('\n'):
                    break
                done += 1
                yield int(line), json.loads(answer)
            status = process.wait()
            if done < len(seeds):
                yield seeds[done], {'killed': status}
                done += 1
            seeds = seeds[done:]


def close(a, b, tolerance):
    """Returns whether two lists of numbers agree, relative to the largest finite number of the second."""
    scale = max((abs(v) for v in b if math.isfinite(v)), default=0)
    for x, y in zip(a, b):
        if x != y and not (x != x and y != y) and not abs(x - y) <= tolerance * max(scale, 1e-3):
            return f'{x} instead of {y}'
    return None


def compare_tensor(mine, theirs, what, strides, tolerance):
    if (mine is None) != (theirs is None):
        zero = mine or theirs
        return None if not any(zero['values']) else f'{what}: one is None'
    if mine is None:
        return None
    for key in ('shape', 'dtype', *(['stride'] if strides else [])):
        if mine[key] != theirs[key] and (key != 'stride' or 0 not in mine['shape']):
            thin = key == 'stride' and all(n == 1 or a == b for n, a, b in zip(mine['shape'], mine['stride'], theirs['stride']))
            return f'{what}: {key}' + ' [thin]' * thin
    wrong = close(mine['values'], theirs['values'], tolerance or TOLERANCE.get(mine['dtype'], 0))
    return f'{what}: values, {wrong}' if wrong else None


def tolerance_of(call, theirs):
    """Returns the tolerance of the least precise type in the call."""
    dtypes = [f"torch.{t['dtype']}" for t in call['tensors']] + [f"torch.{call['dtype']}"]
    if call['mode'] == 'autocast':
        dtypes.append('torch.bfloat16')
    return max(TOLERANCE.get(d, 0) for d in dtypes)


def difference(call, mine, theirs):
    """Returns the kind of difference as a short text, or None."""
    if 'killed' in mine:
        return f'killed {mine["killed"]}'
    if 'killed' in theirs:
        return None
    if 'error' in mine or 'error' in theirs:
        if 'error' not in theirs:
            return f'raises: {mine["text"][:80]}'
        if 'error' not in mine:
            return f'does not raise: {theirs["text"][:80]}'
        return None if mine['error'] == theirs['error'] or call.get('wrong') else f'{mine["error"]} instead of {theirs["error"]}'
    if len(mine['out']) != len(theirs['out']):
        return 'out: count'
    tolerance = tolerance_of(call, theirs)
    for i, (a, b) in enumerate(zip(mine['out'], theirs['out'])):
        if a['grad'] != b['grad']:
            return f'out {i}: requires_grad'
        found = compare_tensor(a, b, f'out {i}', True, tolerance)
        if found:
            return found
    for key in ('grads', 'second'):
        a, b = mine.get(key), theirs.get(key)
        if key == 'second' and isinstance(mine.get('grads'), dict):
            continue
        a, b = ([None] * len(y) if x is None and isinstance(y, list) else x for x, y in ((a, b), (b, a)))
        if isinstance(a, dict) or isinstance(b, dict):
            if isinstance(a, dict) != isinstance(b, dict):
                return f'{key}: ' + (f'raises: {a["text"][:80]}' if isinstance(a, dict) else f'does not raise: {b["text"][:80]}')
            continue
        if (a is None) != (b is None):
            return f'{key}: one has none'
        for i, (x, y) in enumerate(zip(a or (), b or ())):
            found = compare_tensor(x, y, f'{key} {i}', False, 10 * tolerance)
            if found:
                return found
    return None


def explained(call, what):
    what += ' [empty]' * any(0 in t['shape'] for t in call['tensors'])
    return next((why for code, text, why in EXPECTED if re.search(code, f"{call['code']} {call['dtype']}") and re.search(text, what)), None)


def numbers(answer):
    """Yields the numbers of an answer, tensor by tensor."""
    tensors = answer.get('out', []) + [t for key in ('grads', 'second') for t in (answer.get(key) or ()) if isinstance(t, dict)]
    return [t['values'] for t in tensors]


def nearer(mine, theirs, exact, tolerance):
    """Returns whether the largest error of each of our tensors, compared with float64, is at most that of PyTorch's. Errors
    below the tolerance, relative to the largest number of the call, are ignored."""
    if not all(map(len, map(numbers, (mine, theirs, exact)))):
        return False

    def error(a, b):
        if a == b or a != a and b != b:
            return 0
        return abs(a - b) if math.isfinite(a) and math.isfinite(b) else math.inf

    scale = max((abs(v) for values in numbers(exact) for v in values if math.isfinite(v)), default=0)
    for ours, other, truth in zip(numbers(mine), numbers(theirs), numbers(exact), strict=False):
        if len(ours) != len(truth) or len(other) != len(truth):
            return False
        ours, other = (max(map(error, values, truth), default=0) for values in (ours, other))
        if ours > 1.5 * other and not ours <= tolerance * scale:
            return False
    return True


def compare(args, device):
    """Runs the calls on one device and prints differences. Returns ({kind of difference: cases}, {reason: count})."""
    seeds = range(args.seed, args.seed + args.calls)
    kind = ['uncast'] if device == 'cuda' else []
    workers = Worker(sys.executable, 'corten', device, *kind), Worker(args.torch, 'torch', 'cpu', *kind)
    different, reasons, errors = [], collections.Counter(), 0
    for (seed, mine), (other, theirs) in zip(*(w.answers(seeds) for w in workers)):
        assert seed == other
        call = make_call(seed)
        what = difference(call, mine, theirs)
        errors += 'error' in theirs
        if args.calls == 1:
            print(json.dumps(call, indent=1), json.dumps(mine), json.dumps(theirs), sep='\n')
        if what and (why := explained(call, what)):
            reasons[why] += 1
        elif what:
            different.append((call, what, mine, theirs))
    found = collections.defaultdict(list)
    truth = dict(Worker(args.torch, 'torch', 'cpu', 'exact').answers(call['seed'] for call, what, *_ in different if 'values' in what))
    for call, what, mine, theirs in different:
        seed = call['seed']
        if args.calls == 1 and seed in truth:
            print(json.dumps(truth[seed]))
        if seed in truth and nearer(mine, theirs, truth[seed], tolerance_of(call, theirs)):
            reasons[NEARER] += 1
        else:
            kind = re.sub(r'\d+', '#', what.partition(', ')[0] if 'values' in what else what)
            name = re.search(r'(nn|F|U|torch)\.\w+', call['code'])
            found[name[0] if name else call['code'][:30], kind].append((seed, call['code'], call['mode'], call['dtype'], what))
    for (name, kind), cases in sorted(found.items(), key=lambda item: -len(item[1])):
        print(f'{len(cases):5}  {name}  {kind}')
        for case in cases[:args.show]:
            print('         ', *case)
    for why, count in reasons.most_common():
        print(f'{count:5}  as meant: {why}')
    print(f'{args.calls} calls on {device}, {errors} of them refused by PyTorch: {sum(map(len, found.values()))} differences, '
          f'{sum(reasons.values())} more as meant', flush=True)
    return found, reasons


def section(calls, results):
    """Returns Markdown for docs/conformance.md from {device: result of compare()}."""
    reasons = sorted({why for _, counts in results.values() for why in counts}, key=lambda why: -results['cpu'][1][why])
    left = ' and '.join(f'{sum(map(len, found.values()))} on {device}' for device, (found, _) in results.items())
    lines = ['## Random network calls', '',
             f'`tests/conformance/networks.py --calls {calls} --write` made {calls:,} random calls of functions and modules of `torch.nn` on',
             'the CPU, and as many on the fake CUDA device (which runs the code for GPUs without one). It compared each with PyTorch on the',
             'CPU: values, gradients, second derivatives, checkpoints, autocast (on the CPU), types, shapes, strides and errors. No call',
             f'ended the process. Unexplained differences: {left}. The explained ones:', '', '| difference | CPU | CUDA |', '|---|---:|---:|']
    return '\n'.join([*lines, *(f"| {why} | {results['cpu'][1][why]} | {results['cuda'][1][why]} |" for why in reasons)]) + '\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n')[0])
    parser.add_argument('--calls', type=int, default=1000)
    parser.add_argument('--seed', type=int, default=0, help='of the first call')
    parser.add_argument('--device', default='cpu', choices=['cpu', 'cuda'])
    parser.add_argument('--show', type=int, default=2, help='differences shown of each kind')
    parser.add_argument('--write', action='store_true', help='both devices, and the table in docs/conformance.md')
    parser.add_argument('--torch', default=os.environ.get('CORTEN_TORCH_PYTHON'), help='a Python that has PyTorch')
    args = parser.parse_args()
    if not args.torch:
        parser.error('--torch or CORTEN_TORCH_PYTHON must name a Python that has PyTorch')
    results = {device: compare(args, device) for device in (['cpu', 'cuda'] if args.write else [args.device])}
    if args.write:
        page = HERE.parents[1] / 'docs/conformance.md'
        before, _, behind = page.read_text().partition('## Random network calls')
        behind = behind or before[before.index('## What is not there'):]
        before = before.partition('## What is not there')[0]
        page.write_text(before + section(args.calls, results) + '\n' + behind[behind.index('## What is not there'):])
    return any(found for found, _ in results.values())


if __name__ == '__main__':
    sys.exit(main())
