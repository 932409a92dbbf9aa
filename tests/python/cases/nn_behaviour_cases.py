# SPDX-License-Identifier: BSD-3-Clause
"""Cases of nn.Module: members, state dicts, hooks, conversion, containers, initial values, nn.utils. test_module_behaviour.py
runs them with Corten and compares the results with PyTorch's, which `make record` writes to
tests/recorded/python/nn_behaviour.json.gz.
"""
import copy
import importlib
import pickle
import warnings
from collections import OrderedDict

from autograd_cases import run

CASES = []


def case(function):
    CASES.append(function)
    return function


def warned(function):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            answer = function()
        except Exception as e:
            answer = f"{type(e).__name__}: {e}"
    return str(answer), [f"{w.category.__name__}: {w.message}" for w in said]


def name(module):
    return type(module).__name__


def network(torch):
    nn = torch.nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = nn.Linear(3, 2)
            self.b = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])
            self.register_buffer("mean", torch.zeros(2))
            self.register_buffer("not_saved", torch.ones(1), persistent=False)
            self.register_buffer("none", None)
            self.p = nn.Parameter(torch.randn(2))
            self.q = nn.Buffer(torch.arange(2.))
            self.register_parameter("absent", None)
            self.tied = self.a

        def forward(self, x, scale=1.):
            x = self.a(x)
            for layer in self.b:
                x = layer(x)
            return (x + self.p + self.q) * scale

    torch.manual_seed(1)
    return Net()


@case
def members(torch, say):
    nn, m = torch.nn, network(torch)
    say(m)
    say([n for n, _ in m.named_parameters()], [n for n, _ in m.named_parameters(remove_duplicate=False)])
    say([n for n, _ in m.named_parameters("x", recurse=False)], [n for n, _ in m.named_buffers()], len(list(m.buffers())))
    say([(n, name(c)) for n, c in m.named_modules()], [n for n, _ in m.named_modules(prefix="r", remove_duplicate=False)])
    say([n for n, _ in m.named_children()], len(list(m.modules())), len(list(m.children())))
    for f in (lambda: setattr(m, "a", 3), lambda: setattr(m, "p", torch.ones(2)), lambda: setattr(m, "mean", 3), lambda: m.nothing,
              lambda: m.register_buffer("a.b", None), lambda: m.register_parameter("a", None), lambda: m.add_module("", nn.ReLU()),
              lambda: m.register_parameter("z", torch.ones(1)), lambda: m.register_buffer("z", 3), lambda: m.add_module("z", 3),
              lambda: m.add_module(3, nn.ReLU()), lambda: m.add_module("x.y", nn.ReLU()), lambda: m.register_buffer(3, None),
              lambda: m.register_parameter(3, None), lambda: m.register_parameter("forward", None),
              lambda: m.register_parameter("z", nn.Parameter(torch.ones(2)) * 2), lambda: m.register_buffer("", None),
              lambda: m.get_submodule("b.1"), lambda: m.get_submodule("b.7"), lambda: m.get_submodule(""),
              lambda: m.get_submodule("p"), lambda: m.get_parameter("b.1.weight").shape, lambda: m.get_parameter("mean"),
              lambda: m.get_parameter("b.1.x"), lambda: m.get_buffer("mean"), lambda: m.get_buffer("p"), lambda: m.get_buffer("z"),
              lambda: m.set_submodule("b.1", nn.ReLU()), lambda: m.set_submodule("", nn.ReLU()), lambda: m.set_submodule("b.1", 3),
              lambda: m.set_submodule("p", nn.ReLU()), lambda: m.set_submodule("new", nn.ReLU(), strict=True),
              lambda: m.set_submodule("new", nn.ReLU()), lambda: delattr(m, "nothing")):
        say(f)
    m.mean = torch.ones(2)
    m.not_saved = None
    m.a = None
    m.p = nn.Parameter(torch.zeros(2))
    m.extra = nn.Parameter(torch.ones(1))
    del m.extra, m.q, m.new
    say(m._parameters, sorted(m._buffers), sorted(m._modules), m._non_persistent_buffers_set)
    m.mean = nn.Parameter(torch.ones(3))
    del m.p
    m.p = 3
    say(list(m._parameters), list(m._buffers), m.p)
    m.tied = None
    m.fresh = nn.Buffer(torch.ones(1), persistent=False)
    say(sorted(m.state_dict()), sorted(set(dir(m)) - set(dir(nn.Module()))))


@case
def before_init(torch, say):
    nn = torch.nn

    def made(value):
        class Early(nn.Module):
            def __init__(self):
                self.x = value()
        return Early()

    for value in (lambda: nn.Linear(1, 1), lambda: nn.Parameter(torch.ones(1)), lambda: torch.ones(1), lambda: 3):
        say(lambda: name(made(value)))
    say(lambda: made(lambda: 3)(1), lambda: made(lambda: 3).y, lambda: made(lambda: 3).register_buffer("b", None),
        lambda: made(lambda: 3).register_parameter("b", None))


