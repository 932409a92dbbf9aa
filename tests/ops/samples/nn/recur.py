# SPDX-License-Identifier: BSD-3-Clause
"""Samples of recurrent networks: 4 steps of 2 sequences with 3 features, states of size 2, one layer or two."""
from samples import ONE, PLAIN, one

TYPES = ["float32", "float64"]
SIZES = "torch.tensor([2, 2, 1, 1])"  # of 6 packed rows


def network(gates, hidden):
    """Makes calls of one kind of network; `hidden` are its states, by number of layers times directions."""
    first, more, both = f"m{gates}3, p{gates}2, x{gates}, y{gates}", f"m{gates}2, p{gates}2, y{gates}, x{gates}", f"m{gates}4, p{gates}2, y{gates}, x{gates}"
    bare = f"m{gates}3, p{gates}2"
    return [
        (f"x423, {hidden(1)}, [{first}], True, 1, 0.0, False, False, False", TYPES, ["c", "t", "s"]),
        (f"x423, {hidden(1)}, [{bare}], False, 1, 0.0, True, False, False", TYPES, PLAIN),
        (f"x243, {hidden(2)}, [{first}, {more}], True, 2, 0.5, False, False, True", TYPES, PLAIN),
        (f"x423, {hidden(4)}, [{first}, {first}, {both}, {both}], True, 2, 0.0, True, True, False", TYPES, PLAIN),
        (f"x63, {SIZES}, {hidden(1)}, [{first}], True, 1, 0.0, False, False", TYPES, PLAIN),
        (f"x63, {SIZES}, {hidden(2)}, [{first}, {first}], True, 1, 0.0, False, True", TYPES, PLAIN),
        *one(f"x423, {hidden(1)}, [{bare}], True, 1, 0.0, False, False, False", f"x423, {hidden(1)}"),
    ]


def plain(n):
    return f"y{n}22"


def with_cells(n):
    return f"(y{n}22, z{n}22)"


def cell(gates, hidden):
    return [(f"x23, {hidden}, m{gates}3, p{gates}2, x{gates}, y{gates}", TYPES, PLAIN), (f"x23, {hidden}, m{gates}3, p{gates}2", TYPES, PLAIN)]


SAMPLES = {
    "lstm": network(8, with_cells)[:4] + one("x423, (y122,), [m83, p82], False, 1, 0.0, False, False, False")
    + [("x423, (y123, z122), [m83, p83, x8, y8, p32], True, 1, 0.0, False, False, False", ["float64"], PLAIN)],
    "lstm.data": network(8, with_cells)[4:6], "gru": network(6, plain)[:4] + network(6, plain)[6:], "gru.data": network(6, plain)[4:6],
    "rnn_tanh": network(2, plain)[:4], "rnn_tanh.data": network(2, plain)[4:6], "rnn_relu": network(2, plain)[:4], "rnn_relu.data": network(2, plain)[4:6],
    "lstm_cell": cell(8, "(y22, z22)"), "gru_cell": cell(6, "y22"), "rnn_tanh_cell": cell(2, "y22"), "rnn_relu_cell": cell(2, "y22"),
    "_pack_padded_sequence": [("x342, torch.tensor([4, 4, 1]), True", None, ["c", "t"]), ("x432, torch.tensor([4, 2, 1]), False", TYPES, PLAIN),
                              *one("x342, torch.tensor([4, 4]), True", "x342, torch.tensor([2, 4, 1]), True", "x342, torch.tensor([2, 1, 0]), True", "x302, torch.tensor([1, 1, 1]), True")],
    "_pad_packed_sequence": [("x62, torch.tensor([3, 2, 1]), True, 7, 5", None, PLAIN), ("x6, torch.tensor([3, 3]), False, 0.5, -1", TYPES, PLAIN),
                             ("x62, torch.tensor([3, 2, 1]), False, 0, 2", ONE, PLAIN)],
}
ULPS = {"recur": 1024}  # differences of sums lose precision
DELIBERATE = []
