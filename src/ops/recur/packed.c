/* SPDX-License-Identifier: BSD-3-Clause */
/* pack_padded_sequence and its inverse. Packed data holds the rows of all steps one after the
 * other, without padding. Runs of steps with the same sequences are copied at once, by recorded
 * operations.
 */
#include "ops/recur/packed.h"
#include "core/alloc.h"
#include "fronts.h"
#include "ops/front.h"

static ct_list pair_take(ct_tensor *a, ct_tensor *b)
{
    ct_tensor **v = a && b ? cti_calloc(2, sizeof *v) : NULL;
    if (!v) {
        cti_release_all(a, b);
        return CT_NO_LIST;
    }
    v[0] = a;
    v[1] = b;
    return ct_list_of(v, 2);
}

static bool packed_check_lengths(const ct_tensor *input, ct_tensor *lengths, bool batch_first)
{
    int64_t batch = input->ndim > 1 ? input->shape[!batch_first] : 0;
    const int64_t *n = (const int64_t *)cti_data(lengths);
    if (lengths->shape[0] != batch || !batch)
        return cti_refuse(CT_ERR_RUNTIME,
                          "Expected `len(lengths)` to be equal to batch_size, but got %lld "
                          "(batch_size=%lld)",
                          (long long)lengths->shape[0], (long long)batch);
    if (n[batch - 1] <= 0)
        return cti_refuse(CT_ERR_RUNTIME,
                          "Length of all samples has to be greater than 0, but found "
                          "an element in 'lengths' that is <= 0");
    for (int64_t i = 0; i + 1 < batch; i++)
        if (n[i] < n[i + 1])
            return cti_refuse(
                CT_ERR_RUNTIME,
                "`lengths` array must be sorted in decreasing order when "
                "`enforce_sorted` is True. You can pass `enforce_sorted=False` to "
                "pack_padded_sequence and/or pack_sequence to sidestep this requirement "
                "if you do not need ONNX exportability.");
    if (n[0] > input->shape[batch_first])
        return cti_refuse(CT_ERR_RUNTIME,
                          "start (0) + length (%lld) exceeds dimension size (%lld).",
                          (long long)n[0], (long long)input->shape[batch_first]);
    return true;
}

/* Returns steps [from, to) of the first `batch` sequences of x, whose first dim is the step, as
 * rows. The caller owns the result. */
static ct_tensor *packed_rows(ct_tensor *x, int64_t from, int64_t to, int64_t batch)
{
    int64_t shape[CTI_MAX_DIMS];
    ct_tensor *steps = ct_own_narrow(x, 0, from, to - from),
              *some = ct_own_narrow(steps, 1, 0, batch);
    shape[0] = (to - from) * batch;
    for (int d = 2; d < x->ndim; d++)
        shape[d - 1] = x->shape[d];
    ct_tensor *out = ct_own_reshape(some, ct_ints_of(shape, x->ndim - 1));
    cti_release_all(steps, some);
    return out;
}

static ct_tensor *pack(ct_tensor *x, const int64_t *lengths, int64_t batch, int64_t *sizes)
{
    ct_tensor **parts = cti_calloc((size_t)batch, sizeof *parts), *out = NULL;
    int64_t n = 0, done = 0;
    bool good = parts != NULL;
    for (int64_t b = batch; good && b > 0; b--) {
        if (lengths[b - 1] == done)
            continue;
        for (int64_t t = done; t < lengths[b - 1]; t++)
            sizes[t] = b;
        parts[n] = packed_rows(x, done, lengths[b - 1], b);
        good = parts[n++] != NULL;
        done = lengths[b - 1];
    }
    if (good)
        out = ct_own_cat(ct_list_of(parts, n), 0);
    for (int64_t i = 0; i < n; i++)
        ct_release(parts[i]);
    cti_free(parts);
    return out;
}

