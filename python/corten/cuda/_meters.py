# SPDX-License-Identifier: BSD-3-Clause
"""Sensors of a card (torch.cuda.temperature and others), read through NVIDIA's management library; needs nvidia-ml-py."""
from . import get_device_properties

__all__ = ["clock_rate", "device_memory_used", "memory_usage", "power_draw", "temperature", "utilization"]


def _card(device):
    """Return (the module pynvml, its handle of a device)."""
    try:
        import pynvml
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("nvidia-ml-py does not seem to be installed or it can't be imported.") from error
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError_DriverNotLoaded as error:
        raise RuntimeError("cuda driver can't be loaded, is cuda enabled?") from error
    # Look the card up by its UUID: with CUDA_VISIBLE_DEVICES its index here may differ from the one in NVML.
    return pynvml, pynvml.nvmlDeviceGetHandleByUUID(f"GPU-{get_device_properties(device).uuid}")


def device_memory_used(device=None):
    """Return the bytes of a card's memory in use by all processes.

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    nvml, card = _card(device)
    return nvml.nvmlDeviceGetMemoryInfo(card).used


def memory_usage(device=None):
    """Return the percentage of time in which a card's memory was read or written.

    The driver measures over its last sampling period, between a sixth of a second and a second.

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    nvml, card = _card(device)
    return nvml.nvmlDeviceGetUtilizationRates(card).memory


def utilization(device=None):
    """Return the percentage of time in which a kernel ran on a card.

    The driver measures over its last sampling period, between a sixth of a second and a second.

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    nvml, card = _card(device)
    return nvml.nvmlDeviceGetUtilizationRates(card).gpu


def temperature(device=None):
    """Return the temperature of a card's chip in degrees Celsius.

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    nvml, card = _card(device)
    return nvml.nvmlDeviceGetTemperature(card, 0)  # 0: NVML_TEMPERATURE_GPU


def power_draw(device=None):
    """Return the power that a card draws, in milliwatts.

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    nvml, card = _card(device)
    return nvml.nvmlDeviceGetPowerUsage(card)


def clock_rate(device=None):
    """Return the clock rate of a card's multiprocessors, in megahertz.

    Args:
        device: a device, its name or its index. Default: None, for the current one
    """
    nvml, card = _card(device)
    return nvml.nvmlDeviceGetClockInfo(card, 1)  # 1: NVML_CLOCK_SM
