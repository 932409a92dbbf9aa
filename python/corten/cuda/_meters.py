# SPDX-License-Identifier: BSD-3-Clause
"""What NVIDIA's management library measures of a card (torch.cuda.temperature and the like), by the package nvidia-ml-py."""
from . import get_device_properties

__all__ = ["clock_rate", "device_memory_used", "memory_usage", "power_draw", "temperature", "utilization"]


def _card(device):
    """(the package pynvml, its handle of a device)."""
    try:
        import pynvml
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("nvidia-ml-py does not seem to be installed or it can't be imported.") from error
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError_DriverNotLoaded as error:
        raise RuntimeError("cuda driver can't be loaded, is cuda enabled?") from error
    # Numbers differ where CUDA_VISIBLE_DEVICES hides or reorders cards; the card's own identifier does not.
    return pynvml, pynvml.nvmlDeviceGetHandleByUUID(f"GPU-{get_device_properties(device).uuid}")


def device_memory_used(device=None):
    """Bytes of the card's memory that all processes together use."""
    nvml, card = _card(device)
    return nvml.nvmlDeviceGetMemoryInfo(card).used


def memory_usage(device=None):
    """The percentage of the last sampling period (a sixth of a second to a second) in which memory was read or written."""
    nvml, card = _card(device)
    return nvml.nvmlDeviceGetUtilizationRates(card).memory


def utilization(device=None):
    """The percentage of the last sampling period (a sixth of a second to a second) in which a kernel ran."""
    nvml, card = _card(device)
    return nvml.nvmlDeviceGetUtilizationRates(card).gpu


def temperature(device=None):
    """The temperature of the chip in degrees Celsius."""
    nvml, card = _card(device)
    return nvml.nvmlDeviceGetTemperature(card, 0)  # 0: the sensor of the chip


def power_draw(device=None):
    """The power that the card draws, in milliwatts."""
    nvml, card = _card(device)
    return nvml.nvmlDeviceGetPowerUsage(card)


def clock_rate(device=None):
    """The clock of the multiprocessors in megahertz."""
    nvml, card = _card(device)
    return nvml.nvmlDeviceGetClockInfo(card, 1)  # 1: that of the multiprocessors
