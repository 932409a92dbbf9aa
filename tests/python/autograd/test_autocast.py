# SPDX-License-Identifier: BSD-3-Clause
"""autocast: the data type that each operation computes in, on the CPU and on the fake GPU; cache, nesting, threads and errors."""
import copy
import os
import subprocess
import sys
import threading
import warnings

import pytest

import corten as torch
from corten import nn
from corten.nn import functional as F

# The operations that PyTorch 2.15 casts, by device type and kind of cast. `x` and `y` are 4x4 float matrices, `p` has values between
# 0 and 1, `s` is symmetric positive definite, `v` is a vector, `b` is 2x4x4, `i` is 2x4x8x8, `d` is 2x4x4x4x4; `n` holds class indices.
LOW = """torch.mm(x, y); x @ y; torch.matmul(x, v); torch.bmm(b, b); torch.addmm(x, x, y); torch.baddbmm(b, b, b); torch.addbmm(x, b, b)
F.linear(x, y); F.linear(x, y, v); torch.linalg.vecdot(x, y); torch.einsum('ij,jk->ik', x, y); torch.chain_matmul(x, y, x)
torch.linalg.multi_dot([x, y, x]); F.prelu(x, v[:1]); F.scaled_dot_product_attention(b, b, b); F.conv1d(b, b); F.conv2d(i, i[:, :, :3, :3])
F.conv3d(d, d); F.conv_transpose1d(b, b); F.conv_transpose2d(i[:1], i[:, :, :3, :3].transpose(0, 1)[:4]); F.conv1d(b, b, padding='same')"""
CPU_FULL = """x.prod(); x.prod(0); torch.quantile(x, 0.5); torch.nanquantile(x, 0.5); torch.cdist(x, y); x.trace(); torch.inverse(s)
torch.linalg.inv(s); torch.linalg.svdvals(x); torch.linalg.qr(x)[1]; torch.linalg.eigvalsh(s); torch.linalg.cholesky(s); torch.linalg.solve(s, x)
torch.linalg.matrix_rank(x).float(); torch.linalg.cond(s); torch.linalg.lstsq(s, x)[0]; torch.pinverse(s); torch.linalg.tensorinv(s.reshape(2, 2, 4))
torch.geqrf(x)[0]; torch.svd(x)[1]; torch.cholesky_solve(x, s); torch.linalg.householder_product(x, v); torch.lu(s)[0]
torch.view_as_real(torch.fft.fft(x)); torch.fft.irfft(torch.fft.rfft(x)); torch.view_as_real(torch.polar(x, y))
F.avg_pool3d(d, 2); F.max_pool3d(d, 2); F.adaptive_avg_pool3d(d, 2); F.adaptive_max_pool3d(d, 2); F.pad(b, (1, 1), 'reflect')
F.pad(i, (1, 1, 1, 1), 'reflect'); F.pad(b, (1, 1), 'replicate'); F.pad(i, (1, 1, 1, 1), 'replicate'); F.pad(d, (1, 1, 1, 1, 1, 1), 'replicate')
F.grid_sample(i, i[:, :2].permute(0, 2, 3, 1), align_corners=False); F.binary_cross_entropy(p, p)"""
LOSSES = """F.cross_entropy(x, n); F.nll_loss(x, n); F.mse_loss(x, y); F.l1_loss(x, y); F.smooth_l1_loss(x, y); F.huber_loss(x, y)
F.soft_margin_loss(x, y); F.hinge_embedding_loss(x, y); F.margin_ranking_loss(v, v, v); F.poisson_nll_loss(x, y); F.kl_div(x, p, reduction='sum')
F.triplet_margin_loss(x, y, x); F.multi_margin_loss(x, n); F.multilabel_margin_loss(x, n.expand(4, 4)); F.cosine_embedding_loss(x, y, n)
F.binary_cross_entropy_with_logits(x, p)"""
CUDA_FULL = """p.acos(); p.asin(); x.cosh(); p.erfinv(); x.exp(); x.expm1(); p.log(); p.log10(); p.log2(); p.log1p(); p.reciprocal(); p.rsqrt(); x.sinh()
x.tan(); p ** 2; 2 ** x; torch.pow(p, y); F.softplus(x); F.layer_norm(x, (4,)); F.rms_norm(x, (4,)); F.group_norm(i, 2); x.logsumexp(0)
torch.dist(x, y); torch.cdist(x, y); F.pdist(x); F.cosine_similarity(x, y); F.pairwise_distance(x, y); torch.renorm(x, 2, 0, 1.0)
F.interpolate(i, 4, mode='nearest'); F.interpolate(i, 4, mode='bilinear'); F.interpolate(b, 3, mode='linear')"""
CUDA_RESULT = """x.sum(); x.sum(0); x.prod(); x.cumsum(0); x.cumprod(0); x.softmax(0); F.log_softmax(x, 0); x.norm(); torch.linalg.vector_norm(x)
torch.linalg.matrix_norm(x); torch.linalg.norm(x); F.normalize(x)"""
CUDA_LOW = "torch.mv(x, v); torch.addmv(v, x, v); torch.addr(x, v, v)"
CPU_PLAIN = "torch.mv(x, v); torch.dot(v, v); x.exp(); x.sum(); F.layer_norm(x, (4,)); x.softmax(0); F.gelu(x); x.cumsum(0); F.max_pool2d(i, 2)"
CUDA_PLAIN = "F.gelu(x); x.relu(); x + y; x.mean(); F.max_pool2d(i, 2); F.batch_norm(x, None, None, training=True); x.trace()"


