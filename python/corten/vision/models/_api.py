# SPDX-License-Identifier: BSD-3-Clause
"""What builders of networks share: their list, and weights from files."""
import functools

_BUILDERS = {}


def register_model(builder):
    """Adds a builder to the list; `weights` (or the older `pretrained`) names a file of parameters to load."""
    @functools.wraps(builder)
    def build(*, weights=None, progress=True, pretrained=None, **kwargs):
        net = builder(**kwargs)
        if pretrained or (weights is not None and not isinstance(weights, str)):
            raise ValueError("Corten comes without trained weights: pass weights='file.pt' (or a URL) with a state dict")
        if weights is not None:
            net.load_state_dict(_load(weights, progress))
        return net
    _BUILDERS[builder.__name__] = build
    return build


def _load(weights, progress):
    if weights.startswith(("http:", "https:", "file:")):
        from ...hub import load_state_dict_from_url
        return load_state_dict_from_url(weights, progress=progress, weights_only=True)
    from ...serialization import load
    return load(weights)


def list_models(module=None, include=None, exclude=None):
    """The names of all networks."""
    import fnmatch
    names = sorted(_BUILDERS)
    for patterns, keep in ((include, True), (exclude, False)):
        if patterns:
            patterns = [patterns] if isinstance(patterns, str) else patterns
            names = [n for n in names if any(fnmatch.fnmatch(n, p) for p in patterns) == keep]
    return names


def get_model_builder(name):
    """The function that makes a network."""
    try:
        return _BUILDERS[name.lower()]
    except KeyError:
        raise ValueError(f"Unknown model {name.lower()}") from None


def get_model(name, **config):
    """A network by its name."""
    return get_model_builder(name)(**config)


def make_divisible(value, divisor=8, least=None):
    """The nearest multiple, not less than nine tenths of a number of channels."""
    new = max(least or divisor, int(value + divisor / 2) // divisor * divisor)
    return new + divisor if new < 0.9 * value else new
