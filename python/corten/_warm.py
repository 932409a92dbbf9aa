# SPDX-License-Identifier: BSD-3-Clause
"""`python -m corten warm-cache`: compiles common kernels ahead of time, so that the first steps of programs are not delayed.

It runs small forward and backward calls in several processes. The compiled kernels stay in the disk cache (CORTEN_CACHE_DIR,
otherwise ~/.cache/corten).
"""
import os
import subprocess
import sys

_EACH = ("abs neg exp log log1p expm1 sqrt rsqrt sin cos tanh sigmoid relu floor ceil round sign square reciprocal erf "
         "isnan isfinite logical_not").split()
_PAIRS = "add sub mul div pow maximum minimum eq ne lt le gt ge atan2".split()
_FOLDS = "sum mean amax amin prod var std norm".split()
_LINES = "argmax argmin cumsum softmax log_softmax logsumexp sort".split()
_ACTIVATIONS = "relu gelu silu elu leaky_relu softplus hardswish hardtanh mish selu tanh sigmoid logsigmoid".split()
_OPTIMIZERS = "SGD Adam AdamW RMSprop Adagrad".split()


def jobs(types):
    """Yields (name, call) for everything to compile; each call is made once."""
    import corten as T
    F, kinds = T.nn.functional, [getattr(T, name) for name in types]

    def made(*shape, dtype=T.float32, grad=False):
        return T.rand(*shape, dtype=T.float32, device="cuda").to(dtype).requires_grad_(grad)

    def ran(function, *inputs):
        out = function(*inputs)
        out = out if isinstance(out, T.Tensor) else out[0]
        if out.requires_grad:
            out.sum().backward()

    for dtype in kinds:
        x, y, row = made(6, 5, dtype=dtype), made(6, 5, dtype=dtype), made(5, dtype=dtype)
        name = str(dtype)[6:]
        for word in _EACH:
            yield f"{word} {name}", lambda f=getattr(T, word), x=x: (f(x), f(x.t()))
        for word in _PAIRS:
            number = T.tensor(2.0, dtype=dtype)  # on the CPU: treated like a Python number
            yield f"{word} {name}", lambda f=getattr(T, word), x=x, y=y, row=row, n=number: (
                f(x, y), f(x, n), f(x, row), f(x, y.t().contiguous().t()))
        for word in _FOLDS:
            yield f"{word} {name}", lambda f=getattr(T, word), x=x: (f(x), f(x, dim=0), f(x, dim=1))
        for word in _LINES:
            yield f"{word} {name}", lambda f=getattr(T, word), x=x: (f(x, dim=0), f(x, dim=1))
        for word in _ACTIVATIONS:
            yield f"{word} {name}", lambda f=getattr(F, word), d=dtype: ran(f, made(6, 5, dtype=d, grad=True))
        for other in kinds + [T.int64, T.bool]:
            yield f"{name} to {other}", lambda x=x, other=other: (x.to(other), x.to(other).to(x.dtype))
        yield f"layers {name}", lambda d=dtype: _layers(T, F, made, ran, d)
        yield f"indices {name}", lambda x=x: _indices(T, x)
    for word in _OPTIMIZERS:
        yield word, lambda word=word: _step(T, word, made)
    yield "random", lambda: (T.randn(9, device="cuda"), T.randint(9, (9,), device="cuda"), T.randperm(9, device="cuda"),
                             F.dropout(made(9)), made(9).bernoulli_(), T.arange(9, device="cuda"))


def _layers(T, F, made, ran, dtype):
    image = made(2, 4, 8, 8, dtype=dtype, grad=True)
    ran(lambda x: F.conv2d(x, made(6, 4, 3, 3, dtype=dtype, grad=True), made(6, dtype=dtype, grad=True), padding=1), image)
    ran(lambda x: F.max_pool2d(x, 2), image)
    ran(lambda x: F.avg_pool2d(x, 2), image)
    ran(lambda x: F.adaptive_avg_pool2d(x, 1), image)
    ran(lambda x: F.batch_norm(x, made(4), made(4), training=True), image)
    ran(lambda x: F.interpolate(x, scale_factor=2), image)
    line = made(6, 8, dtype=dtype, grad=True)
    ran(lambda x: F.linear(x, made(5, 8, dtype=dtype, grad=True), made(5, dtype=dtype, grad=True)), line)
    ran(lambda x: F.layer_norm(x, (8,), made(8, dtype=dtype), made(8, dtype=dtype)), line)
    ran(lambda x: F.cross_entropy(x.float(), T.zeros(6, dtype=T.int64, device="cuda")), line)
    ran(lambda x: F.mse_loss(x, made(6, 8, dtype=dtype)), line)
    ran(lambda x: F.binary_cross_entropy_with_logits(x, made(6, 8, dtype=dtype)), line)
    ran(lambda x: F.embedding(T.arange(3, device="cuda"), x), line)
    heads = made(1, 2, 8, 16, dtype=dtype, grad=True)
    ran(lambda x: F.scaled_dot_product_attention(x, x, x, is_causal=True), heads)


def _indices(T, x):
    index = T.zeros(3, dtype=T.int64, device="cuda")
    x[index], x.index_select(0, index), x.gather(0, index[None]), x[x > 0.5], x.masked_fill(x > 0.5, 0)
    x.clone().scatter_add_(0, index[None], x[:1, :3]), T.cat([x, x]), T.stack([x, x]), T.where(x > 0.5, x, x), x.triu()
    x.topk(2), x.flip(0), x.nonzero()


def _step(T, word, made):
    weights = [made(5, 4, grad=True), made(4, grad=True)]
    optimizer = getattr(T.optim, word)(weights, lr=0.1)
    for _ in range(2):
        sum(w.sum() for w in weights).backward()
        T.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        optimizer.zero_grad()


def part(types, k, n):
    """Runs every n-th call, starting with the k-th, in this process."""
    import corten
    corten.cuda.init()
    count = 0
    for name, call in list(jobs(types))[k::n]:
        try:
            call()
        except (RuntimeError, NotImplementedError, TypeError) as error:  # not supported for this dtype or on this GPU
            print(f"  {name}: {str(error).splitlines()[0]}", file=sys.stderr)
        count += 1
    corten.cuda.synchronize()
    print(count)


def main(argv):
    """The command line: warm-cache [--types float32,bfloat16,float16] [--jobs N]."""
    import corten
    options = dict(zip(argv[::2], argv[1::2]))
    unknown = set(options) - {"--types", "--jobs", "--part"}
    if unknown or len(argv) % 2:
        sys.exit(f"warm-cache: {' '.join(sorted(unknown)) or argv[-1]} is not understood; {main.__doc__}")
    types = options.get("--types", "float32,bfloat16,float16").split(",")
    n = int(options.get("--jobs", min(8, os.cpu_count() or 1)))
    if "--part" in options:
        return part(types, int(options["--part"]), n)
    if not corten.cuda.is_available():
        sys.exit("warm-cache: there is no GPU to compile for")
    command = [sys.executable, "-m", "corten", "warm-cache", "--types", ",".join(types), "--jobs", str(n), "--part"]
    running = [subprocess.Popen([*command, str(k)], stdout=subprocess.PIPE, text=True) for k in range(n)]
    done = [int(p.communicate()[0] or 0) for p in running]
    print(f"{sum(done)} kinds of calls are ready on {corten.cuda.get_device_name()}")
    sys.exit(any(p.returncode for p in running))
