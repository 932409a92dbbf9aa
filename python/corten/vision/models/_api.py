# SPDX-License-Identifier: BSD-3-Clause
"""Registry of model builders, and loading of weights."""
import functools
import re
import warnings

from ._weights import OF_BUILDER, WeightsEnum

_BUILDERS = {}


def register_model(builder):
    """Decorator that registers a builder and adds its arguments `weights` and `progress`.

    `weights` is a member of the builder's weights enum or its name, a file, or a URL.
    """
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
    """Resolves `weights` to a member of the builder's enum, or to the str of a file or URL."""
    known = OF_BUILDER[name]
    if isinstance(weights, str) and ("/" in weights or "." in weights.replace(known.__name__ + ".", "")):
        return weights
    return known.verify(weights)


def _load(weights, progress):
    if isinstance(weights, WeightsEnum):
        state = weights.get_state_dict(progress=progress, check_hash=True)
        # The files of DenseNet have older parameter names.
        rename = re.compile(r"^(.*denselayer\d+\.(?:norm|relu|conv))\.((?:[12])\.(?:weight|bias|running_mean|running_var))$")
        return {rename.sub(r"\1\2", key): value for key, value in state.items()}
    if weights.startswith(("http:", "https:", "file:")):
        from ...hub import load_state_dict_from_url
        return load_state_dict_from_url(weights, progress=progress, weights_only=True)
    from ...serialization import load
    return load(weights)


def get_model_weights(name):
    """Returns the weights enum of a model, given its name or builder."""
    return OF_BUILDER[name.lower() if isinstance(name, str) else name.__name__]


def get_weight(name):
    """Returns a weights enum member by its full name, such as "ResNet50_Weights.DEFAULT"."""
    cls, _, member = name.partition(".")
    for known in OF_BUILDER.values():
        if known.__name__ == cls:
            return known[member]
    raise ValueError(f"The weight enum '{cls}' for the specific method couldn't be retrieved.")


def list_models(module=None, include=None, exclude=None):
    """Lists the names of all models, or of those in a module such as torchvision.models.

    `include` and `exclude` are shell patterns, or lists of them: "vit_*".
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
    """Returns the builder of a model by name."""
    try:
        return _BUILDERS[name.lower()]
    except KeyError:
        raise ValueError(f"Unknown model {name.lower()}") from None


def get_model(name, **config):
    """Builds a model by name; `config` are the arguments of its builder."""
    return get_model_builder(name)(**config)


def make_divisible(value, divisor=8, least=None):
    """Rounds to the nearest multiple of `divisor`, but not below 90 % of `value`."""
    new = max(least or divisor, int(value + divisor / 2) // divisor * divisor)
    return new + divisor if new < 0.9 * value else new
