# SPDX-License-Identifier: BSD-3-Clause
"""GradScaler: scales losses so that float16 gradients do not vanish, and skips steps whose gradients overflow."""
import enum
import warnings
from collections import abc, defaultdict

from .. import _C, Tensor, float16, float32, full, int32, no_grad

__all__ = ["GradScaler", "OptState"]


class OptState(enum.Enum):
    """The stage of an optimizer between two updates of the scale.

    READY: gradients are as backward() left them. UNSCALED: they have been divided by the scale. STEPPED: step() has used them.
    """
    READY = 0
    UNSCALED = 1
    STEPPED = 2


def _cuda_is_available():
    from .. import cuda
    return cuda.is_available()


def _refresh_per_optimizer_state():
    return {"stage": OptState.READY, "found_inf_per_device": {}}


class GradScaler:
    """Scale losses so that float16 gradients do not vanish, and adapt the scale.

    float16 rounds numbers below about 3e-8 to 0, and gradients are often that small. Backward from loss * scale makes all of them
    scale times as large; step() divides them again before the optimizer sees them. If a gradient overflowed, step() skips
    the optimizer, and update() lowers the scale::

        scale = scale * backoff_factor    if a gradient was inf or NaN in this iteration
        scale = scale * growth_factor     after growth_interval iterations in a row without one

    Args:
        device: the device type of the scale, "cuda" or "cpu". Default: "cuda"; without a GPU this warns and disables
            the scaler
        init_scale: the first scale. Default: 2.0 ** 16
        growth_factor: the factor of growth, above 1. Default: 2.0
        backoff_factor: the factor after an overflow, below 1. Default: 0.5
        growth_interval: the number of iterations without overflow before the scale grows. Default: 2000
        enabled: False makes all methods pass through: scale() returns its argument, step() calls optimizer.step().
            Default: True

        >>> w = nn.Parameter(torch.tensor([2.]))
        >>> optimizer = torch.optim.SGD([w], lr=0.5)
        >>> scaler = torch.amp.GradScaler("cpu", init_scale=1024.)
        >>> scaler.scale(w.square().sum()).backward()
        >>> w.grad  # the gradient 4, times 1024
        tensor([4096.])
        >>> scaler.step(optimizer)
        >>> scaler.update()
        >>> w.detach()  # 2 - 0.5 * 4
        tensor([0.])
        >>> w.grad.fill_(float("inf"))  # an overflow
        tensor([inf])
        >>> scaler.step(optimizer)
        >>> scaler.update()
        >>> w.detach(), scaler.get_scale()
        (tensor([0.]), 512.0)
    """

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
        self._per_optimizer_states = defaultdict(_refresh_per_optimizer_state)

    def _lazy_init_scale_growth_tracker(self, device):
        self._scale = full((), self._init_scale, dtype=float32, device=device)
        self._growth_tracker = full((), self._init_growth_tracker, dtype=int32, device=device)

    def _check(self, what):
        if self._scale is None:
            raise AssertionError(f"Attempted {what} but _scale is None.  This may indicate your script did not use scaler.scale(loss or "
                                 "outputs) earlier in the iteration.")

    def scale(self, outputs):
        """Multiply a loss, or several, by the scale.

        Args:
            outputs: a tensor, or an iterable of tensors (nested ones too). Lists and tuples keep their type.
        """
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

    def _unscale_grads_(self, optimizer, inv_scale, found_inf, allow_fp16):
        """Multiply the gradients of an optimizer by `inv_scale`, in place.

        Returns {device: tensor}; the tensor is 1 if a gradient on that device was not finite. This does not synchronize with a GPU:
        only step() reads the tensors.
        """
        on_devices, found = {}, {}
        with no_grad():
            for param in (p for group in optimizer.param_groups for p in group["params"]):
                if param.grad is None:
                    continue
                if not allow_fp16 and param.grad.dtype == float16:
                    raise ValueError("Attempting to unscale FP16 gradients.")
                if param.grad.is_sparse and param.grad.dtype == float16:
                    param.grad = param.grad.coalesce()  # two finite entries with one index may overflow when summed
                grad = param.grad._values() if param.grad.is_sparse else param.grad
                on_devices.setdefault(grad.device, []).append(grad)
            for device, grads in on_devices.items():
                found[device] = found_inf.to(device=device, copy=True)
                _C._amp_foreach_non_finite_check_and_unscale_(grads, found[device], inv_scale.to(device=device))
        return found

    def unscale_(self, optimizer):
        """Divide the gradients of an optimizer by the scale, in place.

        step() does it if you do not. Call it yourself before you clip or inspect gradients, once per iteration::

            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.)
            scaler.step(optimizer)
            scaler.update()

        Args:
            optimizer: the optimizer. A second call before update() raises RuntimeError; float16 gradients raise ValueError,
                since parameters should be float32.
        """
        if not self._enabled:
            return
        self._check("unscale_")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.UNSCALED:
            raise RuntimeError("unscale_() has already been called on this optimizer since the last update().")
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        inv_scale = self._scale.double().reciprocal().float()
        found_inf = full((), 0.0, dtype=float32, device=self._scale.device)
        state["found_inf_per_device"] = self._unscale_grads_(optimizer, inv_scale, found_inf, False)
        state["stage"] = OptState.UNSCALED

    def _check_inf_per_device(self, optimizer):
        """Check the gradients for inf and NaN without changing them, for optimizers that unscale in their own step."""
        device = self._scale.device if self._scale is not None else self._device
        one, found_inf = (full((), value, dtype=float32, device=device) for value in (1.0, 0.0))
        state = self._per_optimizer_states[id(optimizer)]
        state["found_inf_per_device"] = self._unscale_grads_(optimizer, one, found_inf, True)
        return state["found_inf_per_device"]

    def _found_inf_per_device(self, optimizer):
        return self._per_optimizer_states[id(optimizer)]["found_inf_per_device"]

    def _maybe_opt_step(self, optimizer, optimizer_state, *args, **kwargs):
        if sum(v.item() for v in optimizer_state["found_inf_per_device"].values()):
            return None
        return optimizer.step(*args, **kwargs)

    def step(self, optimizer, *args, **kwargs):
        """Call optimizer.step() unless a gradient is inf or NaN; unscale the gradients first if unscale_() was not called.

        Args:
            optimizer: the optimizer.
            args, kwargs: passed to optimizer.step(). A closure is an error.

        Returns the result of optimizer.step(), or None if the step was skipped.
        """
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._check("step")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        import inspect  # imported here: inspect takes as long to import as corten.nn
        if getattr(optimizer, "_step_supports_amp_scaling", False) and "grad_scaler" in inspect.signature(optimizer.step).parameters:
            kwargs["grad_scaler"] = self
        if state["stage"] is OptState.READY:
            self.unscale_(optimizer)
        if not state["found_inf_per_device"]:
            raise AssertionError("No inf checks were recorded for this optimizer.")
        result = self._maybe_opt_step(optimizer, state, *args, **kwargs)
        state["stage"] = OptState.STEPPED
        return result

    def update(self, new_scale=None):
        """Adapt the scale at the end of an iteration; see the class for the rule.

        Args:
            new_scale: a number or one-element tensor that becomes the scale instead. Default: None
        """
        if not self._enabled:
            return
        self._check("update")
        if new_scale is not None:
            if isinstance(new_scale, Tensor):
                if new_scale.device.type != self._scale.device.type or new_scale.numel() != 1 or new_scale.requires_grad:
                    raise AssertionError("new_scale should be a float or a 1-element torch.cuda.FloatTensor or torch.FloatTensor with "
                                         "requires_grad=False.")
                self._scale.copy_(new_scale.reshape(()))
            else:
                self._scale.fill_(float(new_scale))
        else:
            found = [v.to(device=self._scale.device) for state in self._per_optimizer_states.values()
                     for v in state["found_inf_per_device"].values()]
            if not found:
                raise AssertionError("No inf checks were recorded prior to update.")
            _C._amp_update_scale_(self._scale, self._growth_tracker, sum(found[1:], found[0]), self._growth_factor,
                                  self._backoff_factor, self._growth_interval)
        self._per_optimizer_states = defaultdict(_refresh_per_optimizer_state)

    def _get_scale_async(self):
        return self._scale

    def get_scale(self):
        """Return the scale as a float, or 1.0 if the scaler is disabled. On a GPU this waits for the device."""
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else self._scale.item()

    def get_growth_factor(self):
        """Return the factor by which the scale grows."""
        return self._growth_factor

    def set_growth_factor(self, new_factor):
        """Set the factor by which the scale grows.

        Args:
            new_factor: the factor, above 1.
        """
        self._growth_factor = new_factor

    def get_backoff_factor(self):
        """Return the factor by which an overflow shrinks the scale."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor):
        """Set the factor by which an overflow shrinks the scale.

        Args:
            new_factor: the factor, below 1.
        """
        self._backoff_factor = new_factor

    def get_growth_interval(self):
        """Return the number of iterations without overflow before the scale grows."""
        return self._growth_interval

    def set_growth_interval(self, new_interval):
        """Set the number of iterations without overflow before the scale grows.

        Args:
            new_interval: the number.
        """
        self._growth_interval = new_interval

    def _get_growth_tracker(self):
        if not self._enabled:
            return 0
        return self._init_growth_tracker if self._growth_tracker is None else int(self._growth_tracker.item())

    def is_enabled(self):
        """Return whether the scaler is enabled."""
        return self._enabled

    def state_dict(self):
        """Return the scale and its settings as a dictionary, to be saved in a checkpoint; {} if disabled.

        Call it after update().
        """
        if not self._enabled:
            return {}
        return {"scale": self.get_scale(), "growth_factor": self._growth_factor, "backoff_factor": self._backoff_factor,
                "growth_interval": self._growth_interval, "_growth_tracker": self._get_growth_tracker()}

    def load_state_dict(self, state_dict):
        """Restore the scale and its settings from a result of state_dict().

        Args:
            state_dict: the dictionary. An empty one, as a disabled scaler saves, raises RuntimeError. A disabled scaler
                ignores it.
        """
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
            self._growth_tracker.fill_(state_dict["_growth_tracker"])
