# SPDX-License-Identifier: BSD-3-Clause
"""What builders of networks share: their list, and weights from files."""
import functools
import re
import warnings

from ._weights import OF_BUILDER, WeightsEnum

_BUILDERS = {}


def register_model(builder):
    """Adds a builder to the list; `weights` is one of its sets of trained weights or the name of one, a file, or a URL."""
    @functools.wraps(builder)
    def build(*, weights=None, progress=True, pretrained=None, **kwargs):
        if pretrained:
            warnings.warn("The parameter 'pretrained' is deprecated since 0.13 and may be removed in the future, please use 'weights' "
                          "instead.", stacklevel=2)
            weights = weights or "IMAGENET1K_V1"
        weights = _verified(builder.__name__, weights)
        if isinstance(weights, WeightsEnum) and weights.value.crop_size != 224:
            kwargs.setdefault("image_size", weights.value.crop_size)
        net = builder(**kwargs)
        if weights is not None:
            net.load_state_dict(_load(weights, progress))
        return net
    _BUILDERS[builder.__name__] = build
    return build


def _verified(name, weights):
    """A set of the builder's weights, or the text of a file or URL."""
    known = OF_BUILDER[name]
    if isinstance(weights, str) and ("/" in weights or "." in weights.replace(known.__name__ + ".", "")):
        return weights
    return known.verify(weights)


def _load(weights, progress):
    if isinstance(weights, WeightsEnum):
        state = weights.get_state_dict(progress=progress, check_hash=True)
        # Files of DenseNet are older than its names.
        rename = re.compile(r"^(.*denselayer\d+\.(?:norm|relu|conv))\.((?:[12])\.(?:weight|bias|running_mean|running_var))$")
        return {rename.sub(r"\1\2", key): value for key, value in state.items()}
    if weights.startswith(("http:", "https:", "file:")):
        from ...hub import load_state_dict_from_url
        return load_state_dict_from_url(weights, progress=progress, weights_only=True)
    from ...serialization import load
    return load(weights)


def get_model_weights(name):
    """The sets of weights of a network, by its name or its builder."""
    return OF_BUILDER[name.lower() if isinstance(name, str) else name.__name__]


def get_weight(name):
    """One set by its whole name, such as "ResNet50_Weights.DEFAULT"."""
    cls, _, member = name.partition(".")
    for known in OF_BUILDER.values():
        if known.__name__ == cls:
            return known[member]
    raise ValueError(f"The weight enum '{cls}' for the specific method couldn't be retrieved.")


def list_models(module=None, include=None, exclude=None):
    """The names of all networks, or of those that a module such as torchvision.models defines.

    `include` and `exclude` are patterns, or lists of them: "vit_*".
    """
    import fnmatch
    names = sorted(name for name, builder in _BUILDERS.items()
                   if module is None or builder.__module__.rpartition(".")[0] == module.__name__)
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