@case
def classes(torch, say):
    nn = torch.nn

    class Wrapper(nn.Module):
        def __init__(self, inner):
            super().__init__()
            self.inner = inner

        def __getattr__(self, key):
            try:
                return super().__getattr__(key)
            except AttributeError:
                return getattr(self.inner, key)

        def forward(self, x):
            return self.inner(x)

    class Logged(nn.Module):
        def __setattr__(self, key, value):
            if key != "log":
                self.__dict__.setdefault("log", []).append(key)
            super().__setattr__(key, value)

    w = Wrapper(nn.Linear(2, 3))
    say(w.weight.shape, w.out_features, lambda: w.zzz, list(w.state_dict()))
    log = Logged()
    log.x = 1
    log.w = nn.Parameter(torch.ones(1))
    say(log.log[-2:], list(log._parameters))

    class WithProperty(nn.Module):
        @property
        def weight(self):
            return 3

    say(WithProperty().weight, lambda: setattr(WithProperty(), "weight", nn.Parameter(torch.ones(1))))
    m = nn.Linear(2, 2)
    m.forward = lambda x: x * 2
    say(m(torch.ones(2)))
    Later = type("Later", (nn.Linear,), {})
    made = Later(1, 1)
    Later.__getattr__ = lambda self, key: key
    say(made.nothing, made.in_features)


@case
def parameters(torch, say):
    nn = torch.nn
    p = nn.Parameter(torch.ones(2))
    say(p, repr(nn.Parameter(torch.zeros(1), requires_grad=False)), nn.Parameter(), nn.Parameter(torch.ones(1, dtype=torch.int64), False))
    say(isinstance(p, nn.Parameter), isinstance(p, torch.Tensor), isinstance(torch.ones(1), nn.Parameter), isinstance(p, nn.Buffer))
    say(name(p + 1), name(p.data), name(p.detach()), name(p[0]), name(p.clone()), name(p.view(2)), name(torch.relu(p)), name(-p))
    say(p.is_leaf, nn.Parameter(p * 2).is_leaf, p.data_ptr() == nn.Parameter(p).data_ptr(), p == nn.Parameter(p), hash(p) == hash(p))
    with torch.no_grad():
        say(nn.Parameter(torch.ones(1)).requires_grad)
    c = copy.deepcopy(p)
    p.tag = 3
    d = pickle.loads(pickle.dumps(p))
    say(c, c is p, d, d.tag, name(d), name(copy.copy(p)))
    p.grad = torch.ones(2)
    say(copy.deepcopy(p).grad)

    class Sub(torch.Tensor):
        pass

    s = nn.Parameter(torch.ones(2).as_subclass(Sub))
    say(isinstance(s, nn.Parameter), isinstance(s, Sub), s.requires_grad)

    class Own(nn.Parameter):
        pass

    o = Own(torch.ones(2))
    say(name(o), isinstance(o, nn.Parameter), name(o + 1))
    b = nn.Buffer(torch.ones(2), persistent=False)
    say(b, isinstance(b, nn.Buffer), b.persistent, name(b), isinstance(torch.ones(1), nn.Buffer))
    u = nn.parameter.UninitializedParameter(dtype=torch.float64)
    say(u, lambda: u.shape, nn.parameter.is_lazy(u), copy.deepcopy(u), u.dtype)
    u.materialize((2, 1))
    say(name(u), u.shape, u.dtype, u.requires_grad)
    v = nn.parameter.UninitializedBuffer()
    v.materialize((2,))
    say(name(v), v.shape, nn.parameter.is_lazy(v))


@case
def state_dicts(torch, say):
    nn, m = torch.nn, network(torch)
    state = m.state_dict()
    say(list(state), state._metadata, name(state), state["p"].requires_grad, m.state_dict(keep_vars=True)["p"] is m.p)
    say(list(m.state_dict(prefix="net.")), state["p"].data_ptr() == m.p.data_ptr())
    say(lambda: warned(lambda: list(m.state_dict(OrderedDict(), "y."))))
    old = copy.deepcopy(state)
    for f in (lambda: m.load_state_dict({}), lambda: m.load_state_dict({"a.weight": torch.zeros(1)}, strict=False),
              lambda: m.load_state_dict({"a.weight": 3, "zz": 1}), lambda: m.load_state_dict([1]),
              lambda: m.load_state_dict({**old, "more": torch.ones(1), "b.7.weight": torch.ones(1)}),
              lambda: m.load_state_dict({k: v for k, v in old.items() if k != "p"}), lambda: m.load_state_dict(old),
              lambda: m.load_state_dict({**old, "a.weight": torch.ones(3, 2), "p": torch.ones(1)}),
              lambda: m.load_state_dict({k: v for k, v in old.items() if k != "p"}, strict=False),
              lambda: m.load_state_dict({**old, "x": torch.ones(1)}, strict=False),
              lambda: m.load_state_dict({**old, "mean": torch.ones(1)}, strict=False)):
        say(f)
    m.load_state_dict({k: v * 0 + 2 for k, v in old.items()})
    say(m.p, m.mean, m.a.weight)
    before = m.p
    m.load_state_dict({k: v.double() for k, v in old.items()}, assign=True)
    say(m.p, m.p is before, m.mean.dtype, m.p.requires_grad, type(m.p).__name__)
    zero = nn.Module()
    zero.register_buffer("n", torch.tensor(1.))
    say(zero.load_state_dict({"n": torch.tensor([3.])}), zero.n)
    bn = nn.BatchNorm1d(2)
    say(bn.state_dict()._metadata, bn.load_state_dict({k: v for k, v in bn.state_dict().items() if "num" not in k}))
    say(lambda: nn.InstanceNorm1d(2).load_state_dict({"running_mean": torch.zeros(2)}))


