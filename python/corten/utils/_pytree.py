# SPDX-License-Identifier: BSD-3-Clause
"""Pytrees: nested containers such as dicts and lists, flattened to a list of leaves and rebuilt from it."""
from collections import OrderedDict, defaultdict, deque, namedtuple

from .._C import Size

__all__ = ["Context", "GetAttrKey", "LeafSpec", "MappingKey", "PyTree", "SequenceKey", "TreeSpec", "key_get", "keystr",
           "register_pytree_node", "tree_all", "tree_any", "tree_flatten", "tree_flatten_with_path", "tree_is_leaf", "tree_iter",
           "tree_leaves", "tree_leaves_with_path", "tree_map", "tree_map_", "tree_map_only", "tree_map_with_path", "tree_structure",
           "tree_unflatten"]

PyTree = object
Context = object
_Kind = namedtuple("_Kind", "flatten unflatten keys", defaults=(None,))
_kinds = SUPPORTED_NODES = {}


class TreeSpec:
    """The structure of a pytree: container type, context (such as dict keys) and the specs of the children."""

    def __init__(self, type, context, children_specs):
        self.type, self.context, self.children_specs = type, context, list(children_specs)
        self.num_leaves = 1 if type is None else sum(c.num_leaves for c in self.children_specs)
        self.num_children = len(self.children_specs)
        self.num_nodes = 1 + sum(c.num_nodes for c in self.children_specs)

    def is_leaf(self):
        """Returns whether the structure is a single leaf."""
        return self.type is None

    def __eq__(self, other):
        return (isinstance(other, TreeSpec) and self.type is other.type and self.context == other.context
                and self.children_specs == other.children_specs)

    def __hash__(self):
        return hash((self.type, self.num_leaves))

    def __repr__(self):
        if self.type is None:
            return "*"
        return f"TreeSpec({self.type.__name__}, {self.context}, [{', '.join(map(repr, self.children_specs))}])"

    def unflatten(self, leaves):
        """Rebuilds a tree of this structure from a list of leaves."""
        return tree_unflatten(leaves, self)


class LeafSpec(TreeSpec):
    """The spec of a leaf."""

    def __init__(self):
        super().__init__(None, None, [])


def register_pytree_node(cls, flatten_fn, unflatten_fn, *, serialized_type_name=None, to_dumpable_context=None,
                         from_dumpable_context=None, flatten_with_keys_fn=None):
    """Registers a class as a container.

    flatten_fn(x) returns (children, context); unflatten_fn(children, context) rebuilds x; flatten_with_keys_fn(x) returns
    ([(key, child)], context). The other arguments serve PyTorch's serialization of specs.
    """
    _kinds[cls] = _Kind(flatten_fn, unflatten_fn, flatten_with_keys_fn)


_register_pytree_node = register_pytree_node


# ---- the path of a leaf: a tuple of keys, outermost first ----

class MappingKey(namedtuple("MappingKey", "key")):
    """A key of a dict."""
    __slots__ = ()

    def __str__(self):
        return f"[{self.key!r}]"

    def get(self, tree):
        """Returns the child of `tree` with this key."""
        return tree[self.key]


class SequenceKey(namedtuple("SequenceKey", "idx")):
    """An index of a list or tuple."""
    __slots__ = ()

    def __str__(self):
        return f"[{self.idx!r}]"

    def get(self, tree):
        """Returns the child of `tree` with this index."""
        return tree[self.idx]


class GetAttrKey(namedtuple("GetAttrKey", "name")):
    """An attribute of an object."""
    __slots__ = ()

    def __str__(self):
        return f".{self.name}"

    def get(self, tree):
        """Returns this attribute of `tree`."""
        return getattr(tree, self.name)


def keystr(kp):
    """Formats a path as source code: "['a'][0]"."""
    return "".join(map(str, kp))


def key_get(obj, kp):
    """Returns the subtree of `obj` at a path."""
    for key in kp:
        obj = key.get(obj)
    return obj


def _keyed(node):
    """Returns [(key, child)] of a container."""
    _, kind = _kind_of(node)
    if kind.keys is not None:
        return kind.keys(node)[0]
    children, _ = kind.flatten(node)
    if isinstance(node, dict):
        return [(MappingKey(key), child) for key, child in zip(node, children)]
    if hasattr(type(node), "_fields"):
        return [(GetAttrKey(name), child) for name, child in zip(node._fields, children)]
    return [(SequenceKey(i), child) for i, child in enumerate(children)]


