# SPDX-License-Identifier: BSD-3-Clause
"""Failed calls leave a module unchanged; unused memory is freed immediately; modules in threads and processes."""
import copy
import gc
import pickle
import threading
import weakref

import pytest

import corten
from corten import nn


def net():
    corten.manual_seed(0)
    module = nn.Sequential(nn.Linear(2, 3), nn.PReLU(), nn.Linear(3, 1))
    module.register_buffer("count", corten.tensor(3))
    return module


def frozen(module):
    return {key: value.clone() for key, value in module.state_dict().items()}


def same(module, state):
    return all(corten.equal(value, state[key]) for key, value in module.state_dict().items())


def changed(state):
    return {key: value + 1 for key, value in state.items()}


@pytest.mark.parametrize("spoil", [
    lambda s: s.pop("2.bias"), lambda s: s.update(more=corten.ones(1)), lambda s: s.update({"2.bias": corten.ones(7)}),
    lambda s: s.update({"2.bias": 3})])
@pytest.mark.parametrize("watched", [False, True])
@pytest.mark.parametrize("assign", [False, True])
def test_failed_load_changes_nothing(spoil, watched, assign):
    module = net()
    if watched:  # a hook may read values, so each is copied at once and restored after a failure
        module[0].register_load_state_dict_post_hook(lambda *args: None)
    before, wrong = frozen(module), changed(frozen(module))
    spoil(wrong)
    objects = list(module.parameters())
    with pytest.raises(RuntimeError, match="loading state_dict for Sequential"):
        module.load_state_dict(wrong, assign=assign)
    assert same(module, before)
    assert all(p is q for p, q in zip(module.parameters(), objects))
    module.load_state_dict(changed(before), assign=assign)
    assert same(module, changed(before))


@pytest.mark.parametrize("where", ["pre", "post", "class"])
def test_hook_that_raises_while_loading(where):
    module = net()

    def broken(*args, **kwargs):
        raise KeyError("broken")

    if where == "pre":
        module[2].register_load_state_dict_pre_hook(broken)
    elif where == "post":
        module[2].register_load_state_dict_post_hook(broken)
    else:
        module[2] = type("Own", (nn.Linear,), {"_load_from_state_dict": broken})(3, 1)
    before = frozen(module)
    with pytest.raises(KeyError):
        module.load_state_dict(changed(before))
    assert same(module, before)


def test_own_loading_sees_what_it_loaded():
    class Own(nn.Linear):
        def _load_from_state_dict(self, *args):
            super()._load_from_state_dict(*args)
            self.seen = self.weight.sum().item()

    module = nn.Sequential(Own(2, 1))
    module.load_state_dict({"0.weight": corten.ones(1, 2), "0.bias": corten.ones(1)})
    assert module[0].seen == 2


def test_metadata_of_the_caller_stays():
    module = net()
    state = module.state_dict()
    before = copy.deepcopy(state._metadata)
    module.load_state_dict(state, assign=True)
    assert state._metadata == before


