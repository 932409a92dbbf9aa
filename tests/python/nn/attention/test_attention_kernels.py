# SPDX-License-Identifier: BSD-3-Clause
"""Choice of the attention kernel by sdpa_kernel and the switches of backends.cuda. Expected values are PyTorch's."""
import os
import subprocess
import sys

import pytest

import corten as torch
from corten.backends import cuda
from corten.nn import attention
from corten.nn.attention import SDPBackend, _cur_sdpa_kernel_backends, sdpa_kernel
from corten.nn.functional import scaled_dot_product_attention

Q = torch.randn(1, 2, 3, 4, requires_grad=True)
MATH, FLASH, EFFICIENT, CUDNN, OTHER = (SDPBackend(i) for i in range(5))
ENGINE, LONG = "ScaledDotProductFlashAttentionForCpuBackward0", "UnsafeViewBackward0"
NONE, NOT_THIS = "No viable backend for scaled_dot_product_attention was found", "No available kernel.  Aborting execution."


@pytest.mark.parametrize("kernels, plain, dropout", [
    (MATH, LONG, LONG), (FLASH, ENGINE, NOT_THIS), (EFFICIENT, NONE, NONE), ([CUDNN, EFFICIENT, OTHER], NONE, NONE), ([], NONE, NONE),
    ([MATH, FLASH], ENGINE, LONG),
])
def test_kernels_of_the_cpu(kernels, plain, dropout):
    want = scaled_dot_product_attention(Q, Q, Q)
    for options, expected in (({}, plain), ({"dropout_p": .5}, dropout), ({"attn_mask": torch.zeros(3, 3, requires_grad=True)}, dropout)):
        with sdpa_kernel(kernels):
            if expected in (ENGINE, LONG):
                y = scaled_dot_product_attention(Q, Q, Q, **options)
                assert y.grad_fn.name() == expected
                assert "dropout_p" in options or torch.allclose(y, want)
            else:
                with pytest.raises(RuntimeError, match=expected):
                    scaled_dot_product_attention(Q, Q, Q, **options)
    assert scaled_dot_product_attention(Q, Q, Q).grad_fn.name() == ENGINE


def test_the_order_of_a_list():
    with sdpa_kernel([MATH, FLASH], set_priority=True):
        assert scaled_dot_product_attention(Q, Q, Q).grad_fn.name() == LONG
        assert _cur_sdpa_kernel_backends() == [FLASH, MATH] and _cur_sdpa_kernel_backends(True) == [MATH, FLASH]
    assert _cur_sdpa_kernel_backends(True) == [FLASH, EFFICIENT, MATH, CUDNN, OTHER]
    with pytest.raises(AssertionError, match="or a list of SDPBackend instances, got str"):
        with sdpa_kernel("flash"):
            pass
    assert str(MATH) == "SDPBackend.MATH" and repr(MATH) == "<SDPBackend.MATH: 0>"


def test_switches_of_the_backend():
    with sdpa_kernel(MATH):
        assert cuda.math_sdp_enabled() and not cuda.flash_sdp_enabled() and not cuda.mem_efficient_sdp_enabled()
    cuda.enable_flash_sdp(False)
    try:
        assert scaled_dot_product_attention(Q, Q, Q).grad_fn.name() == LONG
        with cuda.sdp_kernel(enable_math=False):
            assert scaled_dot_product_attention(Q, Q, Q).grad_fn.name() == ENGINE
        assert not cuda.flash_sdp_enabled()
    finally:
        cuda.enable_flash_sdp(True)


def test_kernels_of_a_gpu():
    program = """
import corten as torch
from corten.nn.attention import SDPBackend, sdpa_kernel
def way(kernel, dtype):
    q = torch.ones(1, 2, 3, 4, device="cuda", dtype=dtype, requires_grad=True)
    try:
        with sdpa_kernel(kernel):
            return torch.nn.functional.scaled_dot_product_attention(q, q, q).grad_fn.name() != "UnsafeViewBackward0"
    except RuntimeError as e:
        return str(e)[:19]
for name in ("MATH", "FLASH_ATTENTION", "EFFICIENT_ATTENTION", "CUDNN_ATTENTION", "OVERRIDEABLE"):
    print(*(way(SDPBackend[name], d) for d in (torch.float16, torch.float32, torch.float64)), sep=", ")
"""
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, "CORTEN_FAKE_CUDA": "1"}, capture_output=True, text=True)
    absent, unfit = "No viable backend f", "No available kernel"
    assert done.stdout.splitlines() == ["False, False, False", f"True, {unfit}, {unfit}", f"True, True, {unfit}", f"True, {unfit}, {unfit}",
                                        f"{absent}, {absent}, {absent}"], done.stderr


def test_kernels_of_attention():
    seen = []

    class Handle:
        def remove(self):
            seen.append("off")
    attention.register_flash_attention_impl("mine", register_fn=lambda: seen.append("on") or Handle())
    assert "mine" in attention.list_flash_attention_impls() and attention.current_flash_attention_impl() is None
    attention.activate_flash_attention_impl("mine")
    assert attention.current_flash_attention_impl() == "mine"
    attention.restore_flash_attention_impl()
    assert seen == ["on", "off"] and attention.current_flash_attention_impl() is None
    with pytest.raises(ValueError, match="Unknown flash attention impl 'x'"):
        attention.activate_flash_attention_impl("x")