def inputs(device, dtype):
    torch.manual_seed(0)
    x, y = torch.randn(4, 4), torch.randn(4, 4)
    made = {"x": x, "y": y, "p": torch.rand(4, 4) * 0.8 + 0.1, "s": x @ x.t() + 4 * torch.eye(4), "v": torch.randn(4),
            "b": torch.randn(2, 4, 4).repeat(2, 1, 1)[:4], "i": torch.randn(4, 4, 8, 8), "d": torch.randn(4, 4, 4, 4, 4)}
    made = {k: v.to(device, dtype) for k, v in made.items()}
    return {"torch": torch, "F": F, "n": torch.tensor([0, 1, 3, 1], device=device), **made}


def check(device, calls, wanted, casts_to, given, low):
    """Each result has the type `wanted` and the values computed without autocast from arguments of type `casts_to`."""
    for call in filter(None, (c.strip() for c in calls.replace("\n", ";").split(";"))):
        start = inputs(device, given)
        with torch.autocast(device, dtype=low):
            found = eval(call, start)
        assert found.dtype is wanted, f"{call} of {given} on {device}: {found.dtype}, not {wanted}"
        if casts_to is not None:
            start = {k: v.to(casts_to) if k in "xypsvbid" else v for k, v in start.items()}
            # The order of summation may depend on the layout of a cast, so the last bit may differ.
            torch.testing.assert_close(found, eval(call, start), equal_nan=True, msg=lambda text: f"{call}: {text}")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("low", [torch.bfloat16, torch.float16])
def test_classes_on_the_cpu(low):
    for given in (torch.float32, low):
        check("cpu", LOW, low, low, given, low)
        check("cpu", CPU_FULL, torch.float32, torch.float32, given, low)
        check("cpu", LOSSES, torch.float32, torch.float32, given, low)
        check("cpu", CPU_PLAIN, given, given, given, low)


