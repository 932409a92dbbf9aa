# SPDX-License-Identifier: BSD-3-Clause
"""Writes alloc_calls.h: one C function for each entry point of own.h, with sample arguments, and the
table of them that test_alloc_fail.c runs.

    emit_alloc_calls.py TOOLS OUTPUT TABLE...

Arguments follow from the kinds and names in the rows; ARGUMENTS lists those that do not. Tensor arguments are fields
of `struct inputs`.
"""
import sys
from pathlib import Path

INTS = {"size": "2, 3", "stride": "3, 1", "shape": "3, 2", "dims": "1, 0", "sizes": "1, 1", "split_size": "1, 1",
        "split_sizes": "1, 1", "source": "0", "destination": "1", "dim": "0"}
NUMBERS = {"dim": "0", "dim0": "0", "dim1": "1", "start": "0", "length": "1", "index": "1", "n": "5", "high": "7",
           "steps": "4", "k": "1", "chunks": "2", "split_size": "1", "step": "1", "to": "9", "from": "2",
           "num_samples": "2", "dimension": "0", "sorted": "true"}
# Arguments of rows that do not follow from kinds and names.
ARGUMENTS = {
    "xor_sum": {"input": "in->i", "dim": "0"},
    "addmm": {"input": "in->m", "mat1": "in->m", "mat2": "in->m"}, "mm": {"input": "in->m", "mat2": "in->m"},
    "bmm": {"input": "in->batch", "mat2": "in->batch"}, "mv": {"input": "in->m", "vec": "in->v"},
    "matmul": {"input": "in->batch", "other": "in->m"}, "dot": {"input": "in->v", "tensor": "in->v"},
    "vdot": {"input": "in->v", "other": "in->v"}, "outer": {"input": "in->v", "vec2": "in->v"},
    "addmv": {"input": "in->v", "mat": "in->m", "vec": "in->v"}, "clamp.Tensor": {"min": "in->y"},
    "clamp": {"min": "ct_value_float(0.2)"}, "trace": {"input": "in->m"}, "linear": {"weight": "in->x"}, "view": {"size": "2, 3, 1"},
    "view.dtype": {"dtype": "CT_INT32"}, "reshape": {"shape": "6"}, "diagonal_backward": {"grad": "in->two", "input_sizes": "2, 3", "offset": "0", "dim1": "0", "dim2": "1"},
    "unflatten": {"dim": "1", "sizes": "3, 1"},
    "view_as": {"other": "in->y"}, "as_strided": {"size": "3, 2", "stride": "1, 1"}, "expand": {"size": "4, 2, 3"},
    "narrow": {"start": "1"},
    "select_backward": {"grad": "in->v", "input_sizes": "2, 3"}, "unfold": {"dimension": "1", "size": "2"},
    "slice_backward": {"grad": "in->x", "input_sizes": "2, 3", "end": "2"},
    "unfold_backward": {"grad": "in->cube", "input_sizes": "2, 3", "dim": "1", "size": "2"},
    "view_as_complex": {"input": "in->pairs"}, "view_as_real": {"input": "in->c"}, "imag": {"input": "in->c"},
    "permute_backward": {"grad": "in->x", "dims": "1, 0"}, "movedim": {"source": "0", "destination": "1"},
    "sum_to_size": {"size": "1, 3"}, "split": {"split_size": "1"}, "gather": {"index": "in->i"},
    "gather_backward": {"grad": "in->square", "sizes": "2, 3", "index": "in->i"},
    "index_select_backward": {"grad": "in->x", "sizes": "2, 3", "self_sizes": "2, 3"},
    "take_backward": {"grad": "in->square", "sizes": "2, 3"}, "index_add": {"source": "in->y"},
    "masked_select_backward": {"grad": "in->six"}, "masked_scatter_backward": {"sizes": "2, 3"},
    "index.Tensor": {"indices": "CT_LIST(in->i1, in->i1)"},
    "index_put": {"indices": "CT_LIST(in->i1, in->i1)", "values": "in->two"},
    "index_put_": {"indices": "CT_LIST(in->i1, in->i1)", "values": "in->two"},
    "scatter_reduce": {"reduce": '"sum"'}, "scatter.src_reduce": {"reduce": '"add"'},
    "scatter.value_reduce": {"reduce": '"add"'}, "bitwise_not": {"input": "in->i"},
    "value_selecting_backward": {"grad": "in->two", "indices": "in->i1", "dim": "1", "sizes": "2, 3", "keepdim": "false"},
    "kthvalue": {"k": "1"}, "backward": {"input": "in->loss"}, "fill": {"value": "ct_value_tensor(in->z)"},
    "autograd_grad": {"outputs": "CT_LIST(in->loss)", "inputs": "CT_LIST(in->x)"},
    "cat": {"tensors": "CT_LIST(in->x, in->y)"}, "lerp": {"weight": "ct_value_float(0.5)"},
    "index_fill": {"value": "ct_value_tensor(in->z)"}, "masked_fill": {"value": "ct_value_tensor(in->z)"},
    "bincount": {"input": "in->i1"}, "bucketize": {"boundaries": "in->six"}, "is_nonzero": {"input": "in->loss"},
    "quantile": {"q": "in->two"}, "nanquantile": {"q": "in->two"}, "histogram.bins_tensor": {"bins": "in->six"}, "histogram": {"bins": "2"},
    "gradient.scalarrayarray": {"dim": "0, 1"}, "gradient.tensorarray": {"dim": "1", "spacing": "CT_LIST(in->v)"},
    "gradient.tensorarrayint": {"dim": "1", "spacing": "CT_LIST(in->v)"}, "_histogramdd_from_counts": {"bins": "2, 2, 2"},
    "_histogramdd_from_bins": {"bins": "CT_LIST(in->six, in->six, in->six)"},
    "mm.dtype": {"input": "in->m", "mat2": "in->m"}, "bmm.dtype": {"input": "in->batch", "mat2": "in->batch"},
    "addmm.dtype": {"input": "in->m", "mat1": "in->m", "mat2": "in->m"},
    "baddbmm.dtype": {"input": "in->batch", "batch1": "in->batch", "batch2": "in->batch"},
    "baddbmm": {"input": "in->batch", "batch1": "in->batch", "batch2": "in->batch"},
    "addbmm": {"input": "in->m", "batch1": "in->batch", "batch2": "in->batch"},
    "addr": {"input": "in->m", "vec1": "in->v", "vec2": "in->v"}, "matrix_power": {"input": "in->m", "n": "5"},
    "einsum": {"equation": '"ij,ik->jk"'}, "tensordot.dims": {"dims_self": "0", "dims_other": "0"},
    "chain_matmul": {"matrices": "CT_LIST(in->m, in->m, in->m)"}, "randint_like.Tensor": {"high": "in->seven"},
    "trilinear": {"input1": "in->m", "weight": "in->batch", "input2": "in->m"},
    "bilinear": {"input1": "in->m", "input2": "in->m", "weight": "in->batch"},
    **{name: {"A": "in->square"} for name in ("linalg_inv", "linalg_inv_ex")}, "inverse": {"input": "in->square"},
    **{name: {"A": "in->square"} for name in ("linalg_det", "_linalg_det", "linalg_slogdet", "_linalg_slogdet")},
    **{name: {"A": "in->square", "B": "in->two"} for name in ("linalg_solve", "linalg_solve_ex.info")},
    **{name: {"input": "in->square"} for name in ("det", "slogdet", "logdet")},
    **{name: {"A": "in->x"} for name in ("linalg_lu_factor", "linalg_lu", "linalg_lu_factor_ex.info")},
    "linalg_lu_solve": {"LU": "in->square", "pivots": "in->pivots", "B": "in->x"}, "lu_solve": {"input": "in->x", "LU_data": "in->square", "LU_pivots": "in->pivots"},
    "lu_unpack": {"LU_data": "in->x", "LU_pivots": "in->pivots"},
    "linalg_solve_factored": {"A": "in->square", "LU": "in->square", "pivots": "in->pivots", "B": "in->two"},
    **{name: {"input": "in->square", "upper": "true"} for name in ("linalg_cholesky", "linalg_cholesky_ex.info")}, "cholesky_solve": {"input": "in->x", "input2": "in->square"}, "cholesky_inverse": {"input": "in->square"},
    "linalg_solve_triangular": {"input": "in->square", "B": "in->x"}, "triangular_solve": {"input": "in->x", "A": "in->square"}, "linalg_qr": {"A": "in->pairs"}, "linalg_householder_product": {"input": "in->pairs", "tau": "in->two"},
    "orgqr": {"input": "in->pairs", "input2": "in->two"}, "ormqr": {"input": "in->pairs", "input2": "in->two", "input3": "in->m"}, "linalg_lstsq": {"input": "in->pairs", "b": "in->m", "driver": '"gelsd"'}, "gels": {"input": "in->m", "A": "in->pairs"}, "cholesky": {"input": "in->square", "upper": "true"},
    **{name: {"input": "in->square"} for name in ("linalg_ldl_factor", "linalg_ldl_factor_ex.info")}, "linalg_ldl_solve": {"LD": "in->square", "pivots": "in->pivots", "B": "in->x"},
    "linalg_matrix_norm.str_ord": {"ord": '"nuc"'}, "linalg_norm.ord_str": {"ord": '"nuc"'}, "linalg_matrix_power": {"A": "in->square", "n": "-3"},
    "linalg_multi_dot": {"tensors": "CT_LIST(in->v, in->m, in->m)"}, "linalg_matmul": {"input": "in->batch", "other": "in->m"},
    "norm.name": {"p": '"fro"'}, "vector_norm": {"ord": "ct_value_float(2)"},
}
BITS = {"bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift"}
# Rows that need a graph: their inputs always require gradients.
NEEDS_GRAD = {"backward", "autograd_grad"}
# `out=` arguments of rows whose results are not float32, or float32 and int64.
OUTS = {**dict.fromkeys(("nonzero", "multinomial", "nonzero_static", "searchsorted", "bucketize"), ["out1"]),
        **dict.fromkeys(("isin", "isin.Scalar_Tensor", "isin.Tensor_Scalar"), ["out3"]),
        **dict.fromkeys(("linalg_inv_ex", "linalg_solve_ex.info", "linalg_cholesky_ex.info", "linalg_ldl_factor"), ["out0", "out4"]), "linalg_ldl_factor_ex.info": ["out0", "out4", "out6"], **dict.fromkeys(("linalg_slogdet", "slogdet"), ["out0", "out2"]), "linalg_lu_factor_ex.info": ["out0", "out4", "out6"], "linalg_lu_factor": ["out0", "out4"],
        **dict.fromkeys(("linalg_qr", "qr", "geqrf", "triangular_solve"), ["out0", "out2"]), "linalg_lstsq": ["out0", "out2", "out1", "out5"],
        **dict.fromkeys(("linalg_svd", "svd", "linalg_lu", "lu_unpack"), ["out0", "out2", "out5"]),
        **dict.fromkeys(("aminmax", "histogram", "histogram.bins_tensor"), ["out0", "out2"])}