ct_list cti_op__pack_padded_sequence(ct_tensor *input, ct_tensor *lengths, bool batch_first)
{
    if (input->numel == 0)
        return cti_no_list(ct_fail(CT_ERR_RUNTIME, "Cannot pack empty tensors."));
    if (lengths->dtype != CT_INT64 || lengths->ndim != 1 || lengths->storage->device.type != CT_CPU)
        return cti_no_list(
            ct_fail(CT_ERR_RUNTIME,
                    "'lengths' argument should be a 1D CPU int64 tensor, but got %dD tensor",
                    lengths->ndim));
    ct_tensor *n = cti_contiguous(lengths), *x = NULL, *sizes = NULL, *data = NULL;
    if (n && packed_check_lengths(input, n, batch_first)) {
        const int64_t *v = (const int64_t *)cti_data(n);
        x = batch_first ? ct_own_transpose(input, 0, 1) : ct_retain(input);
        sizes = cti_empty(1, v, CT_INT64, n->storage->device);
        if (x && sizes)
            data = pack(x, v, n->shape[0], (int64_t *)cti_data(sizes));
    }
    cti_release_all(n, x);
    return pair_take(data, sizes);
}

/* ---- unpacking ---- */

/* Copies packed rows to their steps of out (steps first) and fills in the sequences' lengths. */
static bool unpack(ct_tensor *out, ct_tensor *data, ct_ints sizes, int64_t *lengths)
{
    bool good = true;
    for (int64_t t = 0, row = 0, end; good && t < sizes.n; t = end) {
        int64_t batch = sizes.v[t], shape[CTI_MAX_DIMS];
        for (end = t; end < sizes.n && sizes.v[end] == batch; end++)
            ;
        int64_t rows = (end - t) * batch, next = end < sizes.n ? sizes.v[end] : 0;
        for (int64_t b = next; b < batch; b++)
            lengths[b] = end;
        shape[0] = end - t;
        shape[1] = batch;
        for (int d = 1; d < data->ndim; d++)
            shape[d + 1] = data->shape[d];
        ct_tensor *from = ct_own_narrow(data, 0, row, rows);
        from = cti_replace_take(from, ct_own_view(from, ct_ints_of(shape, data->ndim + 1)));
        ct_tensor *to = ct_own_narrow(out, 0, t, end - t);
        to = cti_replace_take(to, ct_own_narrow(to, 1, 0, batch));
        good = from && to && ct_own_copy_(to, from, false);
        row += rows;
        cti_release_all(from, to);
    }
    return good;
}

ct_list cti_op__pad_packed_sequence(ct_tensor *data, ct_tensor *batch_sizes, bool batch_first,
                                    ct_value padding_value, int64_t total_length)
{
    ct_ints sizes;
    int64_t shape[CTI_MAX_DIMS];
    if (!cti_check_batch_sizes(data, batch_sizes, &sizes))
        return CT_NO_LIST;
    if (total_length > 0 && total_length < sizes.n)
        return cti_no_list(ct_fail(
            CT_ERR_RUNTIME,
            "Expected total_length to be at least the length of the longest sequence in input, "
            "but got total_length=%lld and max sequence length being %lld",
            (long long)total_length, (long long)sizes.n));
    shape[0] = total_length > 0 ? total_length : sizes.n;
    shape[1] = sizes.v[0];
    for (int d = 1; d < data->ndim; d++)
        shape[d + 1] = data->shape[d];
    ct_tensor *out = ct_own_full(ct_ints_of(shape, data->ndim + 1), padding_value, data->dtype,
                                 data->storage->device, false);
    ct_tensor *lengths = cti_empty(1, shape + 1, CT_INT64, batch_sizes->storage->device);
    if (!out || !lengths || !unpack(out, data, sizes, (int64_t *)cti_data(lengths)))
        out = cti_replace_take(out, NULL);
    if (out && batch_first)
        out = cti_replace_take(out, ct_own_transpose(out, 0, 1));
    return pair_take(out, lengths);
}
