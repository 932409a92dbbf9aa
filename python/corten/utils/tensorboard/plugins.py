# SPDX-License-Identifier: BSD-3-Clause
"""Summaries for TensorBoard's plugins: hyperparameters, precision-recall curves, meshes, custom charts, and tensors.

Comments give the protobuf field numbers, as in records.py; the messages are those of tensorboard/plugins/*.proto.
"""
import time

from ... import _C
from .records import doubles, field, packed_floats, value

STRING, BOOL, NUMBER = 1, 2, 3  # DataType of a hyperparameter


def message(number, body):
    """Encodes a submessage, even if it is empty."""
    return field(number, bytes(body))


def tensor(kind, body, shape=None):
    """Encodes TensorProto: dtype 1 (float 1, double 2, string 7), tensor_shape 2 (dim 2: size 1), and the values."""
    sizes = b"" if shape is None else message(2, b"".join(message(2, field(1, n)) for n in shape))
    return field(1, kind) + sizes + body


# ---- scalars and tensors as tensors ----

def scalar_tensor(tag, number, double):
    """Encodes a number as a 0-d tensor, of float64 if `double`, else float32."""
    body = tensor(2, doubles(6, [number])) if double else tensor(1, packed_floats(5, [number]))
    return value(tag, message(8, body), ("scalars", b""))


def float_tensor(tag, x):
    """Encodes a tensor of float32 values."""
    return value(tag, message(8, tensor(1, packed_floats(5, x.reshape(-1).tolist()), x.shape)), ("tensor", b""))


# ---- hyperparameters of a run: tensorboard/plugins/hparams ----

def _setting(x):
    """Returns (DataType, google.protobuf.Value: number_value 2, string_value 3, bool_value 4); None for other types."""
    if isinstance(x, bool):
        return BOOL, field(4, x)
    if isinstance(x, str):
        return STRING, field(3, x)
    if isinstance(x, _C.Tensor) or isinstance(x, (int, float)) or hasattr(x, "item"):
        return NUMBER, field(2, float(x))
    return None


def _domain(name, kind, values):
    """Encodes domain_discrete 5: ListValue, values 1."""
    expected = {STRING: str, BOOL: bool, NUMBER: (int, float)}[kind]
    if not all(isinstance(v, expected) and (kind == BOOL or not isinstance(v, bool)) for v in values):
        raise TypeError(f"parameter: hparams_domain_discrete[{name}] must be a list of same type as "
                        f"hparam_dict[{name}].")
    return message(5, b"".join(message(1, _setting(v)[1]) for v in values))


def _plugin_data(number, body):
    """Encodes HParamsPluginData: version 1 (0), experiment 2, session_start_info 3, session_end_info 4."""
    return "hparams", message(number, body)


def hparams(hparam_dict, metric_dict, hparam_domain_discrete=None):
    """Returns the three summaries of a run with hyperparameters: experiment, session start and session end.

    hparam_domain_discrete: {name: list of the allowed values of a hyperparameter}.
    """
    for name, given in (("hparam_dict", hparam_dict), ("metric_dict", metric_dict)):
        if not isinstance(given, dict):
            raise TypeError(f"{name} should be a dictionary.")
    domain = hparam_domain_discrete or {}
    if not isinstance(domain, dict):
        raise TypeError("hparam_domain_discrete should be a dictionary.")
    for k, v in domain.items():
        if k not in hparam_dict or not isinstance(v, list):
            raise TypeError(f"parameter: hparam_domain_discrete[{k}] must be a list of same type as hparam_dict[{k}].")
    infos, values = b"", b""
    for name, x in hparam_dict.items():
        if x is None:
            continue
        made = _setting(x)
        if made is None:
            raise ValueError("value should be one of int, float, str, bool, or torch.Tensor")
        kind, text = made
        values += message(1, field(1, name) + message(2, text))  # a map entry: key 1, value 2
        allowed = _domain(name, kind, domain[name]) if name in domain else b""
        infos += message(5, field(1, name) + field(4, kind) + allowed)  # HParamInfo: name 1, type 4
    metrics = b"".join(message(6, message(1, field(2, name))) for name in metric_dict)  # MetricInfo: name 1 (tag 2)
    now = time.time()
    return tuple(value(f"_hparams_/{tag}", b"", _plugin_data(number, body)) for tag, number, body in (
        ("experiment", 2, field(4, now) + infos + metrics),  # time_created_secs 4
        ("session_start_info", 3, values + field(5, now)),  # hparams 1, start_time_secs 5
        ("session_end_info", 4, field(1, 1) + field(2, now))))  # status 1: success, end_time_secs 2