@case
def state_hooks(torch, say):
    nn, log = torch.nn, []

    class Extra(nn.Linear):
        def get_extra_state(self):
            return {"seen": 7}

        def set_extra_state(self, state):
            log.append(state)

    m = nn.Sequential(Extra(1, 1), nn.Linear(1, 1))
    say(list(m.state_dict()), m.state_dict()["0._extra_state"])
    say(m.load_state_dict(m.state_dict()), log, lambda: m.load_state_dict({"1.weight": torch.ones(1, 1), "1._extra_state": 3}))
    handles = [
        m[1].register_state_dict_pre_hook(lambda module, prefix, keep: log.append(("pre", prefix, keep))),
        m[1].register_state_dict_post_hook(lambda module, state, prefix, meta: state.pop(prefix + "bias") and None),
        m[1]._register_state_dict_hook(lambda module, state, prefix, meta: OrderedDict(state, more=1)),
        m[1].register_load_state_dict_pre_hook(lambda module, state, prefix, *rest: state.setdefault(prefix + "bias", torch.ones(1) * 5) and None),
        m.register_load_state_dict_post_hook(lambda module, keys: keys.unexpected_keys.clear()),
    ]
    state = m.state_dict()
    say(log[1:], list(state), m[1].state_dict().keys())
    say(m.load_state_dict({**state, "more": 2}), m[1].bias)
    for handle in handles:
        handle.remove()
    say(list(m.state_dict()))
    m[1].register_state_dict_post_hook(lambda *a: 3)
    say(lambda: m.state_dict())
    m.register_load_state_dict_post_hook(lambda *a: 3)
    say(lambda: m.load_state_dict(dict(m[0].state_dict(prefix="0."), **{"1.weight": torch.ones(1, 1), "1.bias": torch.ones(1)})))

    def hook(*args):
        return None

    m[0].register_state_dict_post_hook(hook)
    say(lambda: m[0]._register_state_dict_hook(hook))


@case
def forward_hooks(torch, say):
    m, log = network(torch), []
    x = torch.ones(1, 3)
    plain = m(x)
    hooks = [
        m.register_forward_hook(lambda mod, args, out: log.append((name(mod), len(args), tuple(out.shape)))),
        m.register_forward_hook(lambda mod, args, kwargs, out: log.append(("kw", sorted(kwargs))), with_kwargs=True),
        m.register_forward_hook(lambda mod, args, out: out * 2, prepend=True),
        m.register_forward_pre_hook(lambda mod, args: (args[0] * 1,)),
        m.register_forward_pre_hook(lambda mod, args: args[0]),
        m.register_forward_pre_hook(lambda mod, args, kwargs: (args, {"scale": 3.}), with_kwargs=True, prepend=True),
    ]
    say(torch.equal(m(x, scale=1.), plain * 6), log)
    hooks[-1].remove()
    say(torch.equal(m(x), plain * 2), len(m._forward_pre_hooks_with_kwargs), len(m._forward_hooks_with_kwargs))
    for handle in hooks:
        handle.remove()
    say(m._forward_hooks, m._forward_pre_hooks, m._forward_hooks_with_kwargs)
    m.register_forward_pre_hook(lambda mod, args, kwargs: 3, with_kwargs=True)
    say(lambda: m(x))
    m._forward_pre_hooks.clear()
    called = []
    m.register_forward_hook(lambda mod, args, out: called.append(out is None), always_call=True)

    def broken(mod, args, out):
        raise KeyError("broken")

    m.register_forward_hook(broken, always_call=True)
    say(lambda: warned(lambda: m(torch.ones(1, 9))), called)
    with m.register_forward_hook(lambda *a: None) as handle:
        say(len(m._forward_hooks), handle.id in m._forward_hooks)
    say(len(m._forward_hooks))


