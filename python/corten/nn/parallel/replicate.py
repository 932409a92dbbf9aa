# SPDX-License-Identifier: BSD-3-Clause
"""torch.nn.parallel.replicate: copies of a module on several GPUs, with gradients that flow back to the module."""
from ... import _C
from ..._utils import _get_device_index
from ...cuda import comm

__all__ = ["replicate"]


def _copies(tensors, devices, detach):
    """Return, for each device, a list of copies of all tensors; a tensor that is on the device already gives a view."""
    if not tensors:
        return [[] for _ in devices]
    if detach:
        tensors = [t.detach() for t in tensors]
    results = []
    for copies in comm.broadcast_coalesced(tensors, devices):
        copies = [_C.view_as_complex(copy) if t.is_complex() else copy for t, copy in zip(tensors, copies, strict=True)]
        results.append([copy.view_as(copy) if copy is t and not detach else copy for t, copy in zip(tensors, copies, strict=True)])
    return results


def replicate(network, devices, detach=False):
    """Copy a module to several GPUs and return the copies.

    The parameters of a copy are plain tensors computed from those of the module, so gradients flow
    back and add up.

    Args:
        network: the module, on the first GPU.
        devices: the GPUs.
        detach: cut the copies off from autograd. Default: False.
    """
    devices = [_get_device_index(device, True) for device in devices]
    if not devices:
        return []
    modules, params, buffers = list(network.modules()), list(network.parameters()), list(network.buffers())
    place = {id(t): i for i, t in enumerate(params)}
    follow = [buffer for buffer in buffers if buffer.requires_grad and not detach]
    rest = [buffer for buffer in buffers if not buffer.requires_grad or detach]
    param_copies = _copies(params, devices, detach)
    buffer_copies = [{id(b): copy for group, copies in ((follow, one), (rest, two)) for b, copy in zip(group, copies, strict=True)}
                     for one, two in zip(_copies(follow, devices, False), _copies(rest, devices, True), strict=True)]
    replicas = []
    for j in range(len(devices)):
        own = {id(module): module._replicate_for_data_parallel() for module in modules}
        for module in modules:
            replica = own[id(module)]
            replica._former_parameters = {}
            for key, child in module._modules.items():
                replica._modules[key] = None if child is None else own[id(child)]
            for key, param in module._parameters.items():
                if param is None:
                    replica._parameters[key] = None
                    continue
                copy = param_copies[j][place[id(param)]]
                setattr(replica, key, copy)
                replica._former_parameters[key] = copy
            for key, buffer in module._buffers.items():
                replica._buffers[key] = None if buffer is None else buffer_copies[j][id(buffer)]
        replicas.append(own[id(network)])
    return replicas