def fake_cuda(program, **env):
    """Runs a program with this module's imports on two fake GPUs."""
    head = f"import sys; sys.path.insert(0, {os.path.dirname(__file__)!r})\nfrom test_autocast import *\n"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", head + program], capture_output=True, text=True,
                          env={**os.environ, "CORTEN_FAKE_CUDA": "2", **env})
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("low", ["float16", "bfloat16"])
def test_classes_on_a_gpu(low):
    fake_cuda(f"""
low = torch.{low}
for given in (torch.float32, low):
    check("cuda", LOW + ";" + CUDA_LOW, low, low, given, low)
    check("cuda", CUDA_FULL + ";" + LOSSES + ";" + CUDA_RESULT, torch.float32, None, given, low)
    check("cuda", CUDA_PLAIN, given, given, given, low)
check("cuda", CUDA_FULL + ";" + LOSSES, torch.float32, torch.float32, torch.float32, low)
""")


def test_cuda_alone_and_both():
    fake_cuda("""
a, c = torch.ones(4, 4, device="cuda"), torch.ones(4, 4)
layer = nn.Linear(4, 4).cuda()
with torch.autocast("cuda"):
    assert torch.is_autocast_enabled() and torch.is_autocast_enabled("cuda") and not torch.is_autocast_enabled("cpu")
    assert layer(a).dtype is torch.float16 and (c @ c).dtype is torch.float32
    with torch.autocast("cpu"):
        assert (a @ a).dtype is torch.float16 and (c @ c).dtype is torch.bfloat16
        with torch.autocast("cuda", enabled=False):
            assert (a @ a).dtype is torch.float32 and (c @ c).dtype is torch.bfloat16
    assert (c @ c).dtype is torch.float32
    assert torch.ops.aten.mm(a, a).dtype is torch.float16
    assert (a.half() + a).dtype is torch.float32 and torch.cat([a, a.half()]).dtype is torch.float32
    with torch.no_grad():
        assert torch.sum(a.half(), dtype=torch.float16).dtype is torch.float16 and a.half().sum().dtype is torch.float32
        assert a.half().exp_().dtype is torch.float16 and torch.mm(a, a, out=torch.empty_like(a)).dtype is torch.float32
    for name in ("dot", "atan2", "tensordot", "vdot"):
        v = a[0] if name != "tensordot" else a
        assert getattr(torch, name)(v.half(), v, *([1] if name == "tensordot" else [])).dtype is torch.float32, name
        assert getattr(torch, name)(v.half(), v.half(), *([1] if name == "tensordot" else [])).dtype is torch.float16, name
    assert torch.addcmul(a.half(), a, a.half()).dtype is torch.float32
    assert a.half().index_put((torch.tensor([0]).cuda(),), a[0]).dtype is torch.float32
    assert a.half().scatter_add(0, torch.zeros(1, 4, dtype=torch.int64).cuda(), a).dtype is torch.float32
    try:
        F.binary_cross_entropy(a, a)
        raise SystemExit("binary_cross_entropy is accepted")
    except RuntimeError as e:
        assert "unsafe to autocast" in str(e)
    assert (a @ a).dtype is torch.float16
with torch.cuda.amp.autocast(dtype=torch.bfloat16):
    y = layer(a)
assert y.dtype is torch.bfloat16
y.float().sum().backward()
assert layer.weight.grad.dtype is torch.float32 and layer.weight.grad.device.type == "cuda"
for kind in ("LSTM", "GRU", "RNN"):
    with torch.autocast("cuda"):
        out = getattr(nn, kind)(4, 8).cuda()(a[None])[0]
    assert out.dtype is torch.float16, kind
    with torch.autocast("cuda"):
        out = getattr(nn, kind + "Cell")(4, 8).cuda()(a)
    assert (out[0] if isinstance(out, tuple) else out).dtype is torch.float16, kind
""")


# ---- recurrent networks ----

def first(result):
    return result[0] if isinstance(result, tuple) else result


STATES = {"LSTM": torch.float32, "GRU": torch.float32, "RNN": None}  # None: the lower-precision type


