# SPDX-License-Identifier: BSD-3-Clause
"""A tour of Corten in a minute; `make demo` runs it.

Each stop shows lines that you could type yourself, with their output.
"""
import ast
import os
import sys
import time

for library in ('OPENBLAS', 'MKL', 'BLIS', 'OMP'):  # NumPy reads this at import: one thread, for a fair comparison
    os.environ[f'{library}_NUM_THREADS'] = '1'
import numpy

import corten
from corten import nn
from progress import Progress

COLOUR = sys.stdout.isatty()

STOPS = [
    (
        'Tensors',
        'A tensor is a table of numbers of one type with any number of dimensions.',
        """
        x = corten.tensor([[4., 1.], [5., 3.], [2., 1.]])
        x
        x.shape, x.dtype
        x * 2 + 1
        x.sum(), x.mean(0), x.max(1)
        """,
    ),
    (
        'Views of one storage',
        'Slicing, transposing and reshaping copy nothing: they are other ways to see the same memory.',
        """
        a = corten.arange(12)
        m = a.view(3, 4)
        m.t().shape, m.t().stride()
        m[1:, ::2] = 0
        a
        corten.explain(m[:, 1:3])
        """,
    ),
    (
        'Broadcasting',
        'Shapes that differ are stretched where they have size 1. A column times a row is a table.',
        """
        digits = corten.arange(1, 6)
        digits.view(5, 1) * digits
        corten.where(digits % 2 == 0, digits, -digits)
        """,
    ),
    (
        'A line through thirty people',
        'Age in years, systolic blood pressure in mm Hg. Least squares needs three sums.',
        """
        age, pressure = people[:, 0], people[:, 1]
        d = age - age.mean()
        slope = (d * (pressure - pressure.mean())).sum() / (d * d).sum()
        start = pressure.mean() - slope * age.mean()
        print(f'pressure = {slope.item():.3f} * age + {start.item():.2f}')
        """,
    ),
    (
        'Gradients',
        'Corten remembers how a number came about and differentiates it, here of the same error.',
        """
        w = corten.zeros(2, dtype=corten.float64, requires_grad=True)
        table = corten.stack((d / d.std(), corten.ones(30, dtype=corten.float64)), 1)
        loss = ((table @ w - pressure) ** 2).mean()
        loss
        loss.backward()
        w.grad
        descend(60)
        print(f'after 60 steps: slope {(w[0] / d.std()).item():.3f}, as above')
        """,
    ),
]

PEOPLE = [
    [39, 144], [47, 220], [45, 138], [47, 145], [65, 162], [46, 142], [67, 170], [42, 124], [67, 158],
    [56, 154], [64, 162], [56, 150], [59, 140], [34, 110], [42, 128], [48, 130], [45, 135], [17, 114],
    [20, 116], [19, 124], [36, 136], [50, 142], [39, 120], [21, 120], [44, 160], [53, 158], [63, 144],
    [29, 130], [25, 125], [69, 175],
]


def paint(code, text):
    return f'\033[{code}m{text}\033[0m' if COLOUR else text


def title(number, name, words):
    print('\n' + paint('1;36', f'{number}. {name}'))
    print(words + '\n')


def run(source, space):
    """Runs lines like interactive Python and shows each with its result."""
    source = '\n'.join(line.strip() for line in source.strip().split('\n'))
    for node in ast.parse(source).body:
        print(paint('2', '>>> ') + paint('33', ast.get_source_segment(source, node) or ''))
        if isinstance(node, ast.Expr):
            value = eval(compile(ast.Expression(node.value), '<tour>', 'eval'), space)
            if value is not None:
                print(repr(value))
        else:
            exec(compile(ast.Module([node], []), '<tour>', 'exec'), space)


def descender(space):
    """Returns `descend(n)`, which takes n steps of gradient descent on the tour's `w`."""

    def descend(steps):
        w, table, pressure = space['w'], space['table'], space['pressure']
        for _ in range(steps):
            gradient, = corten.autograd.grad(((table @ w - pressure) ** 2).mean(), w)
            with corten.no_grad():
                w -= 0.2 * gradient

    return descend


def share_of_a_core(seconds=0.05):
    """Returns which share of a core, from 0 to 1, this process gets during some seconds of computing."""
    start, busy = time.perf_counter(), time.process_time()
    while time.perf_counter() - start < seconds:
        pass
    return (time.process_time() - busy) / (time.perf_counter() - start)


def wait_for_quiet(patience=10):
    """Waits until a core is idle for a moment. Returns False if that does not happen within `patience` seconds."""
    end = time.perf_counter() + patience
    while not all(share_of_a_core() > 0.97 for _ in range(4)):
        if time.perf_counter() > end:
            return False
        time.sleep(0.2)
    return True


