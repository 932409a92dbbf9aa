# SPDX-License-Identifier: BSD-3-Clause
"""Runs calls of network_calls.py in one library: `network_worker.py LIBRARY DEVICE`.

Reads seeds from standard input and prints one JSON line per call, with results and gradients, or the error.
A line with the seed precedes it, so that the parent knows which call ended the process. A third argument
`uncast` disables autocast, whose lists of operations differ between devices. With `exact` the inputs are also
converted to float64 and made contiguous, which gives the result almost without rounding errors and avoids
PyTorch's bugs with layouts (it ignores the strides of sliced running statistics).
"""
import contextlib
import importlib
import json
import random
import sys
import warnings

from network_calls import make_call

SPECIAL = [0.0, -0.0, 1.0, -1.0, float('inf'), float('-inf'), float('nan'), 1e30, -1e-30, 3.0, 6.0]


class Runner:
    def __init__(self, library, device, kind):
        self.torch = importlib.import_module(library)
        self.device = device
        self.exact = kind == 'exact'
        self.casts = kind is None
        self.nn = importlib.import_module(f'{library}.nn')
        self.F = importlib.import_module(f'{library}.nn.functional')
        self.U = importlib.import_module(f'{library}.nn.utils.rnn')
        self.checkpoint = importlib.import_module(f'{library}.utils.checkpoint').checkpoint
        self.torch.set_num_threads(1)

    # ---- inputs ----

    def numbers(self, t, n):
        r = random.Random(t['seed'])
        return {
            'normal': lambda: r.gauss(0, 1), 'positive': lambda: r.uniform(0.1, 2), 'unit': lambda: r.uniform(0.05, 0.95),
            'ties': lambda: float(r.randint(-2, 2)), 'special': lambda: r.choice([*SPECIAL, r.gauss(0, 1), r.gauss(0, 1)]),
            'sign': lambda: r.choice([-1.0, 1.0]), 'index': lambda: r.randrange(max(t['high'] or 1, 1)),
            'mask': lambda: r.random() < 0.7}[t['kind']], n

    def tensor(self, t):
        torch, shape, n = self.torch, t['shape'], 1
        layout = t['layout']
        base = list(shape)
        if layout == 'transposed' and len(base) > 1:
            base[-1], base[-2] = base[-2], base[-1]
        elif layout == 'sliced' and base:
            base[-1] *= 2
        elif layout == 'expanded' and base:
            base[0] = 1
        for s in base:
            n *= s
        draw, n = self.numbers(t, n)
        values = [draw() for _ in range(n)]
        dtype = getattr(torch, t['dtype'])
        if t['dtype'] == 'int64' and t['kind'] != 'index':
            values = [0 if v != v or abs(v) == float('inf') else int(v) for v in values]
        x = torch.tensor(values, dtype=torch.float64 if t['kind'] not in ('index', 'mask') else None).reshape(base).to(dtype)
        x = x.to(self.device)
        if self.exact and x.is_floating_point():
            x = x.double()
        if layout == 'transposed' and len(base) > 1:
            x = x.transpose(-1, -2)
        elif layout == 'sliced' and base:
            x = x[..., ::2]
        elif layout == 'expanded' and base and shape[0]:
            x = x.expand(shape)
        elif layout == 'expanded' and base:
            x = x[:0]
        elif layout == 'channels_last' and len(base) == 4:
            x = x.contiguous(memory_format=torch.channels_last)
        elif layout == 'negated' and t['dtype'] not in ('bool',):
            x = torch._neg_view(-x)
        if self.exact and x.layout == torch.strided:
            x = x.clone(memory_format=torch.contiguous_format)
        if t['grad'] and (x.is_floating_point() or x.is_complex()):
            x.requires_grad_()
        return x

    # ---- the call ----

    def module(self, m):
        """Sets the parameters to values that do not depend on the library's initialisation."""
        with self.torch.no_grad():
            for i, p in enumerate(m.parameters()):
                r = random.Random(i)
                values = self.torch.tensor([r.gauss(0, 0.5) for _ in range(p.numel())], dtype=self.torch.float64)
                p.copy_(values.reshape(p.shape))
        m = m.to(self.device, dtype=self.torch.float64 if self.exact else None)
        self.parameters += list(m.parameters())
        return m

    def run(self, call):
        torch = self.torch
        self.parameters = []
        xs = [self.tensor(t) for t in call['tensors']]
        names = {f'x{i}': x for i, x in enumerate(xs)}
        names.update(torch=torch, nn=self.nn, F=self.F, U=self.U, module=self.module, DTYPE=getattr(torch, call['dtype']),
                     twice=lambda m, x: (m(x), m(x)))
        code = compile(call['code'], 'call', 'eval')
        mode = call['mode']
        context = contextlib.nullcontext()
        if mode == 'no_grad':
            context = torch.no_grad()
        elif mode == 'autocast' and self.casts:
            context = torch.autocast(self.device, dtype=torch.bfloat16)
        torch.manual_seed(0)
        with context:
            if mode == 'checkpoint':
                out = self.checkpoint(lambda *xs: eval(code, {**names, **{f'x{i}': x for i, x in enumerate(xs)}}), *xs,
                                      use_reentrant=False)
            else:
                out = eval(code, names)
        outs = [t for t in self.flat(out) if torch.is_tensor(t)]
        facts = [self.facts(t) for t in outs]
        return {'out': facts, **self.gradients(outs, xs, mode)}

    def flat(self, o):
        if isinstance(o, (tuple, list)):
            return [t for part in o for t in self.flat(part)]
        return [o]

    def gradients(self, outs, xs, mode):
        """Returns the gradients of a sum of all results in which each element has a different weight."""
        torch = self.torch
        wanted = [x for x in xs + self.parameters if x.requires_grad]
        roots = [o for o in outs if o.requires_grad and o.grad_fn is not None]
        if not roots or not wanted:
            return {}
        weights = [torch.linspace(0.5, 1.5, o.numel(), dtype=torch.float64).reshape(o.shape).to(o.dtype).to(self.device) for o in roots]
        try:
            grads = torch.autograd.grad(roots, wanted, weights, allow_unused=True, create_graph=mode == 'double')
            found = {'grads': [None if g is None else self.facts(g) for g in grads]}
            again = [g for g in grads if g is not None and g.requires_grad]
            if mode == 'double' and again:
                second = torch.autograd.grad([g.abs().sum() if g.is_complex() else g.sum() for g in again], wanted, allow_unused=True)
                found['second'] = [None if g is None else self.facts(g) for g in second]
            return found
        except Exception as error:
            return {'grads': self.error(error)}

    @staticmethod
    def error(error):
        return {'error': type(error).__name__, 'text': str(error)[:300]}

    def facts(self, t):
        torch = self.torch
        v = t.detach()
        if v.is_complex():
            v = torch.view_as_real(v.resolve_conj())
        v = v.to(torch.float64) if v.is_floating_point() else v.to(torch.int64)
        return {'shape': list(t.shape), 'dtype': str(t.dtype), 'stride': list(t.stride()), 'grad': t.requires_grad,
                'values': v.reshape(-1).tolist()}

    def answer(self, call):
        try:
            return self.run(call)
        except Exception as error:
            return self.error(error)


def main(library, device, kind=None):
    runner = Runner(library, device, kind)
    warnings.simplefilter('ignore')
    for seed in map(int, sys.stdin):
        print(seed, flush=True)
        print(json.dumps(runner.answer(make_call(seed))), flush=True)


if __name__ == '__main__':
    main(*sys.argv[1:])