# ---- precision and recall: tensorboard/plugins/pr_curve ----

def _curve(labels, predictions, thresholds, weights):
    """Computes tp, fp, tn, fn, precision and recall for each threshold, as the rows of a tensor."""
    labels, predictions = labels.reshape(-1).to(_C.float64), predictions.reshape(-1)
    weights = _C.ones_like(labels) if weights is None else _C.as_tensor(weights, dtype=_C.float64).expand_as(labels)
    place = (predictions * (thresholds - 1)).floor().to(_C.int64)

    def above(weight):
        counts = _C.zeros(thresholds, dtype=_C.float64).index_add_(0, place, weight)
        return counts.flip(0).cumsum(0).flip(0)
    tp, fp = above(labels * weights), above((1 - labels) * weights)
    least = 1e-7
    return _C.stack([tp, fp, fp[0] - fp, tp[0] - tp, tp / (tp + fp).clamp(min=least), tp / tp[0].clamp(min=least)])


def pr_curve(tag, labels, predictions, num_thresholds, weights):
    """Encodes a precision-recall curve from labels 0 and 1 and predictions between 0 and 1."""
    thresholds = min(num_thresholds, 127)
    return pr_curve_raw(tag, _curve(labels, predictions, thresholds, weights), thresholds)


def pr_curve_raw(tag, rows, thresholds):
    """Encodes PrCurvePluginData (version 1 (0), num_thresholds 2) and a tensor of six rows."""
    body = tensor(1, packed_floats(5, rows.reshape(-1).tolist()), rows.shape)
    return value(tag, message(8, body), ("pr_curves", field(2, thresholds)))


# ---- meshes: tensorboard/plugins/mesh ----

def mesh(tag, vertices, colors, faces, config):
    """Returns one summary each for vertices, faces and colours.

    MeshPluginData: name 2, content_type 3, json_config 5, shape 6, components 7 (one bit per content type present).
    """
    parts = [(kind, name, x) for kind, name, x in ((1, "VERTEX", vertices), (2, "FACE", faces), (3, "COLOR", colors))
             if x is not None]
    bits = sum(1 << kind for kind, _, _ in parts)
    summary = b""
    for kind, name, x in parts:
        data = field(2, tag) + field(3, kind) + field(5, config) + b"".join(field(6, n) for n in x.shape) + field(7, bits)
        body = tensor(1, packed_floats(5, x.reshape(-1).to(_C.float32).tolist()), x.shape)
        summary += value(f"{tag}_{name}", message(8, body), ("mesh", data))
    return summary


# ---- charts with several curves: tensorboard/plugins/custom_scalar ----

def custom_scalars(layout):
    """Encodes Layout: category 2 (title 1, chart 2); Chart: title 1, multiline 2 (tag 1), margin 3 (series 1: value 1, lower 2,
    upper 3).
    """
    text = b""
    for category, charts in layout.items():
        inside = b""
        for title, (kind, tags) in charts.items():
            if kind == "Margin":
                if len(tags) != 3:
                    raise AssertionError(f"Expected 3 tags for margin chart, got {len(tags)}")
                content = message(3, message(1, b"".join(field(i, t) for i, t in enumerate(tags, 1))))
            else:
                content = message(2, b"".join(field(1, t) for t in tags))
            inside += message(2, field(1, title) + content)
        text += message(2, field(1, category) + inside)
    body = tensor(7, message(8, text), ())
    return value("custom_scalars__config__", message(8, body), ("custom_scalars", b""))