@case
def backward_hooks(torch, say):
    nn, m, log = torch.nn, network(torch), []

    def shapes(grads):
        return [None if g is None else tuple(g.shape) for g in grads]

    x = torch.ones(1, 3, requires_grad=True)
    m(x).sum().backward()
    plain = m.p.grad.clone()
    m.zero_grad()
    hooks = [
        m.register_full_backward_hook(lambda mod, gi, go: log.append((shapes(gi), shapes(go)))),
        m.a.register_full_backward_hook(lambda mod, gi, go: (gi[0] * 0,)),
        m.register_full_backward_pre_hook(lambda mod, go: (go[0] * 3,)),
        m.register_full_backward_pre_hook(lambda mod, go: log.append(("pre", go[0].sum())), prepend=True),
    ]
    x.grad = None
    m(x).sum().backward()
    say(log, torch.equal(m.p.grad, plain * 3), x.grad)
    log.clear()
    say(lambda: warned(lambda: m(torch.ones(1, 3)).sum().backward()), log)
    say(lambda: m.register_backward_hook(lambda *a: None))
    for handle in hooks:
        handle.remove()
    m.register_full_backward_hook(lambda mod, gi, go: (1, 2))
    say(lambda: m(x).sum().backward())
    bad = nn.Linear(1, 1)
    bad.register_full_backward_pre_hook(lambda mod, go: (1, 2))
    say(lambda: bad(torch.ones(1)).sum().backward())
    old = nn.Linear(2, 2)
    log.clear()
    old.register_backward_hook(lambda mod, gi, go: log.append((len(gi), shapes(go))))
    say(lambda: old.register_full_backward_hook(lambda *a: None))
    old(torch.ones(1, 2, requires_grad=True)).sum().backward()
    say(log)

    class Two(nn.Module):
        def forward(self, x, y):
            return x * 2, y * 3, "text"

    two, log2 = Two(), []
    two.register_full_backward_hook(lambda mod, gi, go: log2.append((shapes(gi), shapes(go))))
    a, b = torch.ones(2, requires_grad=True), torch.ones(3)
    out = two(a, b)
    out[0].sum().backward()
    say(log2, out[1].requires_grad, out[2])

    class Listed(nn.Module):
        def forward(self, x):
            return [x]

    listed = Listed()
    listed.register_full_backward_hook(lambda *a: None)
    say(lambda: warned(lambda: listed(a)))


@case
def global_hooks(torch, say):
    nn, log, M = torch.nn, [], torch.nn.modules.module
    m = nn.Sequential(nn.Linear(1, 1), nn.ReLU())
    x = torch.ones(1, 1, requires_grad=True)
    handles = [M.register_module_forward_hook(lambda mod, a, o: log.append(name(mod))),
               M.register_module_forward_pre_hook(lambda mod, a: log.append("pre " + name(mod))),
               M.register_module_full_backward_hook(lambda mod, gi, go: log.append("back " + name(mod))),
               M.register_module_full_backward_pre_hook(lambda mod, go: log.append("preback " + name(mod)))]
    m(x).sum().backward()
    say(log)
    say(lambda: M.register_module_backward_hook(lambda *a: None))
    for handle in handles:
        handle.remove()
    log.clear()
    m(x)
    say(log)
    handles = [M.register_module_buffer_registration_hook(lambda mod, n, b: log.append(n)),
               M.register_module_parameter_registration_hook(lambda mod, n, p: log.append(n)),
               M.register_module_module_registration_hook(lambda mod, n, s: nn.Tanh() if isinstance(s, nn.ReLU) else None)]
    made = nn.Sequential(nn.ReLU(), nn.Linear(1, 1), nn.BatchNorm1d(1))
    made.act = nn.ReLU()
    for handle in handles:
        handle.remove()
    say(log, made)
    with M.register_module_forward_hook(lambda mod, a, kw, o: log.append(sorted(kw)), with_kwargs=True, always_call=True):
        nn.Linear(1, 1)(input=torch.ones(1))
    say(log[-1])


@case
def conversion(torch, say):
    nn, m = torch.nn, network(torch)
    m.p.grad = torch.ones(2)
    p = m.p
    say(m.double() is m, m.p is p, m.p.dtype, m.p.grad.dtype, m.mean.dtype, m.a.weight.dtype)
    say(m.half().p.dtype, m.bfloat16().p.dtype, m.float().p.dtype, m.type(torch.float64).p.dtype, m.to(torch.float32).p.dtype)
    for f in (lambda: m.to(torch.int32), lambda: m.to("nowhere"), lambda: m.to(),
              lambda: m.to(torch.ones(1, dtype=torch.float64)).p.dtype, lambda: m.to("cpu", torch.float32).p.dtype,
              lambda: m.to(dtype=torch.float64, non_blocking=True).p.dtype, lambda: m.train(3), lambda: m.train(1)):
        say(f)
    c = nn.Conv2d(2, 3, 3).to(memory_format=torch.channels_last)
    say(c.weight.stride(), c.bias.stride())
    counted = nn.BatchNorm1d(2).half()
    say({k: v.dtype for k, v in counted.state_dict().items()})
    e = nn.Linear(2, 2, device="meta")
    say(e.weight.device, lambda: e.to("cpu"), e.to_empty(device="cpu").weight.device)
    say(m.eval().training, m.b[0].training, m.train().b[1].training, m.train(False).a.training)
    say(m.requires_grad_(False).p.requires_grad, m.requires_grad_().a.weight.requires_grad)
    m.float()
    m.p.grad = torch.ones(2)
    m.zero_grad(set_to_none=False)
    say(m.p.grad)
    m.zero_grad()
    say(m.p.grad, m.share_memory() is m, m.p.is_shared())
    names = []
    say(m.apply(lambda mod: names.append(name(mod))) is m, names)
    say(m.cpu() is m)


