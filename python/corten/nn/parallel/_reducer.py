# SPDX-License-Identifier: BSD-3-Clause
"""The reducer of DistributedDataParallel: exchanges gradients in buckets while backward computes the rest.

A process sends a bucket when the last of its gradients is complete. Buckets are sent in the order in which backward should
complete them, which is the same in all processes. The last gradient waits until all buckets are exchanged. A parameter
with a sparse gradient has a separate bucket, which is a sparse tensor.
"""
from ... import _C, distributed
from ...distributed._grad_bucket import GradBucket

FIRST_BUCKET = 1 << 20  # bytes; small, so that the exchange begins early
_UNFINISHED = (
    "Expected to have finished reduction in the prior iteration before starting a new one. This error indicates that your module "
    "has parameters that were not used in producing loss. You can enable unused parameter detection by passing the keyword "
    "argument `find_unused_parameters=True` to `torch.nn.parallel.DistributedDataParallel`, and by \nmaking sure all `forward` "
    "function outputs participate in calculating loss. \nIf you already have done the above, then the distributed data parallel "
    "module wasn't able to locate the output tensors in the return value of your module's `forward` function. Please include the "
    "loss function and the structure of the return value of `forward` of your module when reporting this issue (e.g. list, dict, "
    "iterable).")
_TWICE = (
    "Expected to mark a variable ready only once. This error is caused by one of the following reasons: 1) Use of a module parameter "
    "outside the `forward` function. Please make sure model parameters are not shared across multiple concurrent forward-backward "
    "passes. 2) Reused parameters in multiple reentrant backward passes. For example, if you use multiple `checkpoint` functions to "
    "wrap the same part of your model, it would result in the same set of parameters been used by different reentrant backward passes "
    "multiple times, and hence marking a variable ready multiple times.")


def _no_elements(p):
    """Return an empty sparse gradient, for a parameter that was not used."""
    indices = _C.zeros((1, 0), dtype=_C.int64, device=p.device)
    return _C.sparse_coo_tensor(indices, p.new_zeros((0, *p.shape[1:])), p.shape)


class Bucket:
    """A group of parameters, and one tensor (`flat`) that contains their gradients; each parameter has a view of its part."""

    def __init__(self, parameters, dtype=None, sparse=False):
        self.parameters, self.sparse, self.dtype = parameters, sparse, dtype or parameters[0].dtype
        self.flat, self.views = None, ()
        self.missing, self.work, self.future, self.used = 0, None, None, False

    def allocate(self):
        """Allocate the tensor, unless it exists or (for sparse gradients) comes with the gradient."""
        if self.flat is None and not self.sparse:
            self.flat = _C.zeros(sum(p.numel() for p in self.parameters), dtype=self.dtype, device=self.parameters[0].device)
            parts = self.flat.split([p.numel() for p in self.parameters])
            self.views = [part.view(p.shape) for part, p in zip(parts, self.parameters, strict=True)]

    def release(self):
        """Free the memory."""
        self.flat, self.views = None, ()

    def put(self, p, factor):
        """Store the gradient of a parameter times `factor`; zeros if it has no gradient."""
        if self.sparse:
            grad = _no_elements(p) if p.grad is None else p.grad
            self.flat = (grad if grad.is_sparse else grad.to_sparse(1)).to(self.dtype) * factor
            return
        self.allocate()
        view = self.view_of(p)
        if p.grad is None:
            view.zero_()
        elif p.grad.layout == _C.strided:
            _C.mul(p.grad, factor, out=view)
        else:
            view.copy_(p.grad.to_dense() * factor)

    def view_of(self, p):
        """Return the part of the tensor that belongs to a parameter."""
        return next(view for q, view in zip(self.parameters, self.views, strict=True) if q is p)

    def empty_like(self):
        """Return a bucket of zeros, sent by a process that has no more data."""
        other = Bucket(self.parameters, self.dtype, self.sparse)
        other.allocate()
        if self.sparse:
            other.flat = _no_elements(self.parameters[0]).to(self.dtype)
        return other


def make_buckets(parameters, capacities, dtype, sparse):
    """Group the parameters, from last to first, into buckets of one type and device each.

    Args:
        parameters: the parameters.
        capacities: sizes in bytes of the first, second, ... bucket of a type; the last one applies to
            all further buckets.
        dtype: the type in which gradients are exchanged, or None for that of the parameters.
        sparse: ids of parameters with sparse gradients.
    """
    done, open_, count = [], {}, {}
    for p in reversed(parameters):
        if id(p) in sparse:
            done.append(Bucket([p], dtype, True))
            continue
        key = (p.dtype, p.device)
        bucket = open_.setdefault(key, [])
        bucket.append(p)
        limit = capacities[min(count.get(key, 0), len(capacities) - 1)]
        if sum(q.numel() * q.element_size() for q in bucket) >= limit:
            done.append(Bucket(open_.pop(key), dtype))
            count[key] = count.get(key, 0) + 1
    order = {id(p): i for i, p in enumerate(parameters)}
    done += [Bucket(bucket, dtype) for bucket in open_.values()]
    return sorted(done, key=lambda bucket: -order[id(bucket.parameters[-1])])  # in the order in which backward should complete them


