# SPDX-License-Identifier: BSD-3-Clause
"""Functions that average parameters across processes."""
from .... import _C
from ....nn.parameter import Parameter
from ... import distributed_c10d as c10d
from ..._collectives import all_reduce

__all__ = ["average_parameters", "average_parameters_or_parameter_groups", "get_params_to_average"]


def average_parameters(params, process_group):
    """Replaces each parameter with its average over the group (None: all processes)."""
    params = list(params)
    if c10d._rank_not_in_group(process_group):
        return
    flat = _C.cat([p.detach().reshape(-1) for p in params])
    flat /= c10d.get_world_size(process_group)
    all_reduce(flat, group=process_group)
    for p, part in zip(params, flat.split([p.numel() for p in params]), strict=True):
        p.data = part.view_as(p).type_as(p)


def get_params_to_average(params):
    """Returns the parameters that have a gradient, from an iterable of parameters or of param_groups."""
    found = []
    for part in params:
        if isinstance(part, Parameter):
            found.append(part)
        elif isinstance(part, dict):
            found += part["params"]
        else:
            raise NotImplementedError(f"Parameter input of type {type(part)} is not supported")
    return [p for p in found if p.grad is not None]


def average_parameters_or_parameter_groups(params, process_group):
    """Calls average_parameters for the parameters that have a gradient."""
    average_parameters(get_params_to_average(params), process_group)