@case
def copies(torch, say):
    m = network(torch)
    c = copy.deepcopy(m)
    say(c.p is m.p, torch.equal(c.p, m.p), c.tied is c.a, name(c), c.p.requires_grad, list(c.state_dict()) == list(m.state_dict()))
    s = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Tanh())
    s.register_forward_hook(print)
    d = pickle.loads(pickle.dumps(s[0]))
    say(d, torch.equal(d.weight, s[0].weight), name(d.weight), d.training)
    e = copy.copy(s)
    say(e[0] is s[0], e._modules is s._modules)
    torch.manual_seed(0)
    old = torch.nn.Module.__new__(torch.nn.Linear)
    old.__setstate__({"_parameters": {}, "_buffers": {}, "_modules": {}, "training": True, "_backward_hooks": OrderedDict(), "_forward_hooks": OrderedDict()})
    say(sorted(old.__dict__))
    say(sorted(torch.nn.ReLU().__dict__))


@case
def containers(torch, say):
    nn = torch.nn
    s = nn.Sequential(nn.Linear(1, 2), nn.ReLU())
    say(s.append(nn.Tanh()) is s, s.insert(1, nn.Sigmoid()) is s, s)
    del s[0]
    say(s, s[-1], s[0:2], len(s * 2), len(2 * s), len(s + s), list(s._modules))
    s[0] = nn.ELU()
    s *= 2
    s += nn.Sequential(nn.GELU())
    say(s, s.pop(0), len(s), s.extend([nn.Tanh()]) is s, list(s._modules))
    del s[1:3]
    say(list(s._modules), [name(m) for m in s], nn.Sequential(), "0" in dir(s))
    named = nn.Sequential(OrderedDict(first=nn.ReLU(), second=nn.Tanh()))
    say(named.first, named[1], list(named[:1]._modules), named)
    l = nn.ModuleList([nn.Linear(1, 1), nn.Linear(1, 1), nn.ReLU()])
    l.insert(0, nn.Tanh())
    l.append(nn.ReLU())
    say(l, len(l), l[-1], l[1:3], nn.ModuleList(), len(l + [nn.ReLU()]), [name(m) for m in l.extend([nn.ELU()])])
    l[1] = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))
    del l[0]
    l += [nn.Tanh()]
    say(l, l.pop(-1), lambda: l(1))
    d = nn.ModuleDict({"x": nn.ReLU(), "y": nn.Linear(1, 1)})
    d["z"] = nn.Tanh()
    d.update([["w", nn.ELU()]])
    say(d, list(d), "x" in d, d.pop("x"), list(d.keys()), len(d), [name(v) for v in d.values()], [k for k, _ in d.items()])
    d.clear()
    say(d, lambda: d.update({"keys": nn.ReLU()}))
    p = nn.ParameterList([torch.ones(2), nn.Parameter(torch.ones(1, 2)), 3])
    p.append(torch.zeros(1))
    p += ["text"]
    say(p, len(list(p.parameters())), p[1:3], p[-1], list(p.state_dict()), len(p))
    p[0] = torch.ones(3)
    say(p[0], sorted(k for k in dir(p) if k.isdigit()))
    q = nn.ParameterDict({"b": torch.ones(2), "a": torch.ones(1)})
    q["n"] = 3
    q.update({"z": torch.ones(1), "c": torch.ones(1)})
    say(q, list(q.keys()), q.popitem(), q.pop("a"), q.get("zz", 5), q.setdefault("new", torch.ones(1)), len(q), list(reversed(q)))
    say(q.copy(), list((q | nn.ParameterDict({"k": torch.ones(1)})).keys()), q.fromkeys(["u", "v"], 1), "n" in q, list(q.values())[1])
    q |= {"o": torch.ones(1)}
    del q["n"]
    say(list(q), [k for k, _ in q.items()], list(q.state_dict()))
    q.clear()
    say(q, len(q))


@case
def lazy(torch, say):
    nn = torch.nn
    m = nn.Sequential(nn.LazyConv2d(2, 1), nn.LazyBatchNorm2d(), nn.Flatten(), nn.LazyLinear(3))
    say(m, [nn.parameter.is_lazy(p) for p in m.parameters()], m[3].weight, len(m[0]._forward_pre_hooks))
    state = m.state_dict()
    say(state["3.weight"])
    full = nn.Sequential(nn.Conv2d(1, 2, 1), nn.BatchNorm2d(2), nn.Flatten(), nn.Linear(8, 3))
    say(m.load_state_dict(full.state_dict()), m[3].weight.shape, name(m[3]), lambda: full.load_state_dict(state))
    say(m.double()[3].weight.dtype)
    again = copy.deepcopy(nn.LazyLinear(2))
    say(again, again(torch.ones(1, 3)).shape, name(again), len(again._forward_pre_hooks), len(again._load_state_dict_pre_hooks))
    say(lambda: nn.LazyLinear(2).share_memory())

    class Half(nn.modules.lazy.LazyModuleMixin, nn.Module):
        def __init__(self):
            super().__init__()
            self.w = nn.UninitializedParameter()

    say(lambda: Half()(1))
    Half.initialize_parameters = lambda self, x: None
    say(lambda: Half()(1))