# Two consecutive in-place writes, as in PyTorch: if the second fails, the first stays.
TWO_WRITES = {"alpha_dropout_", "feature_alpha_dropout_"}


class Calls:
    def __init__(self, rows, default_text):
        self.rows, self.default_text = rows, default_text

    def value(self, row, arg, tensors):
        given = ARGUMENTS.get(row.name, {}).get(arg.name)
        kind = arg.kind.rstrip("?")
        if given:
            return f"CT_INTS({given})" if kind == "ints" else \
                f"ct_value_tensor({given})" if kind in ("Value", "Operand") and given.startswith("in->") else given
        if kind in ("Value", "Operand") and row.name in BITS:
            return "ct_value_tensor(in->i)"
        if arg.name in ("index", "indices") and kind == "Tensor":
            return "in->i1" if row.name.startswith("index_") else "in->i"
        if kind == "Mask" or arg.name in ("mask", "condition"):
            return "in->b"
        if arg.default is not None and kind != "generator":
            return self.default_text(arg)
        if kind == "Tensor":
            return "in->x" if not tensors else "in->y"
        if kind in ("Value", "Operand"):
            return f"ct_value_tensor({'in->x' if not tensors else 'in->y'})"
        if kind == "ints":
            return f"CT_INTS({INTS.get(arg.name, '2, 3')})"
        return {"device": "CT_NO_DEVICE", "Number": "ct_value_int(2)", "int": NUMBERS.get(arg.name, "1"), "float": "0.5", "bool": "true", "floats": "CT_FLOATS(1, 2)",
                "dtype": "CT_FLOAT64", "Tensors": "CT_LIST(in->x, in->y)", "generator": "NULL", "str": '"sum"', "memory_format": "-1"}[kind]

    def arguments(self, row):
        texts = []
        for arg in row.c_args:
            texts.append(self.value(row, arg, any("in->" in t for t in texts)))
        return texts

    def function(self, row, form, name, text):
        if row.returns == "struct" and form == "function":
            body = [f"struct ct_{row.cname}_result r = {text};", f"bool good = r.{row.results[0]};",
                    *(f"ct_release(r.{r});" for r in row.results), "return good;"]
        elif row.returns == "Tensors" and form == "function":
            body = [f"ct_list r = {text};", "ct_list_release(r);", "return r.v;"]
        elif row.returns == "bool" and form == "function":
            body = [f"return {text} >= 0;"]
        elif row.returns == "none" or form != "function":
            body = [f"return {text};"]
        else:
            body = [f"ct_tensor *r = {text};", "ct_release(r);", "return r;"]
        return [f"static bool {name}(const struct inputs *in)", "{", "    (void)in;", *("    " + b for b in body), "}", ""]

    def emit(self):
        lines, table = ["/* Written by emit_alloc_calls.py. */", ""], []
        for row in self.rows:
            if row.name in TWO_WRITES:
                continue
            args = self.arguments(row)
            calls = [] if row.in_place_only else [("function", f"ct_own_{row.cname}({', '.join(args)})")]
            if "inplace" in row.forms:
                own = args[0].removeprefix("ct_value_tensor(").removesuffix(")")
                calls.append(("inplace", f"ct_own_{row.inplace_name}({', '.join([own, *args[1:]])})"))
            if "out" in row.forms:
                outs = [f"in->{o}" for o in OUTS.get(row.name, ["out0", "out1"][:max(1, len(row.results))])]
                calls.append(("out", f"ct_own_{row.cname}_out({', '.join([*outs, *args])})"))
            for form, text in calls:
                name = f"call_{row.cname}_{form}"
                lines += self.function(row, form, name, text)
                flags = {"function": "0", "inplace": "WRITES_X", "out": "NO_GRADIENTS"}[form]
                flags = "NEEDS_GRADIENTS" if row.name in NEEDS_GRAD else flags
                table.append(f'    {{"{row.name} {form}", {name}, {flags}}},')
        return "\n".join([*lines, "static const struct call calls[] = {", *table, "};", ""])


def main():
    tools, output, *tables = sys.argv[1:]
    sys.path.insert(0, tools)
    import rows
    from sequence import default_text
    Path(output).write_text(Calls(rows.load(tables), default_text).emit())


main()
