# SPDX-License-Identifier: BSD-3-Clause
"""python -m corten info | demo | bench | explain FILE | warm-cache."""
import os
import sys
import time


def _alone(command, argv):
    """Exits with a usage message if a command without arguments got some."""
    if argv:
        raise SystemExit(f"usage: python -m corten {command}")


def info(argv):
    """Prints the version, the build, and the hardware in use."""
    _alone("info", argv)
    import platform
    import corten
    from .version import __version__ as speaks
    print(f"corten            {corten._C.__version__} (speaks PyTorch {speaks})")
    print(f"python            {platform.python_version()} ({sys.executable})")
    print(f"system            {platform.platform()}")
    print(f"processor         {_processor()}, {os.cpu_count()} logical")
    print(f"threads           {corten.get_num_threads()}")
    config = corten.__config__.show().strip().splitlines()
    for line in config:
        print(f"                  {line.strip()}")
    print(f"lapack            {_lapack()}")
    cards = [corten.cuda.get_device_name(i) for i in range(corten.cuda.device_count())] if corten.cuda.is_available() else []
    print(f"devices           cpu{''.join(f', cuda:{i} {name}' for i, name in enumerate(cards)) or ' (no cuda)'}")
    print(f"package           {os.path.dirname(corten.__file__)}")
    kernels = os.environ.get("CORTEN_CACHE_DIR", os.path.expanduser("~/.cache/corten")) or "none"
    print(f"caches            kernels {kernels}, downloads {corten.hub.get_dir()}")


def _lapack():
    import corten
    try:
        return corten._C._lapack_name()
    except RuntimeError as error:
        return f"none: {error}"


def _processor():
    try:
        with open("/proc/cpuinfo") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        import platform
        return platform.processor() or platform.machine()


def demo(argv):
    """Trains a network on two spirals and saves it."""
    _alone("demo", argv)
    import corten
    from corten import nn
    corten.manual_seed(0)
    n = 300
    t = corten.rand(n) * 3 * 3.14159 + 0.5
    label = corten.arange(n) % 2
    sign = (2 * label - 1).to(corten.float32)
    x = corten.stack([t * corten.cos(t), t * corten.sin(t)], 1) * sign[:, None] / 10 + 0.02 * corten.randn(n, 2)
    net = nn.Sequential(nn.Linear(2, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 2))
    optimizer = corten.optim.Adam(net.parameters(), lr=0.01)
    start = time.perf_counter()
    for step in range(401):
        optimizer.zero_grad()
        out = net(x)
        loss = nn.functional.cross_entropy(out, label)
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            right = (out.argmax(1) == label).to(corten.float32).mean().item()
            print(f"step {step:3d}  loss {loss.item():.4f}  right {100 * right:5.1f} %")
    print(f"{time.perf_counter() - start:.2f} s; what it has learned of the plane:")
    side = corten.linspace(-1.1, 1.1, 33)
    grid = corten.stack([side.repeat(17), corten.linspace(1.1, -1.1, 17).repeat_interleave(33)], 1)
    with corten.no_grad():
        classes = net(grid).argmax(1).view(17, 33).tolist()
    print("\n".join("".join(".#"[c] for c in row) for row in classes))


def bench(argv):
    """Times a few operations."""
    _alone("bench", argv)
    import corten
    from corten.utils.benchmark import Timer
    cases = [
        ("x + y, 1 element", "x + y", {"x": corten.ones(1), "y": corten.ones(1)}),
        ("x + y, 1,000,000", "x + y", {"x": corten.ones(10**6), "y": corten.ones(10**6)}),
        ("exp, 1,000,000", "x.exp()", {"x": corten.ones(10**6)}),
        ("sum, 1,000,000", "x.sum()", {"x": corten.ones(10**6)}),
        ("matmul 500 x 500", "x @ x", {"x": corten.ones(500, 500)}),
        ("sort 100,000", "x.sort()", {"x": corten.rand(10**5)}),
        ("solve 200 x 200", "t.linalg.solve(x, y)", {"x": corten.rand(200, 200) + 200 * corten.eye(200), "y": corten.ones(200),
                                                     "t": corten}),
    ]
    for name, statement, values in cases:
        best = min(Timer(statement, globals=values).blocked_autorange(min_run_time=0.1).times)
        print(f"{name:20s} {best * 1e6:12.2f} us")


def explain(argv):
    """Lists the tensors in a file without running any code from it."""
    if not argv:
        raise SystemExit("usage: python -m corten explain FILE")
    import corten
    from . import serialization
    path = argv[0]
    print(f"{path}: {os.path.getsize(path):,} bytes")
    try:
        content = serialization.load(path, mmap=_is_zip(path), map_location="cpu")
    except Exception as error:
        if not _is_zip(path):
            raise SystemExit(str(error)) from None
        print("it names what is not built without weights_only=False:")
        for name in serialization.get_unsafe_globals_in_checkpoint(path):
            print(f"    {name}")
        raise SystemExit(1) from None
    storages = {}
    count = _show(content, "", storages)
    print(f"{count} tensors in {len(storages)} storages of {sum(storages.values()):,} bytes")
    del corten


def _is_zip(path):
    with open(path, "rb") as file:
        return file.read(4) == b"PK\3\4" and not path.endswith(".npz")


def _show(value, name, storages):
    import corten
    if isinstance(value, corten.Tensor):
        storage = value.untyped_storage()
        shared = " (shared)" if storage.data_ptr() in storages else ""
        storages[storage.data_ptr()] = storage.nbytes()
        print(f"    {name or '(the whole file)':40s} {str(value.dtype).removeprefix('torch.'):10s} {tuple(value.shape)}{shared}")
        return 1
    if isinstance(value, dict):
        return sum(_show(v, f"{name}.{k}" if name else str(k), storages) for k, v in value.items())
    if isinstance(value, (list, tuple)) and not isinstance(value, corten.Size):
        return sum(_show(v, f"{name}[{i}]", storages) for i, v in enumerate(value))
    text = repr(value)
    print(f"    {name:40s} {text if len(text) < 60 else text[:57] + '...'}")
    return 0


def warm_cache(argv):
    """Compiles the usual GPU kernels ahead of time."""
    from . import _warm
    _warm.main(argv)


COMMANDS = {"info": info, "demo": demo, "bench": bench, "explain": explain, "warm-cache": warm_cache}