def test_hook_that_raises_in_a_call():
    module = net()
    x = corten.ones(4, 2)
    module.eval()
    plain = module(x)
    handle = module.register_forward_hook(lambda *args: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        module(x)
    handle.remove()
    assert corten.equal(module(x), plain)
    handle = module[0].register_full_backward_hook(lambda *args: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        module(x.requires_grad_()).sum().backward()
    handle.remove()
    module.zero_grad()
    module(x).sum().backward()
    assert module[0].weight.grad is not None


def test_modules_go_without_the_collector():
    gc.collect()
    gc.disable()
    try:
        module = net()
        module.register_forward_hook(lambda *args: None)
        module[0].register_full_backward_hook(lambda *args: None)
        module(corten.ones(4, 2, requires_grad=True)).sum().backward()
        seen = [weakref.ref(module), weakref.ref(module[0].weight)]
        del module
        assert not any(ref() for ref in seen)
    finally:
        gc.enable()


def test_cycles_are_collected():
    module = net()
    module.parent = [module]
    seen = weakref.ref(module)
    del module
    gc.collect()
    assert seen() is None


def test_attributes_of_odd_classes():
    class Slotted(nn.Linear):
        __slots__ = ("note",)

    made = Slotted(1, 1)
    made.note = 3
    assert made.note == 3 and "note" not in made.__dict__

    class Watching(nn.Linear):
        def __getattribute__(self, name):
            return 42 if name == "answer" else super().__getattribute__(name)

    assert Watching(1, 1).answer == 42 and Watching(1, 1).weight.shape == (1, 1)

    class Both(nn.Linear):
        def __init_subclass__(cls, **kwargs):
            cls.made = True

    class Below(Both):
        pass

    assert Below.made and Below(1, 2).weight.shape == (2, 1)
    with pytest.raises(AttributeError, match="'Below' object has no attribute 'weigth'"):
        Below(1, 2).weigth
    module = nn.Linear(1, 1)
    module.__dict__["_parameters"] = 3  # invalid, but must not crash
    with pytest.raises(AttributeError):
        module.weight


def test_deleting_while_reading():
    class Nasty(str):
        def __eq__(self, other):
            module.__dict__.clear()
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    found = {}
    for name in ("weight", "training", "forward", "nothing"):
        module = nn.Linear(1, 1)
        weight = module._parameters["weight"]
        found[name] = getattr(module, Nasty(name), None)
        assert (module.__dict__ == {}) == (name != "nothing")
        if name == "weight":  # found before the dict was cleared, and kept alive
            assert found[name] is weight and found[name].shape == (1, 1)
    assert found["training"] is None and found["nothing"] is None  # cleared, and never present
    assert found["forward"].__func__ is nn.Linear.forward


def test_threads():
    module, x = net().eval(), corten.randn(5, 2)
    expected, wrong = module(x), []

    def work():
        for _ in range(200):
            if not corten.equal(module(x), expected):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickled(protocol):
    module = net()
    again = pickle.loads(pickle.dumps(module, protocol))
    assert same(again, frozen(module)) and isinstance(again[0].weight, nn.Parameter)
    x = corten.ones(3, 2)
    assert corten.equal(again.eval()(x), module.eval()(x))


def test_training_does_not_grow():
    import resource
    module = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    x = corten.randn(16, 4)

    def steps(n):
        for _ in range(n):
            module.zero_grad()
            module(x).square().mean().backward()
            nn.utils.clip_grad_norm_(module.parameters(), 1.0)
            with corten.no_grad():
                for p in module.parameters():
                    p.sub_(p.grad, alpha=0.01)

    steps(200)
    gc.collect()
    objects, size = len(gc.get_objects()), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    steps(2000)
    gc.collect()
    assert len(gc.get_objects()) - objects < 50
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - size < 2000  # KiB


def test_statistics_stay_out_of_the_graph():
    """Running statistics are updated and used, but never become part of a graph."""
    norm, x = nn.BatchNorm2d(3), corten.randn(4, 3, 5, 5).requires_grad_()
    norm(x).sum().backward()
    after = norm.running_mean.clone()
    norm.eval()
    (norm(x) ** 2).sum().backward()
    assert corten.equal(norm.running_mean, after)
    assert norm.running_mean.grad_fn is None and norm.running_var.grad_fn is None
    assert not norm.running_mean.requires_grad


class _Everything(nn.Module):
    """A convolution, norms, an LSTM, attention, dropout: large enough that threads share the work of each."""

    def __init__(self):
        super().__init__()
        self.conv, self.bn = nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16)
        self.lstm = nn.LSTM(256, 64, batch_first=True, bidirectional=True)
        self.attention, self.norm = nn.MultiheadAttention(128, 4, batch_first=True), nn.LayerNorm(128)
        self.drop, self.head = nn.Dropout(0.2), nn.Linear(128, 10)

    def forward(self, x):
        x = nn.functional.max_pool2d(self.bn(self.conv(x)).relu(), 2)  # (N, 16, 16, 16)
        x, _ = self.lstm(x.flatten(2))
        x = self.norm(x + self.attention(x, x, x, need_weights=False)[0])
        return self.head(self.drop(x)).mean(1)


def test_training_is_the_same_for_any_number_of_threads():
    def train(threads):
        before = corten.get_num_threads()
        corten.set_num_threads(threads)
        try:
            corten.manual_seed(5)
            net = _Everything()
            optimizer = corten.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
            x, label = corten.randn(24, 3, 32, 32), corten.arange(24) % 10
            for _ in range(3):
                loss = nn.functional.cross_entropy(net(x), label)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            return {**net.state_dict(), "loss": loss.detach()}
        finally:
            corten.set_num_threads(before)
    one = train(1)
    for threads in (2, 3, 8):
        other = train(threads)
        assert [k for k in one if not corten.equal(one[k], other[k])] == []
