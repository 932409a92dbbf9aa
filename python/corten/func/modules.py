# SPDX-License-Identifier: BSD-3-Clause
"""Modules as functions of their parameters and buffers."""
from .. import stack
from ..nn.utils.stateless import _functional_call as _call

__all__ = ["debug_unwrap", "functional_call", "rearrange", "replace_all_batch_norm_modules_", "stack_module_state"]


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    """Call a module with other tensors for its parameters and buffers.

    The module itself does not change. As a pure function of its parameters it works with grad and vmap.

    Args:
        module: the module.
        parameter_and_buffer_dicts: {name: tensor}, or a list or tuple of such dicts; names as in named_parameters(). Tensors
            that are not named stay the module's own. A name in two dicts raises ValueError.
        args: the positional arguments, a tuple, or one argument. Default: None
        kwargs: the keyword arguments, a dict. Default: None
        tie_weights: whether replacing one name of a shared parameter replaces its other names too. Default: True
        strict: True raises RuntimeError unless the names are exactly the module's. Default: False

        >>> layer = nn.Linear(1, 1)
        >>> params = {"weight": torch.tensor([[2.]]), "bias": torch.tensor([1.])}
        >>> torch.func.functional_call(layer, params, torch.tensor([3.]))
        tensor([7.])
        >>> loss = lambda params, x: torch.func.functional_call(layer, params, x).sum()
        >>> torch.func.grad(loss)(params, torch.tensor([3.]))
        {'weight': tensor([[3.]]), 'bias': tensor([1.])}
    """
    given = parameter_and_buffer_dicts
    if isinstance(given, dict):
        given = dict(given)
    elif isinstance(given, (list, tuple)):
        if not all(isinstance(part, dict) for part in given):
            raise ValueError("Expected all elements of parameter_and_buffer_dicts to be dictionaries")
        names = [name for part in given for name in part]
        repeated = [name for name in dict.fromkeys(names) if names.count(name) > 1]
        if repeated:
            raise ValueError(f"{repeated} appeared in multiple dictionaries; behavior of functional call is ambiguous")
        given = {name: value for part in given for name, value in part.items()}
    else:
        raise ValueError("Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got "
                         f"{type(parameter_and_buffer_dicts)}")
    return _call(module, given, () if args is None else args, kwargs, tie_weights=tie_weights, strict=strict)


def stack_module_state(models):
    """Stack the parameters and buffers of several modules of one class, to run them as an ensemble with vmap.

    Args:
        models: the modules, of one class and in the same mode (training or evaluation).

    Returns ({name: stacked parameters}, {name: stacked buffers}), with the models along dim 0. Stacked parameters are new leaves
    that require gradients.

        >>> models = [nn.Linear(1, 1, bias=False) for _ in range(2)]
        >>> for scale, model in enumerate(models):
        ...     model.weight.data.fill_(scale + 1.)
        tensor([[1.]])
        tensor([[2.]])
        >>> params, buffers = torch.func.stack_module_state(models)
        >>> run = lambda params, x: torch.func.functional_call(models[0], params, x)
        >>> torch.func.vmap(run, in_dims=(0, None))(params, torch.tensor([10.])).tolist()
        [[10.0], [20.0]]
    """
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if not (all(m.training for m in models) or all(not m.training for m in models)):
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if not all(type(m) is type(models[0]) for m in models):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")

    def together(tensors):
        joined = stack(list(tensors))
        return joined.detach().requires_grad_() if all(t.requires_grad and t.is_leaf for t in tensors) else joined

    params = {name: together([dict(m.named_parameters())[name] for m in models]) for name, _ in models[0].named_parameters()}
    buffers = {name: stack([dict(m.named_buffers())[name] for m in models]) for name, _ in models[0].named_buffers()}
    return params, buffers


def debug_unwrap(tensor, *, recurse=True):
    """Return the tensor itself: Corten's transforms do not wrap tensors.

    Args:
        tensor: the tensor.
        recurse: accepted for compatibility, without effect. Default: True
    """
    return tensor


def replace_all_batch_norm_modules_(root):
    """Make all batch normalization layers use batch statistics only, so that the module can be used with vmap.

    They drop their running statistics, which they would update in place.

    Args:
        root: the module; changed in place and returned.
    """
    from ..nn.modules.batchnorm import _BatchNorm
    for module in root.modules():
        if isinstance(module, _BatchNorm) and module.track_running_stats:
            module.running_mean = module.running_var = module.num_batches_tracked = None
            module.track_running_stats = False
    return root


def _axes(side):
    """Return the groups of names on one side of a pattern: "b (h w)" gives [["b"], ["h", "w"]]."""
    groups, inside = [], False
    for word in side.replace("(", " ( ").replace(")", " ) ").split():
        if word in "()":
            if inside == (word == "("):
                raise ValueError("brackets are not balanced")
            inside = word == "("
            groups += [[]] if inside else []
        elif inside:
            groups[-1].append(word)
        else:
            groups.append([word] if word != "1" else [])
    return groups


def rearrange(tensor, pattern, **axes_lengths):
    """Split, merge and permute dims by name.

    Args:
        tensor: a tensor, or a list or tuple of tensors, which are stacked along a new first dim.
        pattern: "names before -> names after", such as "b (h w) c -> b c h w". Parentheses group the names that make up one
            dim, "1" stands for a dim of size 1, and "..." for any number of dims.
        axes_lengths: sizes of names that cannot be inferred, as keyword arguments.

        >>> x = torch.arange(6).view(2, 3)
        >>> torch.func.rearrange(x, "h w -> w h")
        tensor([[0, 3],
                [1, 4],
                [2, 5]])
        >>> torch.func.rearrange(x, "h (w k) -> (h k) w", k=3).shape
        torch.Size([6, 1])
    """
    tensor = stack(tuple(tensor)) if isinstance(tensor, (list, tuple)) else tensor
    left, arrow, right = pattern.partition("->")
    before, after = _axes(left), _axes(right)
    more = tensor.dim() - len(before) + 1
    if ["..."] in before:
        names = [f"...{k}" for k in range(more)]
        place = before.index(["..."])
        before[place:place + 1] = [[n] for n in names]
        after = [[n for name in group for n in (names if name == "..." else [name])] for group in after]
        after = [part for group, shown in zip(after, _axes(right)) for part in ([[n] for n in group] if shown == ["..."] else [group])]
    flat, wanted = [n for group in before for n in group], [n for group in after for n in group]
    if not arrow or len(before) != tensor.dim() or sorted(flat) != sorted(wanted) or len(set(flat)) != len(flat):
        raise ValueError(f"rearrange(): the pattern {pattern!r} does not fit a tensor of {tensor.dim()} dims")
    sizes = dict(axes_lengths)
    for group, size in zip(before, tensor.shape):
        known = [sizes[n] for n in group if n in sizes]
        rest = [n for n in group if n not in sizes]
        product = 1
        for n in known:
            product *= n
        if len(rest) > 1 or size % product or (not rest and product != size):
            raise ValueError(f"rearrange(): a dim of {size} elements cannot be {' '.join(group) or '1'}")
        sizes.update(dict.fromkeys(rest, size // product))
    moved = tensor.reshape([sizes[n] for n in flat]).permute([flat.index(n) for n in wanted])
    shape = []
    for group in after:
        size = 1
        for n in group:
            size *= sizes[n]
        shape.append(size)
    return moved.reshape(shape)
