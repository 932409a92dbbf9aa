# SPDX-License-Identifier: BSD-3-Clause
"""IPython extension: %load_ext corten makes `import torch` import Corten, and adds the magics %explain and %%nans."""


def load_ipython_extension(ipython):
    """Called by %load_ext corten."""
    import corten
    from IPython.core.magic import register_cell_magic, register_line_magic
    try:
        corten.install_as_torch()
    except RuntimeError as error:
        print(error)

    @register_line_magic
    def explain(line):
        """%explain x: the memory layout of a tensor; %explain x, y: how shapes broadcast."""
        value = eval(line, ipython.user_ns)
        return corten.explain(*value) if isinstance(value, tuple) else corten.explain(value)

    @register_cell_magic
    def nans(line, cell):
        """%%nans: runs the cell and raises at the first operation that creates a NaN."""
        with corten.detect_nan():
            exec(compile(cell, "<cell>", "exec"), ipython.user_ns)


def mimebundle(tensor, include=None, exclude=None):
    """Returns the notebook representations of a tensor: text, and a PNG for image-like tensors (uint8, 3 or 4 x H x W).

    include, exclude: MIME types ("text/plain", "image/png") to keep, or to leave out.
    """
    bundle = {"text/plain": repr(tensor)}
    if tensor.dtype.itemsize == 1 and str(tensor.dtype) == "torch.uint8" and tensor.dim() == 3 and tensor.shape[0] in (1, 3, 4) \
            and min(tensor.shape[1:]) >= 16:
        import base64
        from .vision.io import encode_png
        bundle["image/png"] = base64.b64encode(bytes(encode_png(tensor).untyped_storage())).decode()
    return {kind: value for kind, value in bundle.items() if (not include or kind in include) and not (exclude and kind in exclude)}