@pytest.mark.parametrize("options", [{}, {"bidirectional": True}, {"num_layers": 3}, {"bias": False}, {"batch_first": True}, {"proj_size": 8},
                                     {"num_layers": 2, "dropout": 0.5, "bidirectional": True}], ids=str)
@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
@pytest.mark.parametrize("packed", [False, True])
def test_recurrent_networks(kind, options, packed):
    if kind != "LSTM" and "proj_size" in options:
        return
    torch.manual_seed(0)
    layer, low = getattr(nn, kind)(16, 32, **options), torch.bfloat16
    reference = copy.deepcopy(layer)
    x = torch.randn(6, 6, 16)
    if packed:
        x = nn.utils.rnn.pack_padded_sequence(x, [6, 6, 5, 3, 2, 1], batch_first="batch_first" in options)
    data = (lambda y: y.data) if packed else (lambda y: y)
    torch.manual_seed(1)
    plain = data(reference(x)[0])
    plain.sum().backward()
    wide = kind == "GRU" or (kind == "LSTM" and packed and "proj_size" not in options)
    seen = []
    for _ in range(3):
        torch.manual_seed(1)
        layer.zero_grad()
        with torch.autocast("cpu"):
            out, hidden = layer(x)
        out = data(out)
        seen.append(out.detach().float())
        out.float().sum().backward()
    assert out.dtype is (torch.float32 if wide else low)
    cell = hidden[1] if kind == "LSTM" else None
    assert first(hidden).dtype is out.dtype
    if cell is not None:
        assert cell.dtype is (torch.float32 if packed or "proj_size" in options else low)
    assert all(torch.equal(seen[0], s) for s in seen)
    # bfloat16 has 8 significant bits, and each step adds the rounding errors of all gates.
    torch.testing.assert_close(seen[0], plain, rtol=0, atol=0.05)
    for got, want in zip(layer.parameters(), reference.parameters()):
        assert got.grad.dtype is torch.float32
        torch.testing.assert_close(got.grad, want.grad, rtol=0.05, atol=0.05 * want.grad.abs().max().item())


@pytest.mark.parametrize("kind", ["LSTMCell", "GRUCell", "RNNCell"])
def test_recurrent_cells(kind):
    torch.manual_seed(0)
    cell, x, low = getattr(nn, kind)(16, 32), torch.randn(8, 16), torch.float16
    plain = first(cell(x))
    for given, state in ((torch.float32, None), (torch.float32, torch.float32), (low, torch.float32), (torch.float32, low), (low, None)):
        h = None if state is None else torch.zeros(8, 32, dtype=state)
        with torch.autocast("cpu", dtype=low):
            out = first(cell(x.to(given), (h, h) if h is not None and kind == "LSTMCell" else h))
        wide = kind != "RNNCell" and (state or given) is torch.float32
        assert out.dtype is (torch.float32 if wide else low), (given, state)
        torch.testing.assert_close(out.float(), plain, rtol=0, atol=5e-3)
        out.float().sum().backward()


def test_double_precision_is_left_alone():
    for layer in (nn.LSTM(4, 5), nn.GRU(4, 5), nn.RNN(4, 5)):
        x = torch.randn(3, 2, 4, dtype=torch.float64)
        layer = layer.double()
        with torch.autocast("cpu"):
            assert torch.equal(layer(x)[0], layer(x)[0]) and layer(x)[0].dtype is torch.float64
    x = torch.randn(4, 4, dtype=torch.float64)
    with torch.autocast("cpu"):
        assert (x @ x).dtype is torch.float64 and F.mse_loss(x, x).dtype is torch.float64
        assert torch.cat([x, x.float()]).dtype is torch.float64 and torch.stack([torch.ones(2, dtype=torch.int64)]).dtype is torch.int64


# ---- the widest type ----