def best(works, budget=0.5):
    """Returns the best time of one call of each work in seconds. They alternate, so that other load slows all of them alike."""
    loops, found = [], []
    for work in works:
        work()
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
        loops.append(max(1, min(10_000, int(0.002 / max(found[-1], 1e-7)))))
    end = time.perf_counter() + budget
    while time.perf_counter() < end:
        for i, work in enumerate(works):
            start = time.perf_counter()
            for _ in range(loops[i]):
                work()
            found[i] = min(found[i], (time.perf_counter() - start) / loops[i])
    return found


def races():
    """Returns [(description, Corten's work, NumPy's work)] on the same data."""
    rng = numpy.random.default_rng(0)
    small, big = rng.random((4, 4), dtype='f4'), rng.random(1_000_000, dtype='f4')
    square = rng.random((500, 500), dtype='f4')
    cs, cb, cq = corten.from_numpy(small), corten.from_numpy(big), corten.from_numpy(square)
    return [
        ('add two 4 x 4', lambda: cs + cs, lambda: small + small),
        ('add a million', lambda: cb + cb, lambda: big + big),
        ('exp of a million', lambda: cb.exp(), lambda: numpy.exp(big)),
        ('sum a million', lambda: cb.sum(), lambda: big.sum()),
        ('a million random normals', lambda: corten.randn(1_000_000), lambda: rng.standard_normal(1_000_000, dtype='f4')),
        ('transpose 500 x 500, copied', lambda: cq.t().contiguous(), lambda: numpy.ascontiguousarray(square.T)),
        ('multiply 500 x 500', lambda: cq @ cq, lambda: square @ square),
    ]


def human(seconds):
    for unit, scale in (('s ', 1), ('ms', 1e-3), ('us', 1e-6)):
        if seconds >= scale:
            return f'{seconds / scale:7.2f} {unit}'
    return f'{seconds * 1e9:7.1f} ns'


def compare():
    threads = corten.get_num_threads()
    corten.set_num_threads(1)
    if not wait_for_quiet():
        print('(other programs keep this machine busy, so the figures are rough)')
    print(f'{"":29}{"Corten":>10}{"NumPy":>13}')
    for name, *works in races():
        a, b = best(works)
        bar = '#' * min(24, max(1, round(4 * b / a)))
        print(f'{name:29}{human(a):>10}{human(b):>13}   {b / a:5.1f} x  ' + paint('32' if b >= a else '31', bar))
    corten.set_num_threads(threads)


def spirals(n):
    """Returns points on two spirals, and the number of the spiral of each point."""
    turn = corten.linspace(0.5, 3.2, n // 2)
    arm = corten.stack([turn * (2 * turn).cos(), turn * (2 * turn).sin()], 1)
    points = corten.cat([arm, -arm]) + 0.08 * corten.randn(n, 2)
    return points, corten.arange(n) // (n // 2)


def learn(steps=240):
    """Trains a network to tell which spiral a point is on, then draws its prediction for the whole plane."""
    corten.manual_seed(0)
    points, label = spirals(400)
    net = nn.Sequential(nn.Linear(2, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 2))
    optimizer = corten.optim.AdamW(net.parameters(), lr=4e-3)
    progress = Progress(steps, width=48)
    for step in range(steps):
        loss = nn.functional.cross_entropy(net(points), label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        progress.show(step, loss.item())
    with corten.no_grad():
        y, x = corten.meshgrid(corten.linspace(3.3, -3.3, 19), corten.linspace(-3.3, 3.3, 57), indexing='ij')
        plane = net(corten.stack([x, y], -1)).softmax(-1)[..., 1]
        right = (net(points).argmax(1) == label).float().mean().item()
    for row in plane.tolist():
        print('    ' + ''.join(' .:+#'[min(int(p * 5), 4)] for p in row))
    print(f'{100 * right:.1f} % of the points are on the side they belong to')


def main():
    start = time.perf_counter()
    print(paint('1', 'Corten') + f' {corten.__version__}: tensors in C, with the words of PyTorch.')
    space = {'corten': corten, 'people': corten.tensor(PEOPLE, dtype=corten.float64)}
    space['descend'] = descender(space)
    for number, (name, words, source) in enumerate(STOPS, 1):
        title(number, name, words)
        run(source, space)
    title(len(STOPS) + 1, 'Learning', 'A network of three layers and a loop; the bars are its loss. Which of two spirals is a point on?')
    learn()
    title(len(STOPS) + 2, 'Speed', 'The best of many runs on the same data, one thread each; the last column is how many times faster.')
    compare()
    print(f'\nThat was {time.perf_counter() - start:.0f} seconds. Next: README.md, examples/c, docs/.')


if __name__ == '__main__':
    main()
