# SPDX-License-Identifier: BSD-3-Clause
"""torch.random: seed and state of the default generator."""
import contextlib
import warnings

from ._C import Generator  # noqa: F401
from ._C import default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state  # noqa: F401

__all__ = ["fork_rng", "get_rng_state", "initial_seed", "manual_seed", "seed", "set_rng_state", "thread_safe_generator"]

_warned = False  # whether the warning about saving all devices was given


@contextlib.contextmanager
def fork_rng(devices=None, enabled=True, _caller="fork_rng", _devices_kw="devices", device_type=None):
    """Context manager that restores the random number generators at the end, so that the block does not affect later draws.

    Args:
        devices: the GPUs whose generators are restored besides the CPU's. None means all, with a warning if there are several,
            because each of them has to be initialized.
        enabled: False makes the block have no effect.
        device_type: the type of these devices; by default that of the accelerator.

        >>> torch.manual_seed(0).initial_seed()
        0
        >>> with torch.random.fork_rng():
        ...     noise = torch.rand(100)
        >>> torch.rand(1)
        tensor([0.4963])
    """
    global _warned
    if device_type == "meta":
        yield
        return
    from . import accelerator, get_device_module
    found = accelerator.current_accelerator()
    kind = device_type or ("cuda" if found is None else found.type)
    module = get_device_module(kind)
    if not enabled:
        yield
        return
    if devices is None:
        devices = range(module.device_count())
        if len(devices) > 1 and not _warned:
            _warned, name = True, kind.upper()
            warnings.warn(f"{name} reports that you have {len(devices)} available devices, and you have used {_caller} without explicitly "
                          f"specifying which devices are being used. For safety, we initialize *every* {name} device by default, which can "
                          f"be quite slow if you have a lot of {name}s. If you know that you are only making use of a few {name} devices, "
                          f"set the environment variable {name}_VISIBLE_DEVICES or the '{_devices_kw}' keyword argument of {_caller} with "
                          "the set of devices you are actually using. For example, if you are using CPU only, set "
                          "device.upper()_VISIBLE_DEVICES= or devices=[]; if you are using device 0 only, set "
                          f"{name}_VISIBLE_DEVICES=0 or devices=[0].  To initialize all devices and suppress this warning, set the "
                          f"'{_devices_kw}' keyword argument to `range(torch.{kind}.device_count())`.", stacklevel=3)
    devices, state = list(devices), get_rng_state()
    states = [module.get_rng_state(device) for device in devices]
    try:
        yield
    finally:
        set_rng_state(state)
        for device, before in zip(devices, states):
            module.set_rng_state(before, device)


def thread_safe_generator():
    """Returns the generator of a data-loading thread, or None, for which functions use the default generator."""
    return None