@case
def first_values(torch, say):
    I = torch.nn.init
    for f in (lambda t: I.uniform_(t, -1, 2), lambda t: I.normal_(t, 1, 2), I.xavier_uniform_, I.xavier_normal_, I.kaiming_uniform_,
              lambda t: I.kaiming_normal_(t, 0.1, "fan_out", "leaky_relu"), I.orthogonal_, lambda t: I.orthogonal_(t.t(), 2).t(),
              I.trunc_normal_, lambda t: I.trunc_normal_(t, 0, 1, 1.5, 3), lambda t: I.trunc_normal_(t, std=0.02, a=-0.04, b=0.02),
              I.eye_, I.ones_, I.zeros_, lambda t: I.constant_(t, 0.3), lambda t: I.sparse_(t, 0.4),
              lambda t: I.kaiming_normal_(t, generator=torch.Generator().manual_seed(3))):
        torch.manual_seed(3)
        say(lambda: f(torch.empty(3, 4)), torch.rand(1))
    for shape, groups in (((4, 2, 3), 2), ((2, 3, 3, 2), 1), ((2, 2, 1, 2, 3), 1)):
        say(I.dirac_(torch.empty(shape), groups).nonzero().tolist())
    say([I.calculate_gain(n) for n in ("linear", "conv2d", "sigmoid", "tanh", "relu", "selu")], I.calculate_gain("leaky_relu", 0.2))
    for f in (lambda: I.calculate_gain("x"), lambda: I.calculate_gain("leaky_relu", "a"), lambda: I.eye_(torch.ones(2)),
              lambda: I.dirac_(torch.ones(2)), lambda: I.dirac_(torch.ones(3, 2, 2), 2), lambda: I.xavier_normal_(torch.ones(2)),
              lambda: I.kaiming_uniform_(torch.ones(2, 2), mode="x"), lambda: I.orthogonal_(torch.ones(2)),
              lambda: I.sparse_(torch.ones(2), 0.1), lambda: I.kaiming_normal_(torch.empty(0, 2)).shape,
              lambda: I.xavier_uniform(torch.zeros(1, 1)).shape, lambda: I.trunc_normal_(torch.empty(2), 5, 1).shape,
              lambda: I.normal_(torch.nn.Parameter(torch.ones(2))).requires_grad):
        say(lambda: warned(f))


@case
def clipping(torch, say):
    U = torch.nn.utils

    def grads(*values):
        made = []
        for value in values:
            p = torch.zeros(len(value), requires_grad=True)
            p.grad = torch.tensor(value)
            made.append(p)
        return [*made, torch.zeros(1, requires_grad=True)]

    for order in (2, 1, float("inf"), 3.5, 0):
        ps = grads([3., -4.], [1., 2., 2.])
        say(U.clip_grad_norm_(ps, 1.5, order), [p.grad for p in ps])
    ps = grads([0.1], [0.2])
    say(U.clip_grad_norm_(ps, 5.), [p.grad for p in ps], U.clip_grad_norm_(ps[0], 0.05), ps[0].grad)
    ps = grads([float("nan"), 1.], [float("inf")])
    say(U.clip_grad_norm_(ps[1:], 1.), ps[1].grad, lambda: U.clip_grad_norm_(ps, 1., error_if_nonfinite=True), ps[0].grad)
    say(lambda: warned(lambda: U.clip_grad_norm_((p for p in []), 1.)), U.clip_grad_norm_([], 1.), U.get_total_norm([torch.ones(4)]))
    ps = grads([3., -4.], [0.5])
    say(U.clip_grad_value_(ps, 1), [p.grad for p in ps], lambda: warned(lambda: U.clip_grad_norm(ps, 0.5)))
    U.clip_grads_with_norm_(ps, 1., torch.tensor(10.))
    say([p.grad for p in ps])
    mixed = grads([1., 2.])
    mixed[-1].grad = torch.tensor([2.], dtype=torch.float32)
    other = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    other.grad = torch.tensor([4.], dtype=torch.float64)
    say(U.clip_grad_norm_([*mixed, other], 1.), other.grad)