def tree_flatten_with_path(tree, is_leaf=None):
    """Returns ([(path, leaf)], treespec)."""
    found = []

    def walk(node, path):
        if (is_leaf is not None and is_leaf(node)) or _kind_of(node)[1] is None:
            found.append((path, node))
            return
        for key, child in _keyed(node):
            walk(child, (*path, key))

    walk(tree, ())
    return found, tree_structure(tree, is_leaf)


def tree_leaves_with_path(tree, is_leaf=None):
    """Returns [(path, leaf)]."""
    return tree_flatten_with_path(tree, is_leaf)[0]


def tree_map_with_path(func, tree, *rests, is_leaf=None):
    """Returns a tree of func(path, leaf, ...) for each leaf; `rests` are further trees of the same structure."""
    found, spec = tree_flatten_with_path(tree, is_leaf)
    others = [_leaves_like(rest, spec) for rest in rests]
    return tree_unflatten([func(path, leaf, *parts) for (path, leaf), *parts in zip(found, *others)], spec)


# ---- Python's containers ----

def _list_flatten(d):
    return d, None


def _list_flatten_with_keys(d):
    return [(SequenceKey(i), v) for i, v in enumerate(d)], None


def _list_unflatten(values, context):
    return list(values)


def _tuple_flatten(d):
    return list(d), None


def _dict_flatten(d):
    return list(d.values()), list(d)


def _dict_flatten_with_keys(d):
    values, keys = _dict_flatten(d)
    return [(MappingKey(k), v) for k, v in zip(keys, values)], keys


def _dict_unflatten(values, context):
    return dict(zip(context, values))


register_pytree_node(dict, _dict_flatten, _dict_unflatten, flatten_with_keys_fn=_dict_flatten_with_keys)
register_pytree_node(OrderedDict, _dict_flatten, lambda values, keys: OrderedDict(zip(keys, values)))
register_pytree_node(defaultdict, lambda d: (list(d.values()), (d.default_factory, list(d))),
                     lambda values, context: defaultdict(context[0], zip(context[1], values)))
register_pytree_node(list, _list_flatten, _list_unflatten)
register_pytree_node(tuple, _tuple_flatten, lambda values, _: tuple(values))
register_pytree_node(Size, lambda x: (list(x), None), lambda values, _: tuple(values))  # the results of a map need not be ints, so a tuple is rebuilt
register_pytree_node(deque, lambda x: (list(x), x.maxlen), lambda values, n: deque(values, maxlen=n))
_named = _Kind(lambda x: (list(x), type(x)), lambda values, cls: cls(*values))
_record = _Kind(lambda x: (list(x), type(x)), lambda values, cls: cls(values))


def _kind_of(tree):
    """Returns the flatten functions of a container; None for a leaf."""
    cls = type(tree)
    kind = _kinds.get(cls)
    if kind is None and isinstance(tree, tuple):
        if hasattr(cls, "_fields"):
            return namedtuple, _named
        if hasattr(cls, "n_sequence_fields"):
            return cls, _record
    return (cls, kind) if kind else (None, None)


def _get_node_type(tree):
    """Returns the type of a container, or namedtuple for all named tuples."""
    return _kind_of(tree)[0] or type(tree)


def tree_is_leaf(tree, is_leaf=None):
    """Returns whether `tree` is a leaf."""
    return (is_leaf is not None and is_leaf(tree)) or _kind_of(tree)[1] is None


def tree_flatten(tree, is_leaf=None):
    """Returns (leaves, treespec)."""
    leaves = []

    def walk(node):
        cls, kind = (None, None) if is_leaf is not None and is_leaf(node) else _kind_of(node)
        if kind is None:
            leaves.append(node)
            return LeafSpec()
        children, context = kind.flatten(node)
        return TreeSpec(cls, context, [walk(child) for child in children])

    return leaves, walk(tree)


