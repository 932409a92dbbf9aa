# SPDX-License-Identifier: BSD-3-Clause
"""The mechanism of checkpointing: drops the tensors that autograd saves, and recomputes them when backward needs them.

While a region runs forward, a pack hook replaces every tensor that an operation saves by an empty `Holder`. The first
holder that backward opens runs the region again, this time with a hook that puts the n-th saved tensor into the n-th
holder. Regions nest: what an inner region needs of its inputs is saved through the hooks of the outer one, so opening an
inner holder first recomputes the outer region. See checkpoint.py for the public functions.
"""
import itertools
import threading
import weakref

from .. import _C, autograd, empty, enable_grad
from ..autograd.graph import saved_tensors_hooks

TIP = """
Tip: checkpoint(..., debug=True), or `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` around the forward pass,
adds the operations of both runs to this message.
"""


class CheckpointError(RuntimeError):
    """Raised if the second run of a region does not save the same tensors as the first."""


class _Stop(Exception):
    """Ends a recomputation when all tensors that backward needs are available."""


class Holder:
    """A placeholder for one saved tensor. `values` maps a backward pass to the recomputed tensor, or None once taken."""
    __slots__ = ("values", "__weakref__")

    def __init__(self):
        self.values = {}


class _Inputs(autograd.Function):
    """Saves the inputs like any operation: through the surrounding hooks, and with the version check for in-place writes."""
    _under_transforms = True

    @staticmethod
    def forward(ctx, anchor, *tensors):
        ctx.save_for_backward(*tensors)
        return empty(0)

    @staticmethod
    def backward(ctx, *grads):
        raise AssertionError("the node that keeps the inputs of a checkpoint has no derivative")


_here = threading.local()
_unique = itertools.count(-2, -1)  # ids for unpacking outside backward; ids from the engine count up from 0


def current_region():
    """Return this thread's innermost (frame, run), with run None in the forward pass; None outside of regions."""
    regions = _here.__dict__.get("regions")
    return regions[-1] if regions else None


class _Region:
    """Context manager that makes a frame current and installs its saved-tensor hooks."""

    def __init__(self, frame, run, pack, unpack):
        self.entry, self.hooks = (frame, run), saved_tensors_hooks(pack, unpack)

    def __enter__(self):
        self.hooks.__enter__()
        _here.__dict__.setdefault("regions", []).append(self.entry)

    def __exit__(self, *error):
        _here.regions.pop()
        self.hooks.__exit__(*error)