def test_the_widest_type():
    x = torch.ones(2, 2)
    with torch.autocast("cpu"):
        assert torch.cat([x.bfloat16(), x.bfloat16()]).dtype is torch.bfloat16
        assert torch.stack([x.bfloat16(), x]).dtype is torch.cat([x, x.half()]).dtype is torch.float32
        assert torch.index_copy(x.bfloat16(), 0, torch.tensor([0]), x[:1]).dtype is torch.float32
        with pytest.raises(RuntimeError, match="Unexpected floating ScalarType in at::autocast::prioritize"):
            torch.cat([x.bfloat16(), x.half()])
        assert (x @ x).dtype is torch.bfloat16


# ---- the scope ----

def test_functions_in_place_and_with_out_are_left_alone():
    torch.manual_seed(0)
    x, y = torch.randn(4, 4), torch.randn(4, 4)
    want = torch.addmm(x, x, y)
    with torch.autocast("cpu"):
        assert torch.equal(x.clone().addmm_(x, y), want)
        assert torch.equal(torch.addmm(x, x, y, out=torch.empty(4, 4)), want)
        assert torch.addmm(x, x, y).dtype is torch.bfloat16
        assert torch.linalg.inv(x, out=torch.empty(4, 4)).dtype is torch.float32


def test_a_backward_inside_equals_one_outside():
    torch.manual_seed(0)
    net, x = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.GELU(), nn.Linear(8, 3)), torch.randn(5, 4)
    grads = []
    for inside in (True, False):
        net.zero_grad()
        with torch.autocast("cpu"):
            loss = F.cross_entropy(net(x), torch.tensor([0, 1, 2, 0, 1]))
            if inside:
                loss.backward()
        if not inside:
            loss.backward()
        grads.append([p.grad.clone() for p in net.parameters()])
    assert all(torch.equal(a, b) for a, b in zip(*grads))


def test_threads_have_their_own_state():
    x, seen, run = torch.ones(2, 2), {}, torch.autocast("cpu")(lambda: (torch.ones(2, 2) @ torch.ones(2, 2)).dtype)

    def other():
        seen["other"] = torch.is_autocast_enabled("cpu"), (x @ x).dtype, run(), (x @ x).dtype

    with torch.autocast("cpu"):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert (x @ x).dtype is torch.bfloat16
    assert seen["other"] == (False, torch.float32, torch.bfloat16, torch.float32)


def test_a_block_entered_again_while_it_is_open():
    block, seen = torch.autocast("cpu"), []

    @block
    def down(n):
        seen.append(torch.is_autocast_enabled("cpu"))
        if n:
            down(n - 1)
        seen.append(torch.is_autocast_enabled("cpu"))
    down(2)
    assert seen == [True] * 6 and not torch.is_autocast_enabled("cpu")
    copy.deepcopy(block)


def test_switches_and_words():
    assert torch.get_autocast_dtype("cpu") is torch.bfloat16 and torch.get_autocast_dtype("cuda") is torch.float16
    assert torch.get_autocast_dtype("hpu") is torch.bfloat16 and not torch.is_autocast_enabled("xpu")
    x = torch.ones(2, 2)
    torch.set_autocast_enabled("cpu", True)
    torch.set_autocast_dtype("cpu", torch.float16)
    try:
        assert (x @ x).dtype is torch.float16
    finally:
        torch.set_autocast_enabled("cpu", False)
        torch.set_autocast_dtype("cpu", torch.bfloat16)
    assert torch.autocast_increment_nesting() == 1 and torch.autocast_decrement_nesting() == 0
    with pytest.raises(RuntimeError, match="unsupported scalarType"):
        torch.autocast("meta")
    with pytest.raises(TypeError, match="requires a callable, but got int"):
        torch.autocast("cpu")(3)
    with pytest.warns(UserWarning, match="CPU Autocast only supports dtypes of torch.bfloat16, torch.float16 currently"):
        with torch.autocast("cpu", dtype=torch.float32):
            assert not torch.is_autocast_enabled("cpu") and torch.get_autocast_dtype("cpu") is torch.float32
    assert torch.get_autocast_dtype("cpu") is torch.bfloat16
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with torch.autocast("cpu", enabled=False, dtype=torch.float64):
            assert (x @ x).dtype is torch.float32
    assert not said


