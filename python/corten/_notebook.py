# SPDX-License-Identifier: BSD-3-Clause
"""Notebooks: %load_ext corten, which makes `import torch` mean Corten and adds the magics %explain and %%nans."""


def load_ipython_extension(ipython):
    """%load_ext corten"""
    import corten
    from IPython.core.magic import register_cell_magic, register_line_magic
    try:
        corten.install_as_torch()
    except RuntimeError as error:
        print(error)

    @register_line_magic
    def explain(line):
        """%explain x: how a tensor lies in memory; %explain x, y: how shapes broadcast."""
        value = eval(line, ipython.user_ns)
        return corten.explain(*value) if isinstance(value, tuple) else corten.explain(value)

    @register_cell_magic
    def nans(line, cell):
        """%%nans: the cell raises where the first NaN is made."""
        with corten.detect_nan():
            exec(compile(cell, "<cell>", "exec"), ipython.user_ns)


def mimebundle(tensor, include=None, exclude=None):
    """A tensor in a notebook: its text, and a picture for tensors that look like one (3 or 4 x H x W of bytes).

    include, exclude: only these kinds ("text/plain", "image/png"), and not those.
    """
    bundle = {"text/plain": repr(tensor)}
    if tensor.dtype.itemsize == 1 and str(tensor.dtype) == "torch.uint8" and tensor.dim() == 3 and tensor.shape[0] in (1, 3, 4) \
            and min(tensor.shape[1:]) >= 16:
        import base64
        from .vision.io import encode_png
        bundle["image/png"] = base64.b64encode(bytes(encode_png(tensor).untyped_storage())).decode()
    return {kind: value for kind, value in bundle.items() if (not include or kind in include) and not (exclude and kind in exclude)}
