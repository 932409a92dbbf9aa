# SPDX-License-Identifier: BSD-3-Clause
"""GradScaler: losses are scaled so that gradients of float16 do not vanish; steps with infinite gradients are skipped."""
import inspect
import warnings
from collections import abc, defaultdict

from .. import Tensor, float16, full, no_grad

__all__ = ["GradScaler"]

_READY, _UNSCALED, _STEPPED = range(3)


def _cuda_is_available():
    from .. import cuda
    return cuda.is_available()


def _fresh():
    return {"stage": _READY, "found_inf_per_device": {}}


class GradScaler:
    """Scales losses up and gradients down, by a factor that grows until something overflows."""

    def __init__(self, device="cuda", init_scale=2.0 ** 16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        self._device, self._enabled = device, enabled
        if device == "cuda" and enabled and not _cuda_is_available():
            warnings.warn("torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.", stacklevel=2)
            self._enabled = False
        if not self._enabled:
            return
        if growth_factor <= 1.0:
            raise AssertionError("The growth factor must be > 1.0.")
        if backoff_factor >= 1.0:
            raise AssertionError("The backoff factor must be < 1.0.")
        self._init_scale, self._scale = init_scale, None
        self._growth_factor, self._backoff_factor = growth_factor, backoff_factor
        self._growth_interval, self._init_growth_tracker, self._growth_tracker = growth_interval, 0, None
        self._per_optimizer_states = defaultdict(_fresh)

    def _lazy_init_scale_growth_tracker(self, device):
        self._scale = full((), self._init_scale, device=device)
        self._growth_tracker = self._init_growth_tracker

    def _check(self, what):
        if self._scale is None:
            raise AssertionError(f"Attempted {what} but _scale is None.  This may indicate your script did not use scaler.scale(loss or "
                                 "outputs) earlier in the iteration.")

    def scale(self, outputs):
        """Outputs times the factor; of a nest, each."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            if self._scale is None:
                self._lazy_init_scale_growth_tracker(outputs.device)
            return outputs * self._scale.to(device=outputs.device)
        if isinstance(outputs, abc.Iterable):
            scaled = map(self.scale, outputs)
            return type(outputs)(scaled) if isinstance(outputs, (list, tuple)) else scaled
        raise ValueError("outputs must be a Tensor or an iterable of Tensors")

    def _unscale_grads_(self, optimizer, inv_scale, allow_fp16):
        """Gradients divided in place; whether one of them is not finite, as a number."""
        found = full((), 0.0, device=inv_scale.device)
        with no_grad():
            for group in optimizer.param_groups:
                for parameter in group["params"]:
                    if parameter.grad is None:
                        continue
                    if not allow_fp16 and parameter.grad.dtype == float16:
                        raise ValueError("Attempting to unscale FP16 gradients.")
                    parameter.grad.mul_(inv_scale.to(parameter.grad.dtype))
                    if not bool(parameter.grad.isfinite().all()):
                        found = full((), 1.0, device=inv_scale.device)
        return {found.device: found}

    def unscale_(self, optimizer):
        """Divides the gradients of an optimizer, once between steps."""
        if not self._enabled:
            return
        self._check("unscale_")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] == _UNSCALED:
            raise RuntimeError("unscale_() has already been called on this optimizer since the last update().")
        if state["stage"] == _STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        state["found_inf_per_device"] = self._unscale_grads_(optimizer, self._scale.double().reciprocal().float(), False)
        state["stage"] = _UNSCALED

    def step(self, optimizer, *args, **kwargs):
        """optimizer.step(...), unless a gradient is infinite or not a number."""
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._check("step")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] == _STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if getattr(optimizer, "_step_supports_amp_scaling", False) and "grad_scaler" in inspect.signature(optimizer.step).parameters:
            kwargs["grad_scaler"] = self
        if state["stage"] == _READY:
            self.unscale_(optimizer)
        if not state["found_inf_per_device"]:
            raise AssertionError("No inf checks were recorded for this optimizer.")
        clean = not sum(v.item() for v in state["found_inf_per_device"].values())
        result = optimizer.step(*args, **kwargs) if clean else None
        state["stage"] = _STEPPED
        return result

    def update(self, new_scale=None):
        """The factor for the next iteration: smaller after an overflow, greater after a while without."""
        if not self._enabled:
            return
        self._check("update")
        if new_scale is not None:
            self._scale = new_scale.detach().float().clone() if isinstance(new_scale, Tensor) else full(
                (), float(new_scale), device=self._scale.device)
        else:
            found = [v.item() for state in self._per_optimizer_states.values() for v in state["found_inf_per_device"].values()]
            if not found:
                raise AssertionError("No inf checks were recorded prior to update.")
            self._adapt(any(found))
        self._per_optimizer_states = defaultdict(_fresh)

    def _adapt(self, overflowed):
        if overflowed:
            self._scale, self._growth_tracker = self._scale * self._backoff_factor, 0
            return
        self._growth_tracker += 1
        if self._growth_tracker == self._growth_interval:
            grown = self._scale * self._growth_factor
            self._scale, self._growth_tracker = grown if bool(grown.isfinite()) else self._scale, 0

    def _get_scale_async(self):
        return self._scale

    def get_scale(self):
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else self._scale.item()

    def get_growth_factor(self):
        return self._growth_factor

    def set_growth_factor(self, new_factor):
        self._growth_factor = new_factor

    def get_backoff_factor(self):
        return self._backoff_factor

    def set_backoff_factor(self, new_factor):
        self._backoff_factor = new_factor

    def get_growth_interval(self):
        return self._growth_interval

    def set_growth_interval(self, new_interval):
        self._growth_interval = new_interval

    def _get_growth_tracker(self):
        if not self._enabled:
            return 0
        return self._init_growth_tracker if self._growth_tracker is None else self._growth_tracker

    def is_enabled(self):
        return self._enabled

    def state_dict(self):
        if not self._enabled:
            return {}
        return {"scale": self.get_scale(), "growth_factor": self._growth_factor, "backoff_factor": self._backoff_factor,
                "growth_interval": self._growth_interval, "_growth_tracker": self._get_growth_tracker()}

    def load_state_dict(self, state_dict):
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError("The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler.")
        self._init_scale = state_dict["scale"]
        if self._scale is not None:
            self._scale.fill_(state_dict["scale"])
        self._growth_factor, self._backoff_factor = state_dict["growth_factor"], state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._init_growth_tracker = state_dict["_growth_tracker"]
        if self._growth_tracker is not None:
            self._growth_tracker = state_dict["_growth_tracker"]