class Frame:
    """One call of a checkpointed function: how to run it again, and the holders of its saved tensors."""

    def __init__(self, rerun, args, early_stop, facts_of, explain, generators):
        self.rerun, self.early_stop, self.facts_of, self.explain, self.generators = rerun, early_stop, facts_of, explain, generators
        self.holders, self.facts = [], []  # weak references: a holder dies with the graph node that saved its tensor
        self.counts = {}  # run -> number of tensors that its recomputation has saved
        self.done = set()  # runs whose recomputation is complete
        self.complete = self.ends_early = False
        self.record = None  # a list while a selective policy records what one operation saves
        self._save_inputs(args)

    def _save_inputs(self, args):
        self._places = [i for i, x in enumerate(args) if isinstance(x, _C.Tensor)]
        self._args = [None if isinstance(x, _C.Tensor) else x for x in args]
        self._node = None
        if self._places:
            with enable_grad():
                anchor = empty(0, requires_grad=True)
                self._node = _Inputs.apply(anchor, *(args[i] for i in self._places)).grad_fn

    def _inputs(self):
        args = list(self._args)
        if self._node is not None:
            for place, tensor in zip(self._places, self._node.saved_tensors):
                args[place] = tensor
        return args

    def forward(self):
        """Returns the context for the first run."""
        return _Region(self, None, self._pack, self._unpack)

    def _pack(self, tensor):
        holder = Holder()
        self.holders.append(weakref.ref(holder))
        self.facts.append(self.facts_of(tensor))
        if self.record is not None:
            self.record.append(tensor)
        return holder

    def _unpack(self, holder):
        try:
            return self._open(holder)
        except CheckpointError as error:
            if self.explain is not None:
                self.explain(error)
            raise

    def _open(self, holder):
        run = GraphExecGroup._get_current_group()
        if run is None:
            run = _C._current_graph_task_id()
        if run == -1:
            run = next(_unique)
        if run not in self.done:
            self._recompute(run)
        if holder.values.get(run) is None:
            raise CheckpointError("torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once. "
                                  + ("Performing two backward calls that overlap (i.e. require the same saved activation in order to "
                                     "compute gradients) is not allowed while under the torch.utils.checkpoint.GraphExecGroup context. "
                                     if isinstance(run, GraphExecGroup) else "")
                                  + "If you are calling ctx.saved_tensors in backward, make sure to do so only once. Otherwise please "
                                  "open an issue with details on your use case.")
        tensor, holder.values[run] = holder.values[run], None
        return tensor

    def _recompute(self, run):
        args, frame = self._inputs(), weakref.ref(self)  # weak: tensors of the second run must not keep the frame alive
        self.counts[run] = 0
        try:
            with _Region(self, run, lambda tensor: frame().keep(run, tensor), lambda tensor: tensor), enable_grad():
                self.rerun(self._note_generators, *args)
        except _Stop:
            pass
        self.done.add(run)
        self._check(run)

    def keep(self, run, tensor):
        """Stores the next tensor saved by a recomputation, and ends the recomputation after the last needed one."""
        tensor = tensor.detach() if tensor.requires_grad else tensor
        place = self.counts[run]
        self.counts[run] += 1
        if place >= len(self.holders):
            if not self.complete:  # the function called backward itself before it had saved everything
                self.ends_early = True
                return tensor
            raise CheckpointError("torch.utils.checkpoint: trying to save more tensors during recomputation than during the original "
                                  f"forward pass.\n{TIP}")
        holder = self.holders[place]()
        if holder is not None:
            holder.values[run] = tensor
        if self.early_stop and place + 1 == len(self.holders) and not self._was_drawn():
            raise _Stop
        self._note_generators(place + 1)
        return tensor

    # Note [Stopping after dropout]: if the last saved tensor is a dropout mask, PyTorch stops inside of dropout, so a program
    # that compares the dropout results of both runs never gets the second. Operations after such a mask save nothing and are
    # cheap, so here the run continues to its end.

    def _note_generators(self, place=0):
        if self.early_stop and place + 1 == len(self.holders):
            self._before_last = self.generators()

    def _was_drawn(self):
        return not all(map(_C.equal, self._before_last, self.generators()))

    def _check(self, run):
        if self.ends_early:
            return
        if self.counts[run] != len(self.holders):
            raise CheckpointError("torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
                                  f"recomputation.\nNumber of tensors saved during forward: {len(self.holders)}\nNumber of tensors "
                                  f"saved during recomputation: {self.counts[run]}.\n{TIP}")
        wrong = ""
        for place, (reference, saved) in enumerate(zip(self.holders, self.facts)):
            holder = reference()
            found = None if holder is None else self.facts_of(holder.values[run])
            if holder is not None and found != saved:
                wrong += f"tensor at position {place}:\nsaved metadata: {saved}\nrecomputed metadata: {found}\n"
        if wrong:
            raise CheckpointError("torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than "
                                  f"during the forward pass.\n{wrong}.\n{TIP}")


class GraphExecGroup:
    """A context for several backward calls that share recomputed tensors, so that each checkpointed region runs again only once.

    The calls must go through different parts of the graph: a tensor that one call has used is not available to the next.
    Checkpoints with use_reentrant=True are not affected.
    """

    def __enter__(self):
        if self._get_current_group() is not None:
            raise RuntimeError(f"GraphExecGroup contexts cannot be nested. Already inside group {self._get_current_group()}")
        _here.group = self
        return self

    def __exit__(self, *error):
        _here.group = None

    @classmethod
    def _get_current_group(cls):
        return _here.__dict__.get("group")
