# SPDX-License-Identifier: BSD-3-Clause
"""linear_cross_entropy in chunks of rows. It needs corten.autograd, so it is imported when chunks are first requested.

The head of a language model has tens of thousands of classes, so the scores of a batch are the
largest tensor of a training step. Here the gradients of a chunk of rows are computed together with
its loss, and its scores are freed before the next chunk.
"""
from .. import _C, autograd

_rows = _C._submodules["nn.functional"]


def _chunks(rows, size):
    """Return the slices that split `rows` rows into chunks of `size`; one empty slice if there are no rows."""
    return [slice(i, i + size) for i in range(0, max(rows, 1), size)]


class _Chunked:
    """The arguments of a loss, and the size of its chunks."""

    def __init__(self, target, class_weight, ignore_index, options):
        self.target, self.class_weight, self.ignore_index, self.options = target, class_weight, ignore_index, options

    def loss(self, rows, weight, bias, at, reduction):
        """Return the loss of the rows of one chunk."""
        target = self.target[at].to(rows.dtype) if self.target.is_floating_point() else self.target[at]
        per_class = None if self.class_weight is None else self.class_weight.to(rows.dtype)
        return _rows.cross_entropy(_rows.linear(rows, weight, bias), target, per_class, ignore_index=self.ignore_index,
                                   reduction=reduction)

    def count(self, dtype):
        """Return the divisor of a mean: the number of rows that count, or the sum of their class weights."""
        if self.target.is_floating_point():
            return self.target.new_full((), self.target.shape[0], dtype=dtype)
        counts = self.target != self.ignore_index
        if self.class_weight is None:
            return counts.sum().to(dtype)
        return (self.class_weight[_C.where(counts, self.target, 0)].to(dtype) * counts).sum()

    def each(self, parts, reduction, seed=None):
        """Process all chunks. Return their losses, and the gradients of the arguments that require one (None for others)."""
        acc, wanted = self.options.acc_dtype, [part is not None and part.requires_grad for part in parts]
        kind = acc if self.options.acc_policy == "accurate" else parts[0].dtype
        totals, losses, by_row = [None] * 3, [], []
        free = [None if part is None else part.detach().to(kind).requires_grad_(want)
                for part, want in zip((None, *parts[1:]), wanted)]
        for at in _chunks(parts[0].shape[0], self.options.batch_chunk_size):
            given = [parts[0][at].detach().to(kind).requires_grad_(wanted[0]), *free[1:]]
            with _C.set_grad_enabled(any(wanted)):
                loss = self.loss(*given, at, reduction)
            losses.append(loss.detach().to(acc))
            asked = [i for i in range(3) if wanted[i]]
            if not asked:
                continue
            grads = autograd.grad(loss, [given[i] for i in asked], None if seed is None else seed[at].to(loss.dtype))
            for i, grad in zip(asked, grads):
                if i == 0:
                    by_row.append(grad)
                else:
                    totals[i] = grad.to(acc) if totals[i] is None else totals[i].add_(grad)
        totals[0] = _C.cat(by_row) if by_row else None
        return losses, totals


class _Sum(autograd.Function):
    """The sum or mean of the losses. forward also computes the gradients, so that scores are computed only once."""

    @staticmethod
    def forward(ctx, input, weight, bias, chunked, reduction):
        parts = [None if part is None else part.detach().requires_grad_(want)
                 for part, want in zip((input, weight, bias), ctx.needs_input_grad)]
        losses, ctx.grads = chunked.each(parts, "sum")
        total = _C.stack(losses).sum()
        if reduction == "mean":
            count = chunked.count(total.dtype)
            total = total / count
            for grad in ctx.grads:
                if grad is not None:
                    grad.div_(count)
        ctx.kinds, ctx.keep = [None if part is None else part.dtype for part in parts], chunked.options.allow_retain_graph
        return total.to(input.dtype)

    @staticmethod
    @autograd.function.once_differentiable
    def backward(ctx, grad):
        if ctx.grads is None:
            raise RuntimeError("linear_cross_entropy chunked backward called twice; retain_graph=True / double backward are not "
                               "supported.")
        scaled = [None if part is None else (part * grad if ctx.keep else part.mul_(grad)).to(kind)
                  for part, kind in zip(ctx.grads, ctx.kinds)]
        if not ctx.keep:
            ctx.grads = None
        return (*scaled, None, None)


class _Rows(autograd.Function):
    """The loss of each row. The incoming gradients are known only in backward, which therefore recomputes the scores of each chunk."""

    @staticmethod
    def forward(ctx, input, weight, bias, chunked):
        ctx.save_for_backward(input, weight, bias)
        ctx.chunked = chunked
        losses, _ = chunked.each([None if part is None else part.detach() for part in (input, weight, bias)], "none")
        return _C.cat(losses).to(input.dtype)

    @staticmethod
    @autograd.function.once_differentiable
    def backward(ctx, grad):
        parts = [None if part is None else part.detach().requires_grad_(want)
                 for part, want in zip(ctx.saved_tensors, ctx.needs_input_grad)]
        _, grads = ctx.chunked.each(parts, "none", grad)
        return (*(None if g is None else g.to(part.dtype) for g, part in zip(grads, parts)), None)


def by_chunks(input, linear_weight, target, linear_bias, weight, reduction, ignore_index, options):
    """linear_cross_entropy in chunks of rows; the arguments are those of that function, with
    `ignore_index` and `options` given.
    """
    alone = input.dim() == 1
    if alone:
        input, target = input.unsqueeze(0), target.unsqueeze(0)
    if target.shape[:1] != input.shape[:1]:
        raise ValueError(f"Expected input batch_size ({input.shape[0]}) to match target batch_size ({target.shape[0]}).")
    options = options._adjust(*input.shape, linear_weight.shape[0], input.dtype, input.device, target.is_floating_point())
    if options.acc_dtype != input.dtype and not (options.acc_dtype == _C.float32 and input.dtype in (_C.float16, _C.bfloat16)):
        raise RuntimeError("linear_cross_entropy supports float32 acc_dtype with float16/bfloat16 inputs, but got "
                           f"{options.acc_dtype} acc_dtype and {input.dtype} inputs.")
    chunked = _Chunked(target, weight, ignore_index, options)
    if reduction != "none":
        return _Sum.apply(input, linear_weight, linear_bias, chunked, reduction)
    losses = _Rows.apply(input, linear_weight, linear_bias, chunked)
    return losses.squeeze(0) if alone else losses
