# SPDX-License-Identifier: BSD-3-Clause
"""Random calls of network functions and modules, as data that two libraries can run.

`make_call(seed)` returns a dict: a Python expression over x0, x1, ..., how each tensor is made, and
the modes around the call. The same seed gives the same call in every process.
"""
import random

FLOATS = ['float32'] * 6 + ['float64'] * 4 + ['bfloat16', 'float16']
LAYOUTS = ['plain'] * 6 + ['transposed', 'sliced', 'expanded', 'channels_last', 'negated']
CATALOG = []


def entry(weight=1):
    """Adds a function (r, Call) -> expression to the catalog; `weight` says how often it is drawn."""
    def add(function):
        CATALOG.extend([function] * weight)
        return function
    return add


class Call:
    """A call under construction: its tensors, and helpers that draw arguments."""

    def __init__(self, r):
        self.r, self.tensors, self.dtype = r, [], r.choice(FLOATS)

    def tensor(self, *shape, kind='normal', high=None, dtype=None, grad=True):
        """Adds a tensor and returns its name in the expression."""
        r = self.r
        self.tensors.append({
            'shape': list(shape), 'kind': kind, 'high': high, 'dtype': dtype or self.dtype, 'seed': r.randrange(1 << 30),
            'layout': r.choice(LAYOUTS) if kind in ('normal', 'positive', 'unit', 'ties') else 'plain',
            'grad': grad and kind not in ('index', 'bool', 'mask') and r.random() < 0.8})
        return f'x{len(self.tensors) - 1}'

    def index(self, *shape, high):
        return self.tensor(*shape, kind='index', high=high, dtype=self.r.choice(['int64', 'int64', 'int64', 'int32']))

    def optional(self, make, chance=0.5):
        return make() if self.r.random() < chance else 'None'


def size(r, low=1, high=6):
    """Draws a small size, occasionally 0 if allowed."""
    return 0 if r.random() < 0.03 else r.randint(low, high)


def keywords(r, **choices):
    """Returns `, name=value` for some of the names; each choice is a list of values or a function of r."""
    out = ''
    for name, values in choices.items():
        if r.random() < 0.5:
            value = values(r) if callable(values) else r.choice(values)
            out += f', {name}={value!r}'
    return out


def ints(r, n, low, high):
    """Draws one int or a tuple of n ints."""
    return r.randint(low, high) if r.random() < 0.5 else tuple(r.randint(low, high) for _ in range(n))


# ---- convolutions ----