def tree_unflatten(leaves, treespec):
    """Rebuilds a tree with the structure `treespec` from a list of leaves."""
    leaves = list(leaves)
    if len(leaves) != treespec.num_leaves:
        raise ValueError(f"tree_unflatten(leaves, treespec): `leaves` has length {len(leaves)} but the spec refers to a pytree that holds "
                         f"{treespec.num_leaves} items ({treespec}).")
    rest = iter(leaves)

    def build(spec):
        if spec.type is None:
            return next(rest)
        kind = _named if spec.type is namedtuple else _kinds.get(spec.type, _record)
        return kind.unflatten([build(child) for child in spec.children_specs], spec.context)

    return build(treespec)


def tree_iter(tree, is_leaf=None):
    """Iterates over the leaves."""
    return iter(tree_flatten(tree, is_leaf)[0])


def tree_leaves(tree, is_leaf=None):
    """Returns the list of leaves."""
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree, is_leaf=None):
    """Returns the treespec."""
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func, tree, *rests, is_leaf=None):
    """Returns a tree of func(leaf, ...) for each leaf; `rests` are further trees of the same structure."""
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [_leaves_like(rest, spec) for rest in rests]
    return tree_unflatten([func(*parts) for parts in zip(leaves, *others)], spec)


def _leaves_like(tree, spec):
    """Returns the subtrees of `tree` at the leaves of `spec`."""
    if spec.type is None:
        return [tree]
    cls, kind = _kind_of(tree)
    if cls is not spec.type or len(kind.flatten(tree)[0]) != spec.num_children:
        raise ValueError(f"Node type mismatch; expected {spec.type!r}, but got {type(tree)!r}.")
    return [leaf for child, part in zip(kind.flatten(tree)[0], spec.children_specs) for leaf in _leaves_like(child, part)]


def tree_map_(func, tree, *rests, is_leaf=None):
    """Calls func for each leaf and returns the tree unchanged."""
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def tree_map_only(type_or_types, func=None, tree=None, is_leaf=None):
    """tree_map for leaves of the given types; other leaves stay. Without `func`, returns a decorator for func."""
    chosen = type_or_types if isinstance(type_or_types, (type, tuple)) else None

    def decide(f):
        return lambda x: f(x) if (isinstance(x, chosen) if chosen else type_or_types(x)) else x

    return decide if func is None else tree_map(decide(func), tree, is_leaf=is_leaf)


def tree_map_only_(type_or_types, func, tree, is_leaf=None):
    """Calls func for each leaf of the given types and returns the tree unchanged."""
    for leaf in tree_leaves(tree, is_leaf):
        if isinstance(leaf, type_or_types):
            func(leaf)
    return tree


def arg_tree_leaves(*args, **kwargs):
    """Returns the leaves of all positional and keyword arguments."""
    return [leaf for arg in (*args, *kwargs.values()) for leaf in tree_leaves(arg)]


def is_structseq_instance(obj):
    """Returns whether obj is an instance of a C struct sequence, such as the result of time.localtime()."""
    return is_structseq_class(type(obj))


def is_structseq_class(cls):
    """Returns whether cls is a struct sequence class."""
    return (cls.__bases__ == (tuple,) and all(isinstance(getattr(cls, name, None), int)
                                              for name in ("n_fields", "n_sequence_fields", "n_unnamed_fields")))


def tree_all(pred, tree, is_leaf=None):
    """Returns whether pred(leaf) is true for all leaves."""
    return all(map(pred, tree_iter(tree, is_leaf)))


def tree_any(pred, tree, is_leaf=None):
    """Returns whether pred(leaf) is true for any leaf."""
    return any(map(pred, tree_iter(tree, is_leaf)))


def _broadcast_to_and_flatten(tree, treespec, is_leaf=None):
    """Flattens `tree` to the leaves of `treespec`, repeating a leaf that stands for a whole subtree; None if they do not match."""
    if treespec.type is None:
        return [tree]
    cls, kind = (None, None) if is_leaf is not None and is_leaf(tree) else _kind_of(tree)
    if kind is None:
        return [tree] * treespec.num_leaves
    children, context = kind.flatten(tree)
    if cls is not treespec.type or len(children) != treespec.num_children or context != treespec.context:
        return None
    parts = [_broadcast_to_and_flatten(c, s, is_leaf) for c, s in zip(children, treespec.children_specs)]
    return None if any(p is None for p in parts) else [leaf for part in parts for leaf in part]