# ---- the cache of parameters ----

def casts(y):
    """The autograd nodes that cast the operands of a matrix product."""
    return [node for node, _ in y.grad_fn.next_functions if node is not None]


def test_a_parameter_is_cast_once_in_a_block():
    torch.manual_seed(0)
    w, x = torch.randn(4, 4, requires_grad=True), torch.randn(4, 4)
    with torch.autocast("cpu"):
        with torch.no_grad():
            assert not (x @ w).requires_grad
        a = x @ w
        with torch.autocast("cpu", enabled=False):
            pass
        b = x @ w
        assert casts(a) == casts(b) != []
        assert torch.autocast("cpu")(lambda: casts(x @ w))() == casts(a)
        with torch.autocast("cpu", dtype=torch.float16):
            assert (x @ w).dtype is torch.float16
        with torch.no_grad():
            w.add_(1)
        assert torch.equal(x @ w, a)  # as in PyTorch, the cached cast is used until the outermost block ends
        torch.clear_autocast_cache()
        assert not torch.equal(x @ w, a)
    with torch.autocast("cpu"):
        assert casts(x @ w) != casts(a)
    # Both gradients are added in bfloat16, then cast back once.
    (a.float().sum() + b.float().sum() * 1.01).backward()
    one, two = x.bfloat16().t() @ torch.ones(4, 4).bfloat16(), x.bfloat16().t() @ (torch.ones(4, 4) * 1.01).bfloat16()
    assert torch.equal(w.grad, (one + two).float())


def test_without_the_cache():
    w, x = torch.ones(4, 4, requires_grad=True), torch.ones(4, 4)
    assert torch.is_autocast_cache_enabled()
    with torch.autocast("cpu", cache_enabled=False):
        assert not torch.is_autocast_cache_enabled()
        assert casts(x @ w) != casts(x @ w)
        with torch.autocast("cpu"):
            assert not torch.is_autocast_cache_enabled()
    assert torch.is_autocast_cache_enabled()
    torch.set_autocast_cache_enabled(False)
    try:
        assert not torch.is_autocast_cache_enabled()
    finally:
        torch.set_autocast_cache_enabled(True)
    with pytest.raises(TypeError):
        torch.set_autocast_cache_enabled(1)


def test_the_cache_is_empty_after_the_block():
    import gc
    import weakref
    with torch.autocast("cpu"):
        w = torch.ones(4, 4, requires_grad=True)
        seen = weakref.ref(w)
        torch.ones(4, 4) @ w
        views = [torch.ones(4, 4) @ w[i:i + 2].t() for i in range(2)]
    del w, views
    gc.collect()
    assert seen() is None


# ---- custom functions, transforms, modes ----