@entry(4)
def conv(r, c):
    n, groups = r.randint(1, 3), r.choice([1, 1, 1, 2, 3])
    cin, cout = groups * r.randint(1, 3), groups * r.randint(1, 3)
    k = [r.randint(1, 3) for _ in range(n)]
    batch = [size(r, 1, 3)] if r.random() < 0.85 else []
    x = c.tensor(*batch, cin, *[r.randint(2, 8) for _ in range(n)])
    w = c.tensor(cout, cin // groups, *k)
    b = c.optional(lambda: c.tensor(cout))
    padding = r.choice(['0', "'same'", "'valid'", repr(ints(r, n, 0, 2))])
    return (f'F.conv{n}d({x}, {w}, {b}, padding={padding}, groups={groups}'
            + keywords(r, stride=lambda r: ints(r, n, 1, 3), dilation=lambda r: ints(r, n, 1, 2)) + ')')


@entry(3)
def conv_transpose(r, c):
    n, groups = r.randint(1, 3), r.choice([1, 1, 2])
    cin, cout = groups * r.randint(1, 3), r.randint(1, 3)
    x = c.tensor(*([size(r, 1, 3)] if r.random() < 0.85 else []), cin, *[r.randint(1, 6) for _ in range(n)])
    w = c.tensor(cin, cout, *[r.randint(1, 3) for _ in range(n)])
    b = c.optional(lambda: c.tensor(cout * groups))
    return (f'F.conv_transpose{n}d({x}, {w}, {b}, groups={groups}'
            + keywords(r, stride=lambda r: ints(r, n, 1, 3), padding=lambda r: ints(r, n, 0, 2),
                       output_padding=lambda r: ints(r, n, 0, 2), dilation=lambda r: ints(r, n, 1, 2)) + ')')


@entry()
def fold(r, c):
    k = r.randint(1, 3)
    if r.random() < 0.5:
        x = c.tensor(size(r, 1, 2), r.randint(1, 3), r.randint(3, 6), r.randint(3, 6))
        return (f'F.unfold({x}, {k}' + keywords(r, dilation=[1, 2], padding=[0, 1, (1, 0)], stride=[1, 2, (1, 2)]) + ')')
    h, w = r.randint(3, 5), r.randint(3, 5)
    if h < k or w < k:
        h = w = k
    x = c.tensor(size(r, 1, 2), 2 * k * k, (h - k + 1) * (w - k + 1))
    return f'F.fold({x}, ({h}, {w}), {k})'


# ---- pooling ----

@entry(5)
def pool(r, c):
    n = r.randint(1, 3)
    x = c.tensor(*([size(r, 1, 2)] if r.random() < 0.85 else []), r.randint(1, 3), *[r.randint(2, 8) for _ in range(n)],
                 kind=r.choice(['normal', 'normal', 'ties', 'special']))
    kernel = ints(r, n, 1, 3)
    kind = r.choice(['max', 'max', 'avg', 'lp', 'adaptive_max', 'adaptive_avg'])
    if kind.startswith('adaptive'):
        out = r.choice([1, 2, 3, tuple(r.choice([1, 2, 3, 5]) for _ in range(n))])
        more = ', return_indices=True' if kind == 'adaptive_max' and r.random() < 0.3 else ''
        return f'F.{kind}_pool{n}d({x}, {out!r}{more})'
    stride = keywords(r, stride=lambda r: ints(r, n, 1, 3), ceil_mode=[True])
    if kind == 'lp':
        return f'F.lp_pool{n}d({x}, {r.choice([1, 2, 3, 0.5, float(2), 1.5])}, {kernel!r}{stride})'
    if kind == 'avg':
        more = keywords(r, padding=lambda r: ints(r, n, 0, 1), count_include_pad=[False, True])
        return f'F.avg_pool{n}d({x}, {kernel!r}{stride}{more})'
    more = keywords(r, padding=lambda r: ints(r, n, 0, 1), dilation=lambda r: ints(r, n, 1, 2), return_indices=[True])
    return f'F.max_pool{n}d({x}, {kernel!r}{stride}{more})'


@entry()
def unpool(r, c):
    n = r.randint(1, 3)
    x = c.tensor(r.randint(1, 2), r.randint(1, 2), *[2 * r.randint(1, 3) for _ in range(n)])
    return f'F.max_unpool{n}d(*F.max_pool{n}d({x}, 2, return_indices=True), 2)'


@entry()
def fractional(r, c):
    n = r.choice([2, 3])
    x = c.tensor(size(r, 1, 2), 2, *[r.randint(4, 7) for _ in range(n)])
    u = c.tensor(c.tensors[-1]['shape'][0], 2, n, kind='unit', grad=False)
    return f'F.fractional_max_pool{n}d({x}, {r.choice([2, (2,) * n])!r}, output_size={r.randint(1, 3)}, _random_samples={u})'


# ---- normalisation ----

@entry(3)
def batch_norm(r, c):
    n, ch = r.randint(0, 3), r.randint(1, 4)
    x = c.tensor(size(r, 1, 4), ch, *[r.randint(1, 4) for _ in range(n)])
    training = r.random() < 0.5
    kind = r.choice(['batch', 'batch', 'instance']) if n else 'batch'
    mean = c.optional(lambda: c.tensor(ch, grad=False), 0.7 if training else 1)
    var = c.tensor(ch, kind='positive', grad=False) if mean != 'None' else 'None'
    w, b = c.optional(lambda: c.tensor(ch)), c.optional(lambda: c.tensor(ch))
    flag = 'training' if kind == 'batch' else 'use_input_stats'
    return f'(F.{kind}_norm({x}, {mean}, {var}, {w}, {b}, {flag}={training}' + keywords(
        r, momentum=[0.1, 0.0, 1.0], eps=[1e-5, 1e-3]) + f'), {mean}, {var})'


@entry(3)
def other_norm(r, c):
    kind = r.choice(['layer', 'layer', 'group', 'rms', 'local'])
    if kind in ('layer', 'rms'):
        shape = [r.randint(1, 4) for _ in range(r.randint(1, 2))]
        x = c.tensor(*[size(r, 1, 4) for _ in range(r.randint(0, 2))], *shape)
        w = c.optional(lambda: c.tensor(*shape))
        if kind == 'rms':
            return f'F.rms_norm({x}, {shape}, {w}' + keywords(r, eps=[1e-5, None, 1e-2]) + ')'
        b = c.optional(lambda: c.tensor(*shape))
        return f'F.layer_norm({x}, {shape}, {w}, {b}' + keywords(r, eps=[1e-5, 1e-2]) + ')'
    groups = r.randint(1, 3)
    ch = groups * r.randint(1, 2)
    x = c.tensor(size(r, 1, 3), ch, *[r.randint(1, 4) for _ in range(r.randint(0 if kind == 'group' else 1, 3))])
    if kind == 'group':
        w, b = c.optional(lambda: c.tensor(ch)), c.optional(lambda: c.tensor(ch))
        return f'F.group_norm({x}, {groups}, {w}, {b}' + keywords(r, eps=[1e-5, 1e-2]) + ')'
    return f'F.local_response_norm({x}, {r.randint(1, 3)}' + keywords(r, alpha=[1e-2, 1.0], beta=[0.5, 0.75], k=[1.0, 2.0]) + ')'


# ---- activations ----

PLAIN = ('relu relu6 elu selu celu gelu silu mish sigmoid tanh softplus softsign tanhshrink logsigmoid hardtanh hardswish '
         'hardsigmoid leaky_relu softshrink hardshrink').split()


@entry(4)
def activation(r, c):
    name = r.choice(PLAIN)
    x = c.tensor(*[size(r) for _ in range(r.randint(0, 3))], kind=r.choice(['normal', 'normal', 'special', 'ties']))
    more = {'elu': dict(alpha=[0.5, 2.0]), 'celu': dict(alpha=[0.5, 2.0]), 'gelu': dict(approximate=['tanh', 'none']),
            'softplus': dict(beta=[0.5, 2, 1], threshold=[20, 1]), 'hardtanh': dict(min_val=[-2.0, 0.5], max_val=[1.0, 2.0]),
            'leaky_relu': dict(negative_slope=[0.2, -0.5, 0.0]), 'softshrink': dict(lambd=[0.3, 0.0]),
            'hardshrink': dict(lambd=[0.3, 0.0, -1.0])}.get(name, {})
    inplace = name in ('relu', 'relu6', 'elu', 'selu', 'celu', 'silu', 'mish', 'hardtanh', 'hardswish', 'hardsigmoid', 'leaky_relu')
    flag = ', inplace=True' if inplace and r.random() < 0.2 else ''
    x = f'({x} * 1)' if flag else x
    return f'F.{name}({x}' + keywords(r, **more) + flag + ')'


@entry(2)
def activation_of_dims(r, c):
    shape = [size(r) for _ in range(r.randint(1, 4))]
    kind = r.choice(['softmax', 'log_softmax', 'softmin', 'glu', 'prelu', 'normalize', 'cosine', 'threshold', 'rrelu', 'gumbel'])
    dim = r.randint(-len(shape), len(shape) - 1)
    if kind == 'glu':
        shape[dim] = 2 * shape[dim]
    x = c.tensor(*shape, kind=r.choice(['normal', 'special']))
    if kind == 'prelu':
        return f'F.prelu({x}, {c.tensor(r.choice([1, shape[1] if len(shape) > 1 else 1]))})'
    if kind == 'normalize':
        return f'F.normalize({x}, dim={dim}' + keywords(r, p=[1, 2.0, 3, float("inf")], eps=[1e-3]) + ')'
    if kind == 'cosine':
        return f'F.cosine_similarity({x}, {c.tensor(*shape)}, dim={dim})'
    if kind == 'threshold':
        return f'F.threshold({x}, {r.choice([0.1, -0.5])}, {r.choice([0.0, 20.0])})'
    if kind == 'rrelu':
        return f'F.rrelu({x}, 0.1, 0.4, training=False)'
    if kind == 'gumbel':
        return f'F.softmax({x} / 0.5, dim={dim})'
    if kind == 'glu':
        return f'F.glu({x}, {dim})'
    return f'F.{kind}({x}, dim={dim}' + keywords(r, dtype=[None]) + ')'


# ---- losses ----

POINTWISE_LOSSES = 'mse_loss l1_loss smooth_l1_loss huber_loss soft_margin_loss poisson_nll_loss kl_div gaussian_nll_loss'.split()
REDUCTIONS = ['mean', 'sum', 'none']


@entry(3)
def pointwise_loss(r, c):
    name, shape = r.choice(POINTWISE_LOSSES), [size(r) for _ in range(r.randint(1, 3))]
    x = c.tensor(*shape)
    other = shape if r.random() < 0.9 else [1, *shape[1:]]
    if name == 'gaussian_nll_loss':
        y, v = c.tensor(*shape), c.tensor(*r.choice([shape, [*shape[:-1], 1], shape[:-1]]), kind='positive')
        return f'F.gaussian_nll_loss({x}, {y}, {v}' + keywords(r, full=[True], reduction=REDUCTIONS, eps=[1e-3]) + ')'
    y = c.tensor(*other, kind={'kl_div': 'unit', 'poisson_nll_loss': 'positive'}.get(name, 'normal'))
    more = {'smooth_l1_loss': dict(beta=[0.0, 0.5, 2.0]), 'huber_loss': dict(delta=[0.5, 2.0]),
            'poisson_nll_loss': dict(log_input=[False, True], full=[True]), 'kl_div': dict(log_target=[True])}.get(name, {})
    return f'F.{name}({x}, {y}' + keywords(r, reduction=REDUCTIONS + (['batchmean'] if name == 'kl_div' else []), **more) + ')'


@entry(3)
def class_loss(r, c):
    name = r.choice(['cross_entropy', 'cross_entropy', 'nll_loss', 'multi_margin_loss', 'multilabel_margin_loss'])
    n, k = size(r, 1, 4), r.randint(1, 5)
    spatial = [r.randint(1, 3) for _ in range(r.choice([0, 0, 1, 2]))] if name in ('cross_entropy', 'nll_loss') else []
    batch = [] if r.random() < 0.1 and not spatial else [n]
    x = c.tensor(*batch, k, *spatial)
    w = c.optional(lambda: c.tensor(k, kind='positive', grad=False), 0.3)
    if name == 'multilabel_margin_loss':
        return f'F.{name}({x}, {c.index(*batch, k, high=k)}.long()' + keywords(r, reduction=REDUCTIONS) + ')'
    if name == 'multi_margin_loss':
        y = c.index(*batch, high=k)
        return f'F.{name}({x}, {y}.long(), weight={w}' + keywords(r, p=[1, 2], margin=[0.5, 1.0], reduction=REDUCTIONS) + ')'
    smooth = keywords(r, label_smoothing=[0.1, 0.5]) if name == 'cross_entropy' else ''
    if name == 'cross_entropy' and r.random() < 0.25:
        return f'F.cross_entropy({x}, {c.tensor(*batch, k, *spatial, kind="unit")}, weight={w}{smooth}' + keywords(
            r, reduction=REDUCTIONS) + ')'
    y = c.index(*batch, *spatial, high=k)
    return f'F.{name}({x}, {y}.long(), weight={w}{smooth}' + keywords(r, ignore_index=[0, 1, -100], reduction=REDUCTIONS) + ')'


@entry(2)
def other_loss(r, c):
    shape = [size(r), size(r)]
    kind = r.choice(['bce', 'bce_logits', 'hinge', 'margin', 'triplet', 'cosine', 'multilabel_soft', 'ctc', 'triplet_distance'])
    reduction = keywords(r, reduction=REDUCTIONS)
    if kind in ('bce', 'bce_logits'):
        x = c.tensor(*shape, kind='unit' if kind == 'bce' else 'normal')
        y, w = c.tensor(*shape, kind='unit'), c.optional(lambda: c.tensor(*shape, kind='positive', grad=False), 0.3)
        if kind == 'bce':
            return f'F.binary_cross_entropy({x}, {y}, {w}{reduction})'
        p = c.optional(lambda: c.tensor(shape[-1], kind='positive', grad=False), 0.3)
        return f'F.binary_cross_entropy_with_logits({x}, {y}, {w}, pos_weight={p}{reduction})'
    if kind == 'multilabel_soft':
        return f'F.multilabel_soft_margin_loss({c.tensor(*shape)}, {c.tensor(*shape, kind="unit")}{reduction})'
    if kind == 'ctc':
        t, n, k, s = r.randint(2, 6), r.randint(1, 3), r.randint(2, 4), r.randint(1, 3)
        x, y = c.tensor(t, n, k), c.index(n, s, high=k)
        lengths = [r.randint(1, t) for _ in range(n)], [r.randint(0, s) for _ in range(n)]
        return (f'F.ctc_loss({x}.log_softmax(-1), {y}.long(), {lengths[0]}, {lengths[1]}'
                + keywords(r, blank=[0, k - 1], zero_infinity=[True]) + f'{reduction})')
    sign = c.tensor(shape[0], kind='sign', grad=False)
    if kind == 'hinge':
        return f'F.hinge_embedding_loss({c.tensor(*shape)}, {c.tensor(*shape, kind="sign", grad=False)}{reduction})'
    if kind == 'margin':
        return f'F.margin_ranking_loss({c.tensor(shape[0])}, {c.tensor(shape[0])}, {sign}' + keywords(r, margin=[0.5]) + f'{reduction})'
    a, b = c.tensor(*shape), c.tensor(*shape)
    if kind == 'cosine':
        return f'F.cosine_embedding_loss({a}, {b}, {sign}' + keywords(r, margin=[0.3]) + f'{reduction})'
    name = 'triplet_margin_loss' if kind == 'triplet' else 'triplet_margin_with_distance_loss'
    more = keywords(r, p=[1, 2.0, 3], eps=[1e-3]) if kind == 'triplet' else ''
    return f'F.{name}({a}, {b}, {c.tensor(*shape)}' + keywords(r, margin=[0.5], swap=[True]) + f'{more}{reduction})'


# ---- linear, embedding, distances ----

@entry(2)
def linear(r, c):
    i, o = size(r), size(r)
    if r.random() < 0.3:
        j, n = r.randint(1, 4), size(r)
        b = c.optional(lambda: c.tensor(o))
        return f'F.bilinear({c.tensor(n, i)}, {c.tensor(n, j)}, {c.tensor(o, i, j)}, {b})'
    x = c.tensor(*[size(r) for _ in range(r.randint(0, 3))], i)
    return f'F.linear({x}, {c.tensor(o, i)}, {c.optional(lambda: c.tensor(o))})'


@entry(3)
def embedding(r, c):
    rows, width = r.randint(2, 6), r.randint(1, 4)
    pad = keywords(r, padding_idx=[0, -1, 1])
    if r.random() < 0.4:
        x = c.index(*[size(r) for _ in range(r.randint(0, 3))], high=rows)
        return f'F.embedding({x}, {c.tensor(rows, width)}{pad}' + keywords(r, scale_grad_by_freq=[True]) + ')'
    mode, weights = r.choice(['sum', 'mean', 'max']), ''
    if r.random() < 0.5:
        shape = [size(r, 1, 4), size(r, 1, 4)]
        x, offsets = c.index(*shape, high=rows), 'None'
    else:
        shape = [r.randint(1, 8)]
        x = c.index(*shape, high=rows)
        starts = sorted(r.randint(0, shape[0]) for _ in range(r.randint(1, 4)))
        starts[0] = 0
        last = r.random() < 0.3
        offsets = f'torch.tensor({starts + [shape[0]] * last}, dtype={x}.dtype, device={x}.device), include_last_offset={last}'
    w = c.tensor(rows, width, kind=r.choice(['normal', 'ties']))
    if mode == 'sum' and r.random() < 0.4:
        weights = f', per_sample_weights={c.tensor(*shape)}'
    return f"F.embedding_bag({x}, {w}, {offsets}, mode='{mode}'{pad}{weights}" + keywords(r, scale_grad_by_freq=[True]) + ')'


@entry()
def distance(r, c):
    kind, p = r.choice(['pdist', 'pairwise', 'cdist']), r.choice([0.0, 0.5, 1.0, 1.5, 2.0, 3.0, float('inf')])
    n, d = size(r), size(r)
    p = f"float('{p}')"
    source = r.choice(['normal', 'normal', 'ties'])
    if kind == 'pdist':
        return f'F.pdist({c.tensor(n, d, kind=source)}, {p})'
    if kind == 'cdist':
        return f'torch.cdist({c.tensor(n, d, kind=source)}, {c.tensor(size(r), d, kind=source)}, p={p})'
    return f'F.pairwise_distance({c.tensor(n, d)}, {c.tensor(n, d)}, {p}' + keywords(r, keepdim=[True]) + ')'


# ---- images ----

@entry(3)
def pad(r, c):
    n = r.randint(1, 4)
    shape = [r.randint(1, 5) for _ in range(n)]
    k = r.randint(1, n)
    mode = r.choice(['constant', 'constant', 'reflect', 'replicate', 'circular'])
    if mode != 'constant':
        k = max(1, min(3, n - 2)) if n > 2 else 1
    widths = [r.choice([0, 1, 2, -1 if mode == 'constant' or r.random() < 0.3 else 1]) for _ in range(2 * k)]
    value = keywords(r, value=[0.5, 1]) if mode == 'constant' else ''
    return f"F.pad({c.tensor(*shape)}, {tuple(widths)}, mode='{mode}'{value})"


@entry(3)
def interpolate(r, c):
    n = r.randint(1, 3)
    x = c.tensor(size(r, 1, 2), r.randint(1, 3), *[r.randint(1, 5) for _ in range(n)])
    smooth = {1: 'linear', 2: 'bilinear', 3: 'trilinear'}[n]
    mode = r.choice(['nearest', 'nearest-exact', 'area', smooth, smooth, 'bicubic' if n == 2 else smooth])
    if r.random() < 0.5:
        size_of = f'size={r.choice([r.randint(1, 7), tuple(r.randint(1, 7) for _ in range(n))])!r}'
    else:
        size_of = f'scale_factor={r.choice([0.5, 1.5, 2, 2.0, 0.7])}' + keywords(r, recompute_scale_factor=[True, False])
    corners = keywords(r, align_corners=[True, False]) if mode not in ('nearest', 'nearest-exact', 'area') else ''
    smooth = keywords(r, antialias=[True]) if mode in ('bilinear', 'bicubic') else ''
    return f"F.interpolate({x}, {size_of}, mode='{mode}'{corners}{smooth})"


@entry(2)
def grid(r, c):
    n, d = size(r, 1, 2), r.choice([2, 2, 3])
    x = c.tensor(n, r.randint(1, 3), *[r.randint(1, 4) for _ in range(d)])
    out = [r.randint(1, 4) for _ in range(d)]
    mode = r.choice(['bilinear', 'nearest', 'bicubic' if d == 2 else 'bilinear'])
    more = f", mode='{mode}'" + keywords(r, padding_mode=['zeros', 'border', 'reflection']) + f', align_corners={r.random() < 0.5})'
    if r.random() < 0.3:
        return f'F.grid_sample({x}, F.affine_grid({c.tensor(n, d, d + 1)}, {[n, 1, *out]}, align_corners=True){more}'
    return f'F.grid_sample({x}, {c.tensor(n, *out, d)}{more}'


@entry()
def shuffle(r, c):
    k = r.randint(1, 3)
    kind = r.choice(['pixel', 'unpixel', 'channel', 'one_hot'])
    if kind == 'pixel':
        return f'F.pixel_shuffle({c.tensor(size(r), k * k * r.randint(1, 2), r.randint(1, 3), 2)}, {k})'
    if kind == 'unpixel':
        return f'F.pixel_unshuffle({c.tensor(size(r), 2, k * r.randint(1, 2), k)}, {k})'
    if kind == 'channel':
        return f'F.channel_shuffle({c.tensor(size(r), k * r.randint(1, 3), 2, 3)}, {k})'
    return f'F.one_hot({c.index(size(r), size(r), high=k)}.long(), {r.choice([-1, k, k + 2])})'


# ---- attention and modules ----

@entry(3)
def attention(r, c):
    b, h, q, k, e = size(r, 1, 2), r.randint(1, 3), r.randint(1, 5), r.randint(1, 5), r.randint(1, 4)
    lead = [b, h] if r.random() < 0.8 else [h]
    x = [c.tensor(*lead, q, e), c.tensor(*lead, k, e), c.tensor(*lead, k, r.choice([e, e, e + 1]))]
    mask = r.choice(['None', 'None', 'bool', 'float', 'causal'])
    more = keywords(r, scale=[0.5, 1.0])
    if mask == 'causal':
        more += ', is_causal=True'
    elif mask != 'None':
        more += f", attn_mask={c.tensor(*r.choice([[q, k], [*lead, q, k], [1, k]]), kind='mask' if mask == 'bool' else 'normal', dtype='bool' if mask == 'bool' else None)}"
    return f'F.scaled_dot_product_attention({", ".join(x)}{more})'


@entry(4)
def recurrent(r, c):
    kind, i, h, layers = r.choice(['LSTM', 'GRU', 'RNN']), r.randint(1, 3), r.randint(2, 4), r.randint(1, 2)
    first = r.random() < 0.5
    t, n = r.randint(1, 4), size(r, 1, 3)
    options = f', num_layers={layers}, batch_first={first}' + keywords(r, bias=[False], bidirectional=[True])
    if kind == 'LSTM' and r.random() < 0.3:
        options += ', proj_size=1'
    if kind == 'RNN':
        options += keywords(r, nonlinearity=['relu', 'tanh'])
    shape = [t, i] if r.random() < 0.15 else [n, t, i] if first else [t, n, i]
    x = c.tensor(*shape)
    if len(shape) == 3 and n and r.random() < 0.2:
        lengths = [r.randint(1, t) for _ in range(n)]
        lengths[0] = t
        x = f'U.pack_padded_sequence({x}, {lengths}, batch_first={first}, enforce_sorted=False)'
    return f'module(nn.{kind}({i}, {h}{options}, dtype=DTYPE))({x})'


@entry()
def cell(r, c):
    kind, i, h = r.choice(['LSTMCell', 'GRUCell', 'RNNCell']), r.randint(1, 3), r.randint(1, 4)
    lead = [size(r, 1, 3)] if r.random() < 0.8 else []
    x = c.tensor(*lead, i)
    state = c.optional(lambda: c.tensor(*lead, h))
    if kind == 'LSTMCell' and state != 'None':
        state = f'({state}, {c.tensor(*lead, h)})'
    return f'module(nn.{kind}({i}, {h}' + keywords(r, bias=[False]) + f', dtype=DTYPE))({x}, {state})'


@entry(2)
def transformer(r, c):
    heads = r.choice([1, 2])
    e, t, n = heads * r.randint(1, 3), r.randint(1, 4), r.randint(1, 3)
    first = r.random() < 0.5
    x = c.tensor(*([n, t, e] if first else [t, n, e]))
    kind = r.choice(['attention', 'attention', 'encoder', 'decoder'])
    mode = r.choice(['train', 'eval'])
    if kind == 'attention':
        options = keywords(r, bias=[False], add_bias_kv=[True], add_zero_attn=[True])
        call = keywords(r, need_weights=[False], average_attn_weights=[False])
        if r.random() < 0.3:
            call += f", key_padding_mask={c.tensor(n, t, kind='mask', dtype='bool')}"
        return f'module(nn.MultiheadAttention({e}, {heads}, batch_first={first}{options}, dtype=DTYPE)).{mode}()({x}, {x}, {x}{call})'
    options = f', {r.randint(2, 4)}, dropout=0.0, batch_first={first}' + keywords(r, norm_first=[True], activation=['gelu', 'relu'])
    if kind == 'encoder':
        return f'module(nn.TransformerEncoderLayer({e}, {heads}{options}, dtype=DTYPE)).{mode}()({x})'
    return f'module(nn.TransformerDecoderLayer({e}, {heads}{options}, dtype=DTYPE)).{mode}()({x}, {x})'


@entry()
def dropout(r, c):
    name = r.choice(['dropout', 'dropout1d', 'dropout2d', 'dropout3d', 'alpha_dropout', 'feature_alpha_dropout'])
    n = {'dropout1d': 3, 'dropout2d': 4, 'dropout3d': 5}.get(name, r.randint(2, 3))
    x = c.tensor(*[size(r, 1, 3) for _ in range(n)])
    return f'F.{name}({x}, {r.choice([0.0, 1.0, 0.3])}, training={r.random() < 0.5})'


@entry()
def module_of_norm(r, c):
    ch, n = r.randint(1, 4), r.randint(1, 3)
    x = c.tensor(r.randint(2, 3), ch, *[r.randint(2, 3) for _ in range(n)])
    kind = r.choice(['BatchNorm', 'InstanceNorm'])
    options = keywords(r, affine=[True, False], track_running_stats=[True, False], momentum=[None, 0.3])
    return f'twice(module(nn.{kind}{n}d({ch}{options}, dtype=DTYPE)).{r.choice(["train", "eval"])}(), {x})'


# ---- invalid calls ----

def spoil(r, call):
    """Puts one mistake into a call."""
    kind = r.choice(['shape', 'dtype', 'dims', 'number'])
    if kind == 'number':
        import re
        found = list(re.finditer(r'=(\d+)\b', call['code']))
        if found:
            m = r.choice(found)
            call['code'] = call['code'][:m.start(1)] + r.choice(['-1', '0', '7', "'a'", 'None', '1.5']) + call['code'][m.end(1):]
        return
    t = r.choice(call['tensors'])
    if kind == 'shape' and t['shape']:
        i = r.randrange(len(t['shape']))
        t['shape'][i] += 1
    elif kind == 'dims':
        t['shape'] = t['shape'][1:] if r.random() < 0.5 else [2, *t['shape']]
    else:
        t['dtype'] = r.choice(['int64', 'float64', 'float32', 'bool', 'complex64', 'bfloat16'])


def make_call(seed):
    r = random.Random(seed)
    c = Call(r)
    function = r.choice(CATALOG)
    code = function(r, c)
    call = {'seed': seed, 'name': function.__name__, 'code': code, 'tensors': c.tensors, 'dtype': c.dtype,
            'mode': r.choice(['grad'] * 10 + ['no_grad', 'autocast', 'autocast', 'checkpoint', 'double'])}
    if r.random() < 0.1:
        spoil(r, call)
        call['mode'], call['wrong'] = 'grad', True
    return call
