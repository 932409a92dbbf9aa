# SPDX-License-Identifier: BSD-3-Clause
"""Times Fourier transforms of random sizes."""
import corten

from .. import Timer

__all__ = ["run_benchmark"]

_ODD = (3, 5, 7)


def _sizes(generator, dims, regular):
    """Draws random sizes: regular ones are products of 2, 3, 5 and 7, others are arbitrary."""
    most = {1: 1 << 18, 2: 1 << 9, 3: 1 << 6}[dims]

    def one():
        if generator.random() >= regular:
            return generator.randint(2, most)
        n = 2
        while n < most // 8:
            n *= generator.choice((2, 2, 2, *_ODD))
        return n
    return tuple(one() for _ in range(dims))


def run_benchmark(name, function, dtype, seed, device, samples, probability_regular):
    """Times `function(x, dim=dims)` on `samples` random tensors; returns the list of Measurements.

    name: the label of the measurements. probability_regular: the fraction of sizes with only small prime factors.
    """
    import random
    generator, results = random.Random(seed), []
    for _ in range(samples):
        shape = _sizes(generator, generator.randint(1, 3), probability_regular)
        dims = tuple(range(len(shape)))
        x = corten.randn(shape, dtype=dtype, device=device)
        timer = Timer("func(x, dim=dim)", globals={"func": function, "x": x, "dim": dims}, label=name, sub_label=str(shape),
                      description=f"dim={dims}")
        results.append(timer.blocked_autorange(min_run_time=0.01))
        results[-1].metadata = {"shape": shape, "dim": dims}
    return results