@case
def vectors(torch, say):
    U, m = torch.nn.utils, network(torch)
    v = U.parameters_to_vector(m.parameters())
    say(v.shape, v.requires_grad, v[:3])
    U.vector_to_parameters(torch.arange(28.), m.parameters())
    say(m.p, m.a.weight, lambda: U.vector_to_parameters(3, m.parameters()))
    conv, bn = torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2)
    say(lambda: U.fuse_linear_bn_eval(conv, bn))
    with torch.no_grad():
        bn.running_mean.copy_(torch.tensor([1., 2.]))
        bn.weight.copy_(torch.tensor([0.5, 3.]))
    fused = U.fuse_linear_bn_eval(conv.eval(), bn.eval())
    x = torch.ones(3, 2)
    say(fused, torch.allclose(fused(x), (conv(x) - bn.running_mean) / (1 + 1e-5)**0.5 * bn.weight + bn.bias))
    say(lambda: U.fuse_linear_bn_eval(torch.nn.Linear(2, 3).eval(), bn))
    w, b = U.fuse_conv_bn_weights(torch.ones(2, 1, 1, 1), None, torch.ones(2), torch.ones(2) * 4, 0., None, torch.ones(2))
    say(w.flatten(), b)
    s = U.skip_init(torch.nn.Linear, 2, 3)
    say(s, s.weight.device, lambda: U.skip_init(torch.nn.ReLU), lambda: U.skip_init(dict))
    c = U.convert_conv2d_weight_memory_format(torch.nn.Sequential(torch.nn.Conv2d(2, 3, 3)), torch.channels_last)
    say(c[0].weight.stride())


@case
def stateless(torch, say):
    nn = torch.nn
    F = torch.nn.utils.stateless

    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.a = nn.Linear(2, 2, bias=False)
            self.b = nn.Linear(2, 2, bias=False)
            self.b.weight = self.a.weight
            self.register_buffer("n", torch.zeros(1))

        def forward(self, x):
            self.n = self.n + 1
            return self.b(self.a(x)) + self.n

    m, x = Tied(), torch.ones(1, 2)
    eye = torch.eye(2)
    old = m.a.weight
    call = F._functional_call
    say(call(m, {"a.weight": eye}, x), m.a.weight is old, m.b.weight is old)
    say(call(m, {"a.weight": eye}, (x,), tie_weights=False).shape)
    given = {"a.weight": eye, "n": torch.ones(1)}
    say(call(m, given, x), given["n"], m.n)
    for f in (lambda: call(m, {"a.weight": eye, "b.weight": eye * 2}, x), lambda: call(m, {"zz": eye}, x, strict=True),
              lambda: call(m, {"c.weight": eye}, x), lambda: call(m, {"a.weight": 3}, x), lambda: call(m, {"a": eye}, x),
              lambda: warned(lambda: F.functional_call(m, {}, x).shape)):
        say(f)
    say(m.a.weight is old)


