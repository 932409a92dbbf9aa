# SPDX-License-Identifier: BSD-3-Clause
"""Objects, hooks and threads that change data while Corten uses it. Each case once read or wrote memory out of bounds;
`make sanitize` detects errors that a plain run may survive by luck."""
import ctypes
import gc
import io
import pathlib
import pickle
import subprocess
import sys
import threading

import pytest

import corten

np = pytest.importorskip("numpy")


class Clears:
    """An index object that empties a list while the list is being read."""

    def __init__(self, victim):
        self.victim = victim

    def __index__(self):
        self.victim.clear()
        return 1


# ---- gradients ----


@pytest.mark.parametrize("name, args", [("unsqueeze_", (0,)), ("t_", ()), ("squeeze_", ()), ("transpose_", (0, 1)),
                                        ("as_strided_", ((3, 2), (2, 1)))])
def test_retained_gradient_outlives_its_tensor(name, args):
    x = corten.ones(2, 3, requires_grad=True)
    y = x * 2
    y.retain_grad()
    z = (y * 3).sum()
    getattr(y, name)(*args)
    del y
    others = [corten.ones(2, 3) for _ in range(50)]
    z.backward()
    assert all(o.grad is None for o in others) and x.grad.sum() == 36


def test_retained_gradient_follows_writes():
    x = corten.ones(3, requires_grad=True)
    y = x * 2
    y.retain_grad()
    y.mul_(5)
    (y * corten.tensor([1., 2., 3.])).sum().backward()
    assert y.grad.tolist() == [1, 2, 3] and x.grad.tolist() == [10, 20, 30]