def test_custom_functions():
    seen = []

    class Product(torch.autograd.Function):
        @staticmethod
        @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
        def forward(ctx, a, b):
            ctx.save_for_backward(a, b)
            seen.append((a.dtype, torch.is_autocast_enabled("cpu")))
            return a @ b

        @staticmethod
        @torch.amp.custom_bwd(device_type="cpu")
        def backward(ctx, grad):
            a, b = ctx.saved_tensors
            seen.append((grad.dtype, torch.is_autocast_enabled("cpu")))
            return grad @ b.t(), a.t() @ grad

    class Plain(torch.autograd.Function):
        @staticmethod
        @torch.amp.custom_fwd(device_type="cpu")
        def forward(ctx, a):
            ctx.save_for_backward(a)
            return a @ a

        @staticmethod
        @torch.amp.custom_bwd(device_type="cpu")
        def backward(ctx, grad):
            seen.append((torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu")))
            a, = ctx.saved_tensors
            return grad @ a.t() + a.t() @ grad

    x = torch.ones(2, 2, requires_grad=True)
    with torch.autocast("cpu", dtype=torch.float16):
        y, z = Product.apply(x.half(), x), Plain.apply(x)
    assert y.dtype is torch.float32 and z.dtype is torch.float16
    (y.sum() + z.sum().float()).backward()
    assert (torch.float32, False) in seen and (True, torch.float16) in seen and len(seen) == 3
    assert x.grad.dtype is torch.float32


def test_transforms_and_modes():
    torch.manual_seed(0)
    w, x = torch.randn(4, 4), torch.randn(3, 4)

    def loss(w, x):
        return F.mse_loss(x @ w, torch.zeros(3, 4, dtype=torch.bfloat16))
    with torch.autocast("cpu"):
        grad = torch.func.grad(loss)(w, x)
        rows = torch.func.vmap(lambda row: row @ w)(x)
        assert rows.dtype is torch.bfloat16 and torch.equal(rows, x @ w)
    assert grad.dtype is torch.float32
    w.requires_grad_()
    with torch.autocast("cpu"):
        loss(w, x).backward()
    assert torch.equal(w.grad, grad)
    with torch.autocast("cpu"), torch.inference_mode():
        assert (x @ w).dtype is torch.bfloat16
    with torch.autocast("cpu"):
        (x @ w).sum().backward()
        _, tangent = torch.func.jvp(lambda a: a @ w.detach(), (x,), (torch.ones_like(x),))
        assert tangent.dtype is torch.bfloat16


def test_saved_tensor_hooks_see_the_state_of_the_program():
    seen = []
    w = torch.ones(2, 2, requires_grad=True)

    def unpack(t):
        seen.append((torch.is_autocast_enabled("cpu"), (torch.ones(2, 2) @ torch.ones(2, 2)).dtype))
        return t
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, unpack):
        y = w.exp()
    with torch.autocast("cpu"):
        y.sum().backward()
    assert seen == [(True, torch.bfloat16)]


@pytest.mark.parametrize("kind", ["LSTM", "GRU", "RNN"])
@pytest.mark.parametrize("made", [torch.float16, torch.float32])
def test_states_of_the_other_half_precision(kind, made):
    """float16 states and bfloat16 gates promote to float32; a plain RNN casts its states to the lower-precision type."""
    x, want = torch.ones(4, 2, 3, dtype=torch.float16), torch.bfloat16 if kind == "RNN" else torch.float32
    network, cell = getattr(torch.nn, kind)(3, 2, num_layers=2, bidirectional=True, dtype=made), getattr(torch.nn, kind + "Cell")(3, 2)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y, state = network(x)
        step = cell(x[0])
    state, step = (t[0] if isinstance(t, tuple) else t for t in (state, step))
    assert [t.dtype for t in (y, state, step)] == [want] * 3
    y.sum().backward()
    assert all(p.grad.dtype is made and p.grad.isfinite().all() for p in network.parameters())


@pytest.mark.parametrize("lengths, low", [([3, 3], True), ([3, 2], False)])
def test_a_packed_lstm_of_one_length_is_as_one_that_is_not_packed(lengths, low):
    net = torch.nn.LSTM(4, 5, num_layers=2)
    packed = torch.nn.utils.rnn.pack_padded_sequence(torch.rand(3, 2, 4), lengths)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out, (h, c) = net(packed)
    assert {out.data.dtype, h.dtype, c.dtype} == {torch.bfloat16 if low else torch.float32}


def test_local_response_norm_averages_three_dims_in_float32():
    with torch.autocast("cpu", dtype=torch.bfloat16):
        norm = torch.nn.functional.local_response_norm
        assert norm(torch.rand(2, 3, 4, 5).half(), 2).dtype is torch.float32
        assert norm(torch.rand(2, 3, 4).bfloat16(), 2).dtype is torch.bfloat16