@case
def parametrized(torch, say):
    nn = torch.nn
    P = nn.utils.parametrize

    class Symmetric(nn.Module):
        def forward(self, x):
            return x.triu() + x.triu(1).mT

        def right_inverse(self, x):
            return x.triu()

    class Twice(nn.Module):
        def forward(self, x):
            return x * 2

    class Split(nn.Module):
        def forward(self, a, b):
            return a + b

        def right_inverse(self, x):
            return x * 0.25, x * 0.75

    torch.manual_seed(0)
    m = nn.Linear(2, 2)
    w = m.weight.detach().clone()
    P.register_parametrization(m, "weight", Symmetric())
    say(m, list(m.state_dict()), name(m), P.is_parametrized(m), P.is_parametrized(m, "bias"), P.type_before_parametrizations(m))
    say(torch.equal(m.weight, w.triu() + w.triu(1).mT), m.parametrizations.weight.original is not None, m(torch.ones(1, 2)).requires_grad)
    m.weight = torch.tensor([[1., 2.], [2., 3.]])
    say(m.weight, m.parametrizations.weight.original)
    P.register_parametrization(m, "weight", Twice())
    say(m.weight, m, lambda: setattr(m, "weight", torch.ones(2, 2)))
    with P.cached():
        say(m.weight is m.weight)
    say(m.weight is m.weight, lambda: pickle.dumps(m), copy.deepcopy(m).weight)
    P.remove_parametrizations(m, "weight")
    say(m, m.weight, name(m), list(m.state_dict()))
    n = nn.Linear(1, 1)
    P.register_parametrization(n, "weight", Split())
    say(list(n.state_dict()), lambda: P.remove_parametrizations(n, "weight", leave_parametrized=False))
    n.weight = torch.ones(1, 1) * 4
    say(n.weight, n.parametrizations.weight.original0, P.remove_parametrizations(n, "weight").weight)
    for f in (lambda: P.register_parametrization(n, "zz", Twice()), lambda: P.remove_parametrizations(n, "bias"),
              lambda: P.register_parametrization(nn.Linear(2, 2), "weight", nn.Flatten(0)),
              lambda: P.register_parametrization(nn.Linear(2, 2), "weight", nn.Flatten(0), unsafe=True).weight.shape,
              lambda: P.ParametrizationList([], torch.ones(1))):
        say(f)
    u = nn.utils.parametrizations.weight_norm(nn.Linear(3, 2))
    say(u, list(u.state_dict()), u.parametrizations.weight.original0.shape)
    say(P.transfer_parametrizations_and_params(u, nn.Linear(3, 2)))
    v = nn.Linear(3, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        nn.utils.weight_norm(v)
    say(v, list(v.state_dict()), v.weight_g.shape, name(v.weight), lambda: nn.utils.weight_norm(v), u.load_state_dict(v.state_dict()))
    v(torch.ones(1, 3)).sum().backward()
    say(v.weight_g.grad.shape, v.weight_v.grad, nn.utils.remove_weight_norm(v), list(v.state_dict()), lambda: nn.utils.remove_weight_norm(v))


@case
def orthogonal_weights(torch, say):
    nn = torch.nn
    O = nn.utils.parametrizations.orthogonal
    for sizes, kinds in (((3, 3), ("matrix_exp", "cayley", None)), ((4, 2), ("householder", None, "cayley")), ((2, 4), ("householder",))):
        for kind in kinds:
            for trivial in (True, False):
                torch.manual_seed(0)
                m = O(nn.Linear(*sizes), orthogonal_map=kind, use_trivialization=trivial)
                w = m.weight
                small = w if w.size(0) <= w.size(1) else w.mT
                say(w, torch.allclose(small @ small.mT, torch.eye(small.size(0)), atol=1e-5), list(m.state_dict()))
    say(m, lambda: O(nn.Linear(2, 2), orthogonal_map="x"), lambda: O(nn.Linear(2, 2), "bias"), lambda: O(nn.Linear(2, 2), "zz"))
    m = O(nn.Linear(2, 2), use_trivialization=False)
    say(lambda: setattr(m, "weight", torch.eye(2)), lambda: setattr(O(nn.Linear(2, 2)), "weight", torch.eye(3)))


@case
def spectral_weights(torch, say):
    nn = torch.nn
    for S in (nn.utils.parametrizations.spectral_norm, nn.utils.spectral_norm):
        torch.manual_seed(0)
        m = S(nn.Linear(3, 4))
        say(m, list(m.state_dict()), m.state_dict()._metadata)
        y = m(torch.ones(2, 3))
        y.sum().backward()
        say(y, m.weight, torch.linalg.svdvals(m.weight)[0] < 1.5, m.eval()(torch.ones(2, 3)))
        say(S(nn.ConvTranspose2d(2, 3, 1)).state_dict().keys(), lambda: S(nn.Linear(2, 2), n_power_iterations=0))
        again = S(nn.Linear(3, 4))
        say(again.load_state_dict(m.state_dict()), torch.equal(again.eval().weight, m.weight) if S is not nn.utils.spectral_norm else None)
    say(lambda: S(m), nn.utils.remove_spectral_norm(m), list(m.state_dict()), lambda: nn.utils.remove_spectral_norm(m), len(m._state_dict_hooks))
    say(lambda: S(nn.Linear(2, 2, bias=False), "bias"))


@case
def pruned(torch, say):
    nn, P = torch.nn, importlib.import_module(torch.__name__ + ".nn.utils.prune")
    torch.manual_seed(0)
    m = nn.Linear(4, 3)
    say(P.l1_unstructured(m, "weight", 5) is m, list(m.state_dict()), m.weight_mask, m.weight, P.is_pruned(m))
    P.random_unstructured(m, "weight", 0.3)
    say(m.weight_mask, [name(h) for h in m._forward_pre_hooks.values()], [name(h) for h in list(m._forward_pre_hooks.values())[0]])
    P.ln_structured(m, "weight", 1, n=2, dim=0)
    say(m.weight_mask, m(torch.ones(1, 4)))
    P.random_structured(m, "weight", 1, 1)
    P.custom_from_mask(m, "bias", torch.tensor([1, 0, 1]))
    say(m.weight_mask, m.bias)
    w = m.weight
    say(P.remove(m, "weight") is m, torch.equal(m.weight, w), list(m.state_dict()), name(m.weight), lambda: P.remove(m, "weight"))
    P.identity(m, "weight")
    say(m.weight_mask.sum(), P.is_pruned(nn.Linear(1, 1)))
    a, b = nn.Linear(2, 2), nn.Linear(2, 2)
    P.global_unstructured([(a, "weight"), (b, "weight")], P.L1Unstructured, amount=3)
    say(a.weight_mask, b.weight_mask)
    for f in (lambda: P.l1_unstructured(m, "weight", 99), lambda: P.l1_unstructured(m, "weight", 1.5), lambda: P.L1Unstructured("a"),
              lambda: P.random_structured(nn.Linear(2, 2), "bias", 1, 0), lambda: P.ln_structured(nn.Linear(2, 2), "weight", 1, 2, 5),
              lambda: P.global_unstructured(3, P.Identity), lambda: P.global_unstructured([(a, "bias")], P.LnStructured, amount=1, n=1),
              lambda: P.L1Unstructured(2).prune(torch.arange(4.)), lambda: P.PruningContainer().add_pruning_method(3),
              lambda: P.l1_unstructured(nn.Linear(2, 2), "weight", 1, importance_scores=torch.ones(1))):
        say(f)
    failing = nn.Linear(2, 2)
    say(lambda: P.l1_unstructured(failing, "weight", 99), list(failing.state_dict()))


def facts(torch):
    return {case.__name__: run(torch, case) for case in CASES}