@pytest.mark.parametrize("of", [lambda p: p, lambda p: (p * 2).grad_fn])
@pytest.mark.parametrize("name", ["register_hook", "register_prehook", "register_post_accumulate_grad_hook"])
def test_hooks_come_and_go_while_backward_runs(of, name):
    p = corten.ones(3, requires_grad=True)
    target = of(p)
    if not hasattr(target, name):
        pytest.skip("not a hook of this object")
    y = p * 2 if target is p else None
    root = target if y is None else None
    rounds = 300

    def back():
        for _ in range(rounds):
            if root is None:
                (p * 2).sum().backward()
            else:
                root(corten.ones(3))

    def hook():
        for _ in range(rounds):
            getattr(target, name)(lambda *g: None).remove()
    threads = [threading.Thread(target=f) for f in (back, back, hook, hook)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


def test_removed_hook_is_not_called_and_dropped_once():
    calls = []

    class Hook:
        def __call__(self, grad):
            calls.append(1)
            handle.remove()  # removes itself while it runs

        def __del__(self):
            calls.append("gone")
    p = corten.ones(2, requires_grad=True)
    handle = p.register_hook(Hook())
    for _ in range(3):
        (p * 2).sum().backward()
    assert calls == [1, "gone"]


@pytest.mark.parametrize("value", [10 ** 9, -5, 10])
def test_saved_index_is_checked_again(value):
    x = corten.ones(10, requires_grad=True)
    i = corten.tensor([1, 2, 3])
    for f in (lambda: x.gather(0, i), lambda: x.take(i), lambda: x[i], lambda: x.index_fill(0, i, 2.),
              lambda: x.index_add(0, i, x[:3]), lambda: x.index_copy(0, i, x[:3]), lambda: x.scatter(0, i, x[:3])):
        y = f()
        i.data.fill_(value)
        try:  # a negative index that is in range is allowed
            y.sum().backward()
        except (IndexError, RuntimeError):
            pass
        i = corten.tensor([1, 2, 3])
    i = corten.tensor([1, 2, 3])
    y = x.index_select(0, i)
    i.data.fill_(value)
    with pytest.raises(IndexError, match="index out of range in self"):
        y.sum().backward()


@pytest.mark.parametrize("f", [lambda x: x[2:5], lambda x: x.softmax(0), lambda x: x.log_softmax(0), lambda x: x.select(0, 3),
                               lambda x: x.take(corten.tensor([1, 2])), lambda x: x.index_select(0, corten.tensor([1, 2])),
                               lambda x: x.sum(), lambda x: x.cumsum(0), lambda x: x.sort()[0], lambda x: x.unfold(0, 3, 1)])
def test_node_refuses_a_gradient_of_another_shape(f):
    x = corten.ones(12, requires_grad=True)
    for shape in ((7,), (1, 1), (0,), (2, 3, 4)):
        with pytest.raises((RuntimeError, TypeError)):
            f(x).grad_fn(corten.ones(shape))


def test_hook_that_changes_the_shape_in_place():
    def squash(grad):
        grad.resize_(1)
    for f in (lambda x: x.softmax(0), lambda x: x[:4], lambda x: x.index_select(0, corten.tensor([0, 5]))):
        x = corten.ones(6, requires_grad=True)
        y = f(x)
        y.register_hook(squash)
        with pytest.raises(RuntimeError):
            (y * 2).sum().backward()


def test_data_of_fewer_dims_after_forward():
    x = corten.ones(2, 3, 4, requires_grad=True)
    for f in (lambda x: x.cumprod(2), lambda x: x.prod(2), lambda x: x.amax(1), lambda x: x.var(2)):
        y = f(x)
        keep = x.data
        x.data = corten.ones(2)
        with pytest.raises(RuntimeError):
            y.sum().backward()
        x.data = keep


@pytest.mark.parametrize("dtype", [corten.int8, corten.float16, corten.bfloat16])
def test_unpacked_as_a_smaller_type(dtype):
    for f in (lambda x: x.softmax(1), lambda x: x.log_softmax(1), lambda x: x * x, lambda x: x.exp()):
        x = corten.full((4, 1000), 2., requires_grad=True)
        with corten.autograd.graph.saved_tensors_hooks(lambda t: t.to(dtype), lambda t: t):
            y = f(x)
        y.sum().backward()
        assert x.grad.shape == x.shape and x.grad.dtype == x.dtype
    assert corten.allclose(x.grad, corten.full((4, 1000), float(corten.tensor(2.).exp().to(dtype))))


def test_unpacked_as_something_else():
    hooks = corten.autograd.graph.saved_tensors_hooks
    x = corten.eye(3, requires_grad=True)
    b = corten.ones(3)
    for f in (lambda: corten.linalg.solve(x, b), lambda: corten.linalg.slogdet(x)[1], lambda: x.softmax(0),
              lambda: x.index_select(0, corten.tensor([0, 1])), lambda: corten.linalg.det(x), lambda: x * x):
        for change in (lambda t: corten.zeros(7, dtype=t.dtype), lambda t: t[None, None], lambda t: corten.zeros(0, dtype=t.dtype),
                       lambda t: t.to("meta"), lambda t: t + 1j):
            with hooks(lambda t: t, change):
                y = f()
            with pytest.raises(RuntimeError, match="was packed, and unpacked as"):
                y.sum().backward()
    for f in (lambda: corten.linalg.solve(x, b), lambda: corten.linalg.slogdet(x)[1]):
        with hooks(lambda t: t, lambda t: t.fill_(77) if t.dtype == corten.int32 else t):
            y = f()
        with pytest.raises(RuntimeError, match="Pivots given to lu_solve must all be smaller"):
            y.sum().backward()


# ---- ctx ----


class Double(corten.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2


def test_ctx_that_nothing_was_recorded_for():
    seen = []

    class Asks(corten.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            with ctx.register_hook(print) as a, ctx.register_prehook(print) as b:
                a.remove(), b.remove()
            with pytest.raises(AttributeError, match="'AsksBackward' object has no attribute 'variable'"):
                ctx.variable
            seen.append((ctx.metadata, ctx.next_functions, ctx.saved_tensors, ctx._sequence_nr(), ctx.name()))
            return x * 1
    Asks.apply(corten.ones(3))
    assert seen == [({}, (), (), 0, "AsksBackward")]


def test_node_classes_that_are_none():
    x = corten.ones(3, requires_grad=True)

    class Other(Double):
        pass
    Other._backward_cls = list
    with pytest.raises(TypeError):
        Other.apply(x)
    used = Double.apply(x).grad_fn
    Other._backward_cls = lambda: used
    with pytest.raises(TypeError):
        Other.apply(x)

    class Third(Double):
        pass

    class Finalised(Third._backward_cls):
        def __del__(self):
            pass
    Third._backward_cls = Finalised
    y = Third.apply(x)
    gc.collect()
    with pytest.raises(RuntimeError, match="__del__"):
        y.sum().backward()


def test_base_type_is_not_for_deriving():
    with pytest.raises(RuntimeError, match="Cannot subclass _TensorBase directly"):
        class S(corten._C.TensorBase):
            pass
    with pytest.raises(TypeError):
        type.__new__(type(corten.Tensor), "S", (corten._C.TensorBase,), {})


@pytest.mark.parametrize("depth", [100, 700])
def test_backward_inside_backward(depth):
    """Nests deeper than one thread's stack allows, so the engine continues on another; modes and errors carry over."""
    reached, modes = [], set()

    class Again(corten.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            reached.append(1)
            modes.add(corten.is_grad_enabled())
            if len(reached) == depth:
                raise KeyError("deep")
            with corten.enable_grad():
                z = corten.ones(1, requires_grad=True)
                Again.apply(z).sum().backward()
            return g
    with pytest.raises(KeyError, match="deep"):
        Again.apply(corten.ones(3, requires_grad=True)).sum().backward()
    assert len(reached) == depth and modes == {False}


# ---- bytes ----


def test_meta_storages_have_no_bytes():
    s = corten.UntypedStorage([0x41] * 100000, device="meta")
    assert s.nbytes() == 100000 and s.device.type == "meta"
    kept = [corten.ones(3) for _ in range(1000)]
    assert all(t.sum() == 3 for t in kept)
    with pytest.raises(RuntimeError):
        corten.UntypedStorage([1, "a"], device="meta")
    for state in (corten.empty(5056, dtype=corten.uint8, device="meta"),):
        with pytest.raises(TypeError, match="RNG state must be a torch.ByteTensor"):
            corten.Generator().set_state(state)
        with pytest.raises(TypeError):
            corten.set_rng_state(state)


def test_a_slice_keeps_the_bytes_where_they_are():
    s = corten.UntypedStorage(1 << 22)
    part = s[0:1 << 22]
    with pytest.raises(RuntimeError, match="not resizable"):
        s.resize_(1 << 23)
    part.fill_(1)
    assert s[5] == 1
    del part
    s[3:6] = 7
    assert s.resize_(1 << 23).nbytes() == 1 << 23 and s[4] == 7


def test_buffers_pin_for_a_while():
    x = corten.ones(3)
    view = memoryview(x)
    with pytest.raises(RuntimeError, match="not resizable"):
        x.resize_(9000)
    view.release()
    assert x.resize_(9000)[:3].tolist() == [1, 1, 1]
    import pickle
    assert pickle.loads(pickle.dumps(x, 5)).shape == (9000,)
    assert x.resize_(20000).shape == (20000,)


def test_sharing_what_was_shrunk():
    for n in (3, 10 ** 6):
        x = corten.ones(n)
        x.untyped_storage().resize_(0)
        x.share_memory_()
        assert x.sum() == n


def test_storage_of_a_property():
    class Has:
        dtype = corten.float32

        @property
        def _untyped_storage(self):
            return corten.UntypedStorage(1 << 22)
    x = corten.ones(1)
    corten.ones(1).untyped_storage()
    for _ in range(5):
        x.set_(Has(), 0, (1 << 20,), (1,))
        y = corten.zeros(1 << 20)
        x.fill_(5)
        assert y.sum() == 0
    assert corten.is_storage(Has())


def test_set_while_its_source_goes():
    y = corten.ones(1 << 20)

    class Goes:
        def __index__(self):
            y.set_()
            return 0
    x = corten.ones(1).set_(y, Goes(), (1 << 20,), (1,))
    assert x.sum() == 1 << 20


def test_array_that_lies():
    class Lies(np.ndarray):
        @property
        def __array_struct__(self):
            return np.full(1 << 22, 3.0).__array_struct__

        shape = property(lambda self: (1 << 22,))
        strides = property(lambda self: (8,))
    a = np.zeros(3).view(Lies)
    for t in (corten.from_numpy(a), corten.as_tensor(a), corten.tensor(a), corten.tensor([a, a])[0]):
        assert t.tolist() == [0, 0, 0]


# ---- lists ----


def test_lists_that_change_while_they_are_read():
    items = []
    x = corten.ones(9)
    big = [10 ** 6 + i for i in range(40)]
    calls = [lambda: x.set_(corten.ones(9), 0, items, None), lambda: x.view(items), lambda: x.expand(items),
             lambda: corten.zeros(items), lambda: x.sum(items), lambda: corten.tensor(items), lambda: x[items],
             lambda: x.as_strided(items, (1,)), lambda: corten.roll(x, items), lambda: corten.Size(items),
             lambda: x.new_zeros(items), lambda: corten.tensor([items, items]), lambda: corten.LongTensor(items)]
    for call in calls:
        items[:] = [Clears(items)] + big
        try:
            call()
        except (TypeError, ValueError, RuntimeError, IndexError):
            pass


def test_lists_of_tensors_that_change_meanwhile():
    items = [corten.ones(3) for _ in range(5)]
    with pytest.raises((TypeError, IndexError, RuntimeError)):
        corten.stack(items, dim=Clears(items))
    items = [corten.ones(100, 100) for _ in range(20)]
    stop = []

    def change():
        while not stop:
            saved = items[:]
            items.clear()
            items.extend(t.clone() for t in saved)
    t = threading.Thread(target=change)
    t.start()
    for _ in range(50):
        try:
            corten.cat(items)
        except (RuntimeError, ValueError):
            pass
    stop.append(1)
    t.join()


def test_engine_lists_that_hooks_change():
    xs = [corten.ones(2, requires_grad=True) for _ in range(4)]
    loss = sum((x * 2).sum() for x in xs)
    xs[0].register_hook(lambda g: xs.clear())
    inputs = xs[:]
    grads = corten.autograd.grad(loss, xs)
    assert len(grads) == 4 and all(g.tolist() == [2, 2] for g in grads)
    del inputs


class Shrinks:
    """A sequence whose length query empties the list that contains it."""

    def __init__(self, victim):
        self.victim = victim

    def __len__(self):
        return 2

    def __getitem__(self, i):
        return [1, 2][i]

    def __iter__(self):
        self.victim.clear()
        return iter([1, 2])


def test_nested_lists_that_change():
    items = []
    items += [Shrinks(items)] + [[float(i), 2.] for i in range(1000)]
    with pytest.raises(ValueError):
        corten.tensor(items)
    items += [Shrinks(items)] + [[float(i), 2.] for i in range(1000)]
    with pytest.raises(ValueError):
        corten.tensor(items, dtype=corten.float32)


def test_lists_that_hold_themselves():
    items = [1]
    items.append(items)
    first = []
    first.append(first)
    other = [1, [2]]
    other[1].append(other)
    wide = [items] * 40
    for data, text in ((items, "self-referential"), (first, None), (other, None), (wide, None)):
        for f in (corten.tensor, corten.as_tensor, corten.asarray, lambda d: corten.ones(3)[d]):
            with pytest.raises((TypeError, ValueError, RuntimeError, IndexError), match=text if f is corten.tensor else None):
                f(data)


# ---- cycles ----


class Watched:
    """An object whose collection shows whether a cycle was freed."""


def cycle_of_leaf_hook(thing):
    p = corten.ones(10, requires_grad=True)
    p.register_hook(lambda g, p=p: thing)


def cycle_of_accumulated_hook(thing):
    p = corten.ones(10, requires_grad=True)
    p.register_post_accumulate_grad_hook(lambda q, p=p: thing and None)
    (p * 2).sum().backward()


def cycle_of_bound_method(thing):
    class Module:
        def __init__(self):
            self.weight = corten.ones(10, requires_grad=True)
            self.thing = thing
            self.weight.register_hook(self.look)

        def look(self, grad):
            pass
    (Module().weight * 2).sum().backward()


def cycle_of_result_hook(thing):
    y = corten.ones(10, requires_grad=True) * 2
    y.register_hook(lambda g, y=y: thing)


def cycle_through_a_later_result(thing):
    h = corten.ones(10, requires_grad=True) * 2
    loss = h.sum().exp()
    h.register_hook(lambda g, loss=loss: thing)


def cycle_of_node_hook(thing):
    node = (corten.ones(10, requires_grad=True) * 2).grad_fn
    node.register_hook(lambda a, b, node=node: thing)


def cycle_of_prehook(thing):
    y = corten.ones(10, requires_grad=True) * 2
    y.grad_fn.register_prehook(lambda g, y=y: thing)
    y.thing = thing


def cycle_of_metadata(thing):
    node = (corten.ones(10, requires_grad=True) * 2).grad_fn
    node.metadata["node"] = node, thing


def cycle_of_handle(thing):
    p = corten.ones(10, requires_grad=True)
    handle = p.register_hook(lambda g: (handle.remove(), thing))
    del p


def cycle_of_grad(thing):
    x = corten.ones(10, requires_grad=True)
    x.grad = corten.ones(10)
    x.grad.owner = x, thing


def cycle_of_base(thing):
    x = corten.ones(10)
    x.view_of_it = x[2:], thing


def cycle_of_saved_input(thing):
    x = corten.ones(10, requires_grad=True)
    x.exponential = x.exp(), thing


def cycle_of_ctx(thing):
    class Keeps(Double):
        @staticmethod
        def forward(ctx, x):
            ctx.result = y = x * 2
            ctx.thing = thing
            return y
    Keeps.apply(corten.ones(3, requires_grad=True)).attribute = 1


def cycle_of_packed(thing):
    class Holder:
        pass
    holder = Holder()
    with corten.autograd.graph.saved_tensors_hooks(lambda t: (t, holder, thing), lambda packed: packed[0]):
        x = corten.ones(10, requires_grad=True)
        holder.y = x * x
        holder.y.tracked = True


@pytest.mark.parametrize("make", [f for name, f in sorted(globals().items()) if name.startswith("cycle_")],
                         ids=lambda f: f.__name__[6:])
def test_cycles_are_collected(make):
    import weakref
    gone = []
    thing = Watched()
    weakref.finalize(thing, gone.append, 1)
    make(thing)
    del thing
    gc.collect()
    assert gone == [1]


def test_what_is_held_elsewhere_is_not_collected():
    seen = []
    p = corten.ones(2, requires_grad=True)
    p.register_hook(lambda g, p=p: seen.append(g.tolist()))
    y = (p * 3).sum()
    del p
    gc.collect()
    gc.collect()
    y.backward()
    assert seen == [[3, 3]]
    h = corten.ones(2, requires_grad=True) * 2
    h.register_hook(lambda g, h=h: seen.append(h.tolist()))
    y = h.exp().sum()
    del h
    for _ in range(3):
        gc.collect()
    y.backward()
    assert seen[1:] == [[2, 2]]


def test_the_collector_runs_while_threads_compute():
    p = corten.ones(40000, requires_grad=True)
    p.register_hook(lambda g, p=p: None)
    stop = []

    def collect():
        while not stop:
            gc.collect()

    def compute():
        for _ in range(20):
            y = p * 2
            y.register_hook(lambda g, y=y: None)
            y.mul_(3)
            y.add_(1)
            y.sum().backward()
    threads = [threading.Thread(target=compute) for _ in range(3)]
    watcher = threading.Thread(target=collect)
    for t in threads + [watcher]:
        t.start()
    for t in threads:
        t.join()
    stop.append(1)
    watcher.join()
    assert p.grad.isfinite().all()


# ---- errors ----


def test_sparse_tensors_lend_no_bytes():
    x = corten.eye(3).to_sparse()
    with pytest.raises(BufferError, match="sparse"):
        memoryview(x)
    with pytest.raises(TypeError, match="Sparse layout"):
        np.asarray(x)
    for call in (lambda: x.set_(), lambda: x.set_(corten.ones(2)), lambda: corten.ones(2).set_(x), lambda: x.is_set_to(x),
                 lambda: x.is_shared(), lambda: x.untyped_storage()):
        with pytest.raises(NotImplementedError, match="SparseTensorImpl"):
            call()
    assert x.is_sparse and corten.equal(x.to_dense(), corten.eye(3))


def test_a_number_that_is_not_there():
    nowhere = corten.empty((), dtype=corten.int64, device="meta")
    with pytest.raises(RuntimeError, match="cannot be called on meta tensors"):
        corten.ones(3, 3).triu(nowhere)
    with pytest.raises(RuntimeError, match="overflow"):
        corten.ones(3, 3).triu(corten.tensor(2 ** 64 - 1, dtype=corten.uint64))


def graded():
    p = corten.ones(3, requires_grad=True)
    p.grad = corten.ones(3)
    return p


def asgd_with(state):
    """Takes a step with an optimizer whose state has been replaced."""
    p = graded()
    optimizer = corten.optim.ASGD([p])
    optimizer.step()
    optimizer.state[p]["eta"] = state
    optimizer.state[p].pop("mu")
    optimizer.step()


@pytest.mark.filterwarnings("ignore")
def test_no_error_outlives_its_call():
    """The binding converts the library's error to an exception or clears it; a leftover error would surface in a later call."""
    library = ctypes.CDLL(str(pathlib.Path(corten.__file__).parent / "libcorten.so.0"))
    library.ct_error.restype = ctypes.c_char_p
    names = [n for n in dir(corten.Tensor) if n not in ("__class__", "cuda", "pin_memory", "share_memory_")]
    calls = [repr, list, float, bool, hash, memoryview, np.asarray, lambda t: corten.ones(3)[t], lambda t: corten.ones(3, 3).tril(t),
             lambda t: corten.ones(3).add_(1, alpha=t), lambda t: corten.zeros(t), lambda t: corten.full((2,), t)]
    calls += [lambda t: corten.randint_like(corten.ones(3), t), lambda t: corten.narrow(t, 0, t, 1), lambda t: asgd_with(t),
              lambda t: corten.nn.utils.clip_grads_with_norm_([graded()], 1.0, corten.ones(3) * 2)]
    calls += [lambda t, n=n: getattr(t, n) for n in names]
    calls += [lambda t, n=n: getattr(t, n)() for n in names if n[0] != "_"]
    left = set()
    for make in (lambda: corten.eye(3).to_sparse(), lambda: corten.eye(3).to_sparse().requires_grad_() * 1,
                 lambda: corten.empty((), dtype=corten.int64, device="meta"), lambda: corten.empty(2, 3, device="meta")):
        for call in calls:
            try:
                call(make())
            except Exception:
                pass
            if library.ct_error():
                left.add((call.__defaults__ or call.__name__, library.ct_error()))
                library.ct_clear_error()
    assert not left


# ---- values that Python code returns to C ----


@pytest.mark.parametrize("args", [1, b"abc", "ab", {1: 2}, iter(())])
@pytest.mark.parametrize("function", [corten.Tensor.__torch_function__, corten._C._disabled_torch_function_impl])
def test_torch_function_takes_arguments_in_a_tuple(function, args):
    with pytest.raises(TypeError, match="expected List or Tuple"):
        function(corten.add, (), args)
    with pytest.raises(TypeError, match="expected Dict"):
        function(corten.add, (), (corten.ones(2), 1), args if not isinstance(args, dict) else [1])
    x = corten.ones(2)
    assert function(corten.add, (), [x, 1]).tolist() == [2, 2]
    assert function(corten.add, types=(), args=(x, x), kwargs={"alpha": 2}).tolist() == [3, 3]


def test_copies_that_a_memo_has_are_looked_at():
    x = corten.ones(3)
    storage = x.untyped_storage()
    with pytest.raises(TypeError, match="memo must be a dict"):
        storage.__deepcopy__(3)
    with pytest.raises(TypeError, match="the copy of a UntypedStorage is a int"):
        x.__deepcopy__({id(storage): 3})
    x.grad = corten.ones(3)
    grad = x.grad
    with pytest.raises(TypeError, match="the copy of a Tensor is a str"):
        x.__deepcopy__({id(grad): "grad"})
    x.note = "kept"
    attributes = x.__dict__
    with pytest.raises(TypeError, match="the copy of a dict is a list"):
        x.__deepcopy__({id(attributes): []})


def test_attributes_that_are_no_dict():
    class Liar(corten.Tensor):
        __dict__ = property(lambda self: 5)
    with pytest.raises(TypeError, match="__dict__ must be a dict"):
        corten.ones(2).as_subclass(Liar).__setstate__({"a": 1})


def test_names_and_keywords_are_strings():
    m = corten.nn.Linear(2, 2)
    for name in (3, corten.ones(2), None):
        for f in (m.__getattribute__, m.__getattr__, m.__delattr__, lambda name: m.__setattr__(name, 1)):
            with pytest.raises(TypeError, match="attribute name must be string"):
                f(name)
    for f in (corten.nn.Parameter, corten.Generator, corten.UntypedStorage):
        with pytest.raises(TypeError, match="keywords must be strings"):
            corten.Tensor.__torch_function__(f, (), (), {1: 2})
        with pytest.raises(TypeError, match="keywords must be strings"):
            corten._C._handle_torch_function(f, (), (), {1: 2})
    file = io.BytesIO(b"\x80\x04ctorch.nn.parameter\nParameter\n)}K\x01K\x02s\x92.")  # Parameter(**{1: 2})
    with pytest.raises(pickle.UnpicklingError, match="must be strings"):
        corten.load(file, weights_only=True)


# ---- numbers near 2^63 ----


def test_strides_that_no_memory_has():
    big = 2 ** 62
    x, none = corten.arange(51.).view(3, 17), corten.empty(0, big)
    assert x[:, ::big].sum() == 51 and x.unfold(1, 17, big).shape == (3, 1, 17) and x.unfold(1, 17, big).sum() == x.sum()
    assert corten.ones(0, 17).unfold(1, 1, big).sum() == 0
    assert none.sum() == 0 and none.prod() == 1 and none.mean().isnan() and none.amax(1).shape == (0,)
    assert none[:, big - 1].shape == (0,) and none.flip(1).shape == none.cumsum(1).shape == (none + 1).shape == (0, big)
    assert none.t()[5:].shape == (big - 5, 0) and none.diagonal(3).shape == (0,) and none.unsqueeze(0).expand(1, 1, 0, big).sum() == 0
    assert none.to(corten.complex128).t().contiguous().unfold(0, 3, big).shape == (1, 0, 3)
    for huge in (lambda: none.sum(0), lambda: none.unsqueeze(0).expand(3, 1, 0, big)):
        with pytest.raises(RuntimeError, match="overflowed"):
            huge()
    for sizes in ((big, 3), (big, 3, 4, -1), (big, 4, 0)):
        with pytest.raises(RuntimeError, match="don't multiply up"):
            corten.ones(6).unflatten(0, sizes)


# ---- elements out of range ----


def meta(*shape, **kwargs):
    return corten.empty(shape, device="meta", **kwargs)


def test_meta_tensors_are_never_read():
    ints, longs = {"dtype": corten.int64}, corten.tensor([2, 2])
    probs = corten.randn(5, 2, 4).log_softmax(2)
    for arguments in ((probs, longs.view(2, 1), meta(2, **ints), longs), (probs, longs.view(2, 1), longs, meta(2, **ints)),
                      (probs, meta(2, 2, **ints), longs, longs)):
        with pytest.raises((NotImplementedError, RuntimeError)):
            corten.nn.functional.ctc_loss(*arguments)
    with pytest.raises((NotImplementedError, RuntimeError), match="meta"):
        corten.nn.functional.fractional_max_pool2d(corten.ones(1, 8, 8), 2, (3, 3), _random_samples=meta(1, 1, 2))
    with pytest.raises((NotImplementedError, RuntimeError, TypeError)):
        corten.set_rng_state(meta(5056, dtype=corten.uint8))
    with pytest.raises(TypeError, match="ByteTensor"):
        corten.Generator().set_state(meta(5056, dtype=corten.uint8))
    with pytest.raises((NotImplementedError, RuntimeError)):
        corten.sparse_coo_tensor(meta(2, 3, **ints), corten.ones(3))


def test_meta_tensors_leave_no_error_behind():
    library = ctypes.CDLL(str(pathlib.Path(corten.__file__).parent / "libcorten.so.0"))
    library.ct_error.restype = ctypes.c_char_p
    x = meta(3, 4, requires_grad=True)
    corten.autograd.grad(x.prod().abs(), x, create_graph=True)
    assert meta(3, 4).quantile(meta(2)).shape == (2,) and meta(3, 4).nanquantile(meta(2), 0).shape == (2, 4)
    assert meta(3, 4).cov(fweights=meta(4, dtype=corten.int64), aweights=meta(4)).shape == (3, 3)
    assert library.ct_error() is None


def test_packing_nothing():
    with pytest.raises(RuntimeError, match="batch_size=0"):
        corten._C._pack_padded_sequence(corten.ones(3), corten.empty(0, dtype=corten.int64), False)


def test_saving_lists_that_change_meanwhile():
    class Emptier:
        def __init__(self, victim):
            self.victim = victim

        def __reduce_ex__(self, protocol):
            self.victim.clear()
            return complex, (1.,)

    for _ in range(20):
        victim = []
        victim += [Emptier(victim) for _ in range(3)]
        corten.save(victim, io.BytesIO())
        nested = []
        nested += [[Emptier(nested)], {1: Emptier(nested)}, (Emptier(nested), 1)]
        corten.save(nested, io.BytesIO())
        table = {}
        table.update({i: Emptier(table) for i in range(3)})
        corten.save(table, io.BytesIO())


def test_apply_with_another_tolist(monkeypatch):
    x = corten.ones(3)
    for answer in (5, [1.], (1., 1., 1.)):
        monkeypatch.setattr(corten.Tensor, "tolist", lambda self: answer)
        with pytest.raises(TypeError, match="tolist"):
            x.map_(x, lambda a, b: a + b)


@pytest.mark.parametrize("name", ["LSTM", "GRU", "RNN"])
@pytest.mark.parametrize("sizes", [(0, 0), (2, 0), (0, 1)])
@pytest.mark.parametrize("batch", [0, 3])
def test_recurrent_cells_of_nothing(name, sizes, batch):
    x = corten.ones(batch, sizes[0], requires_grad=True)
    state = getattr(corten.nn, name + "Cell")(*sizes)(x)
    state = state[0] if name == "LSTM" else state
    state.sum().backward()
    assert x.grad.shape == x.shape and state.shape == (batch, sizes[1])


def test_options_of_printing():
    x = corten.rand(20, 20)
    for options in ({"precision": 2 ** 31 - 1}, {"precision": 2 ** 40, "sci_mode": True}):
        with corten._tensor_str.printoptions(**options), pytest.raises(ValueError, match="precision too big"):
            repr(x)
    for options in ({"precision": -1}, {"precision": 400}, {"edgeitems": 0, "threshold": 1}, {"edgeitems": -1, "threshold": 1},
                    {"edgeitems": 2 ** 31 - 1, "threshold": 1}, {"linewidth": 0}, {"linewidth": -5}, {"linewidth": 2 ** 31 - 1},
                    {"threshold": -1}, {"threshold": 2 ** 31 - 1}):
        with corten._tensor_str.printoptions(**options):
            assert repr(x).startswith("tensor(")


def test_recurrent_cells_whose_state_is_no_result():
    x, matrix = corten.ones(1, 4), corten.ones
    with pytest.raises(RuntimeError, match="hidden size"):
        corten.rnn_tanh_cell(x, corten.ones(1, 2), matrix(30, 4), matrix(30, 2))
    with pytest.raises(RuntimeError, match="hidden size"):
        corten.gru_cell(x, corten.ones(1, 2), matrix(90, 4), matrix(90, 2))
    with pytest.raises(RuntimeError, match="hidden size"):
        corten.lstm_cell(x, (corten.ones(1, 2), corten.ones(1, 30)), matrix(120, 4), matrix(120, 2))


def test_truncated_normal_far_from_its_mean():
    for mean, std, dtype, end in ((2. ** 31, 1, corten.float64, 2), (-1e9, 3, corten.float32, -2), (300, 1, corten.float16, 2)):
        x = corten.nn.init.trunc_normal_(corten.empty(1000, dtype=dtype), mean, std)
        assert (x >= -2).all() and (x <= 2).all() and (x - end).abs().max() < 0.1
    corten.manual_seed(0)
    x = corten.nn.init.trunc_normal_(corten.empty(100000), 400, 1, 0, 4)
    assert abs((4 - x).mean() * 396 - 1) < 0.02  # the truncated tail is nearly exponential


def test_a_leaf_is_its_own_gradient():
    x = corten.full((3,), 2., requires_grad=True)
    x.backward(x, create_graph=True)
    x.backward(x, create_graph=True)
    assert x.grad.tolist() == [4, 4, 4] and corten.autograd.grad(x.grad.sum(), x)[0].tolist() == [2, 2, 2]
    x.grad = None
    threads = [threading.Thread(target=lambda: x.backward(x, create_graph=True)) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(60)
    assert x.grad.tolist() == [16, 16, 16]
    x.grad = None


def test_operations_of_several_steps_whose_pack_hook_raises():
    asked = []

    def pack(t):
        asked.append(t)
        raise KeyError("pack")
    x, y = corten.rand(3, requires_grad=True), corten.rand(3, requires_grad=True)
    for f in (lambda: corten.nn.functional.kl_div(x, y, reduction="none"), lambda: corten.nn.functional.gaussian_nll_loss(x, y, y.abs())):
        with corten.autograd.graph.saved_tensors_hooks(pack, lambda t: t), pytest.raises(KeyError, match="pack"):
            f()
    assert asked


AT_EXIT = """
import ctypes
import corten

class Twice(corten.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

library, libc = ctypes.CDLL(corten.__path__[0] + "/libcorten.so"), ctypes.CDLL(None)
library.ct_retain.argtypes, library.ct_retain.restype = [ctypes.c_void_p], ctypes.c_void_p
libc.__cxa_atexit.argtypes = [ctypes.c_void_p] * 3
attributed = corten.ones(3)
attributed.note = 1
for t in (corten.frombuffer(bytearray(64), dtype=corten.float32), attributed, Twice.apply(corten.ones(3, requires_grad=True))):
    c_tensor = ctypes.cast(id(t) + object.__basicsize__, ctypes.POINTER(ctypes.c_void_p))[0]
    library.ct_retain(c_tensor)
    libc.__cxa_atexit(ctypes.cast(library.ct_release, ctypes.c_void_p), c_tensor, None)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="asks glibc")
def test_a_tensor_of_python_is_released_after_python_has_ended():
    """After the interpreter is finalized, PyGILState_Check returns 1, so destructors must not rely on it."""
    subprocess.run([sys.executable, "-c", AT_EXIT], check=True)
