# SPDX-License-Identifier: BSD-3-Clause
"""Averages of the parameters of all processes."""
from .... import _C
from ....nn.parameter import Parameter
from ... import distributed_c10d as c10d
from ..._collectives import all_reduce

__all__ = ["average_parameters", "average_parameters_or_parameter_groups", "get_params_to_average"]


def average_parameters(params, process_group):
    """Replaces each parameter by the average of those of all processes of a group (None: of all)."""
    params = list(params)
    if c10d._rank_not_in_group(process_group):
        return
    flat = _C.cat([p.detach().reshape(-1) for p in params])
    flat /= c10d.get_world_size(process_group)
    all_reduce(flat, group=process_group)
    for p, part in zip(params, flat.split([p.numel() for p in params]), strict=True):
        p.data = part.view_as(p).type_as(p)


def get_params_to_average(params):
    """The parameters with a gradient, of parameters or of the groups of an optimizer."""
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
    """average_parameters for those that have a gradient."""
    average_parameters(get_params_to_average(params), process_group)