class Reducer:
    """Averages gradients over the processes of a group as backward computes them."""

    def __init__(self, parameters, group, buckets, find_unused, as_views, static=False, skip_unused=False, lazy=False):
        self.parameters, self.group, self.buckets = parameters, group, buckets
        self.find_unused, self.as_views, self.static, self.skip_unused, self.lazy = find_unused, as_views, static, skip_unused, lazy
        self.factor = 1.0 / group.size()
        self.place = {id(p): bucket for bucket in buckets for p in bucket.parameters}
        self.active, self.hook = False, None  # hook: (state, function) of register_comm_hook
        self.waiting, self.launched, self.used = set(), 0, None
        self.begun, self.unused = False, None  # whether this backward has produced a gradient; the parameters that it will not reach
        self.known = None  # for a static graph: {id: whether any process has a gradient}
        if not lazy:
            for bucket in buckets:
                bucket.allocate()
        self.handles = [p.register_post_accumulate_grad_hook(self.ready) for p in parameters]

    def prepare(self, reached):
        """Prepare for a backward that reaches the parameters whose ids `reached()` returns.

        The state of a forward that had no backward is discarded.
        """
        if self.active and self.begun:
            raise RuntimeError(_UNFINISHED)
        self.active, self.begun, self.launched = True, False, 0
        self.waiting = {id(p) for p in self.parameters}
        for bucket in self.buckets:
            bucket.missing, bucket.work, bucket.future, bucket.used = len(bucket.parameters), None, None, False
        self.used = set()
        if not self.find_unused:
            self.unused = ()
        elif self.unused is None or not self.static:
            found = reached()
            self.unused = [p for p in self.parameters if id(p) not in found]

    def prepare_for_backward(self, outputs):
        """Call `prepare` with the tensors where backward starts, for libraries that run backward themselves."""
        from .distributed import _leaves
        self.prepare(lambda: _leaves(outputs))

    def _rebuild_buckets(self):
        """Return whether the buckets were rearranged: always False. Programs for PyTorch call it."""
        return False

    def ready(self, p):
        """Hook of a parameter, called when its gradient is complete."""
        if not self.active:
            return
        with _C.no_grad():
            if not self.begun:
                self.begun = True
                for other in self.unused:
                    self._mark(other, False)
            if id(p) not in self.waiting:
                raise RuntimeError(_TWICE)
            self._mark(p, p.grad is not None)

    def _mark(self, p, used):
        bucket = self.place[id(p)]
        self.waiting.discard(id(p))
        if used:
            self.used.add(id(p))
            bucket.used = True
        bucket.put(p, 1.0 if self.hook else self.factor)
        bucket.missing -= 1
        while self.launched < len(self.buckets) and self.buckets[self.launched].missing == 0:
            bucket = self.buckets[self.launched]
            if bucket.used or not self.skip_unused:
                self._launch(bucket)
            self.launched += 1
        if not self.waiting:
            self._finish()

    def _launch(self, bucket):
        if self.hook is None:
            bucket.work = distributed.all_reduce(bucket.flat, group=self.group, async_op=True)
        else:
            state, hook = self.hook
            bucket.future = hook(state, GradBucket(bucket, self.buckets.index(bucket), bucket is self.buckets[-1]))

    @staticmethod
    def _wait(bucket):
        if bucket.work is not None:
            bucket.work.wait()
        elif bucket.future is not None:
            result = bucket.future.wait()
            result = result[0] if isinstance(result, (list, tuple)) else result
            if bucket.sparse:
                bucket.flat = result
            elif result is not bucket.flat:
                bucket.flat.copy_(result)

    def _used_somewhere(self):
        """Return, for each parameter, whether any process has a gradient for it."""
        if not self.find_unused:
            return dict.fromkeys(map(id, self.parameters), True)
        if self.skip_unused:  # the user guarantees that all processes agree
            return {id(p): id(p) in self.used for p in self.parameters}
        if self.known is None or not self.static:
            self.known = self._share_marks([int(id(p) in self.used) for p in self.parameters])
        return self.known

    def _share_marks(self, mine):
        marks = _C.tensor(mine, dtype=_C.int32, device=self.parameters[0].device)
        distributed.all_reduce(marks, group=self.group)
        return {id(p): mark > 0 for p, mark in zip(self.parameters, marks.tolist(), strict=True)}

    def _finish(self):
        self.active = False
        for bucket in self.buckets:
            self._wait(bucket)
        wanted = self._used_somewhere()
        for bucket in self.buckets:
            for p in bucket.parameters:
                if wanted[id(p)]:
                    self._hand_out(bucket, p)
            if self.lazy:
                bucket.release()

    def _hand_out(self, bucket, p):
        if bucket.sparse:
            p.grad = bucket.flat.to(p.dtype)
            return
        view = bucket.view_of(p)
        if self.as_views and view.dtype == p.dtype:
            p.grad = view
        elif p.grad is None:
            p.grad = view.to(p.dtype, copy=True)
        elif p.grad.layout == _C.strided:
            p.grad.copy_(view)
        else:
            p.grad = view.to(p.dtype, copy=True)

    def shadow(self):
        """Send zeros in the exchange of one backward, because this process has no more data but others do."""
        with _C.no_grad():
            zeros = [bucket.empty_like() for bucket in self.buckets]
            for i, bucket in enumerate(zeros):
                if self.hook is None:
                    bucket.work = distributed.all_reduce(bucket.flat, group=self.group, async_op=True)
                else:
                    bucket.future = self.hook[1](self.hook[0], GradBucket(bucket, i, i == len(zeros) - 1))
            for bucket in zeros:
                self._wait(bucket)
            if self.find_unused and not self.skip_unused and (self.known is None or not self.static):
                self.known = self._share_marks([0] * len(self.parameters))
