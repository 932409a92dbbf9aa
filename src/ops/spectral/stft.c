/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements stft and istft, declared in spectral.toml, by differentiable operations, with
 * PyTorch's checks and error messages. */
#include "core/dtype.h"
#include "core/hold.h"
#include "core/shape.h"
#include "fronts.h"
#include "inner.h"
#include "ops/front.h"

#include <stdio.h>
#include <string.h>

#define TEXT (2 * CTI_SHAPE_TEXT + 512)

/* The arguments that both share, with defaults filled in. */
struct frames {
    int64_t n_fft, hop, win;
    ct_tensor *window;
    bool normalized;
};

static struct frames read_frames(int64_t n_fft, int64_t hop, int64_t win, ct_tensor *window,
                                 bool normalized)
{
    int64_t quarter = n_fft / 4 - (n_fft % 4 < 0); /* rounded down */
    return (struct frames){n_fft, hop == CT_NO_DIM ? quarter : hop, win == CT_NO_DIM ? n_fft : win,
                           window, normalized};
}

static bool has_window(const struct frames *f)
{
    return f->window != CT_NO_TENSOR;
}

/* ---- error messages ---- */

static void add_tensor(char *text, size_t size, const ct_tensor *t, bool braces)
{
    char shape[CTI_SHAPE_TEXT];
    const char *name = cti_dtype_scalar_name(t->dtype);
    bool complex = t->dtype >= CT_COMPLEX64;
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s%s%s%s%s", complex ? "CPU" : "torch.", name,
             complex ? "Type" : "Tensor", braces ? "{" : "",
             cti_shape_text(shape, t->ndim, t->shape), braces ? "}" : "");
}

/* Begins "stft(torch.FloatTensor[80], n_fft=16, ..., window=None"; the caller appends more. */
static void begin_text(char text[TEXT], const char *name, const ct_tensor *t,
                       const struct frames *f)
{
    snprintf(text, TEXT, "%s(", name);
    add_tensor(text, TEXT, t, false);
    size_t used = strlen(text);
    snprintf(text + used, TEXT - used, ", n_fft=%lld, hop_length=%lld, win_length=%lld, window=%s",
             (long long)f->n_fft, (long long)f->hop, (long long)f->win,
             has_window(f) ? "" : "None");
    if (has_window(f))
        add_tensor(text, TEXT, f->window, true);
}

static void add_optional(char text[TEXT], const char *name, bool absent, int64_t value)
{
    size_t used = strlen(text);
    if (absent)
        snprintf(text + used, TEXT - used, ", %s=None", name);
    else
        snprintf(text + used, TEXT - used, ", %s=%lld", name, (long long)value);
}

/* ---- stft ---- */

/* Pads the signal by half a frame at both ends. h owns the result. */
static ct_tensor *centred(struct cti_hold *h, ct_tensor *t, int64_t n_fft, const char *mode)
{
    int64_t shape[CTI_MAX_DIMS], pad = n_fft / 2 - (n_fft % 2 < 0);
    int ndim = t->ndim, more = ndim < 3 ? 3 - ndim : 0;
    for (int d = 0; d < more + ndim; d++)
        shape[d] = d < more ? 1 : t->shape[d - more];
    ct_tensor *batched = cti_hold(h, ct_own_view(t, ct_ints_of(shape, more + ndim)));
    ct_tensor *padded = cti_hold(h, ct_own_pad(batched, CT_INTS(pad, pad), mode, CT_NO_NUMBER));
    if (!padded)
        return NULL;
    memcpy(shape, padded->shape + more, (size_t)ndim * sizeof *shape);
    return cti_hold(h, ct_own_view(padded, ct_ints_of(shape, ndim)));
}

/* Returns PyTorch's error message for the arguments and a signal of this length, or NULL if they
 * are valid. */
static const char *fault(const ct_tensor *t, int64_t length, const struct frames *f,
                         char text[TEXT])
{
    char shape[CTI_SHAPE_TEXT];
    if (t->dtype < CT_FLOAT16)
        return "expected a tensor of floating point or complex values";
    if (t->ndim < 1 || t->ndim > 2)
        return "expected a 1D or 2D tensor";
    if (f->n_fft <= 0 || f->n_fft > length)
        snprintf(text, TEXT, "expected 0 < n_fft < %lld, but got n_fft=%lld", (long long)length,
                 (long long)f->n_fft);
    else if (f->hop <= 0)
        snprintf(text, TEXT, "expected hop_length > 0, but got hop_length=%lld", (long long)f->hop);
    else if (f->win <= 0 || f->win > f->n_fft)
        snprintf(text, TEXT, "expected 0 < win_length <= n_fft, but got win_length=%lld",
                 (long long)f->win);
    else if (has_window(f) && (f->window->ndim != 1 || f->window->shape[0] != f->win))
        snprintf(
            text, TEXT,
            "expected a 1D window tensor of size equal to win_length=%lld, but got window with "
            "size %s",
            (long long)f->win, cti_shape_text(shape, f->window->ndim, f->window->shape));
    else
        return NULL;
    return text;
}

/* Pads the window to a frame; NULL while *good is true: all ones. h owns the result. */
static ct_tensor *padded_window(struct cti_hold *h, const struct frames *f, enum ct_dtype dtype,
                                struct ct_device device, bool *good)
{
    int64_t left = (f->n_fft - f->win) / 2;
    ct_tensor *window = has_window(f) ? f->window : NULL;
    *good = true;
    if (f->win == f->n_fft)
        return window;
    if (!window)
        window = cti_hold(h, ct_own_ones(ct_ints_of(&f->win, 1), dtype, device, false));
    window = cti_hold(h, ct_own_constant_pad_nd(window, CT_INTS(left, f->n_fft - f->win - left),
                                                ct_value_int(0)));
    *good = window;
    return window;
}

/* Returns the frames of a signal as rows, multiplied by the window. h owns the result. */
static ct_tensor *framed(struct cti_hold *h, ct_tensor *t, const struct frames *f)
{
    bool good;
    ct_tensor *window = padded_window(h, f, ct_dtype(t), t->storage->device, &good);
    ct_tensor *rows = good ? cti_hold(h, ct_own_unfold(t, 1, f->n_fft, f->hop)) : NULL;
    rows = window && rows ? cti_hold(h, ct_own_mul(V(rows), V(window))) : rows;
    if (rows && cti_dtype_compute(rows->dtype) != rows->dtype)
        return ct_fail(CT_ERR_NOT_IMPLEMENTED, "MKL FFT doesn't support tensors of type: %s",
                       cti_dtype_scalar_name(rows->dtype));
    return rows;
}

static ct_tensor *transformed(struct cti_hold *h, ct_tensor *t, const struct frames *f,
                              int onesided)
{
    ct_tensor *lines = t->ndim == 1 ? cti_hold(h, ct_own_unsqueeze(t, 0)) : t;
    ct_tensor *rows = lines ? framed(h, lines, f) : NULL;
    if (!rows)
        return NULL;
    bool complex = rows->dtype >= CT_COMPLEX64;
    if (complex && onesided > 0)
        return ct_fail(CT_ERR_RUNTIME, "Cannot have onesided output if window or input is complex");
    ct_tensor *out = complex ? ct_own_fft_c2c(rows, CT_INTS(2), f->normalized, true)
                             : ct_own_fft_r2c(rows, CT_INTS(2), f->normalized, onesided != 0);
    out = cti_hold(h, out);
    bool good =
        out && ct_own_transpose_(out, 1, 2); /* in place, so that the result is not a view */
    good = good && (t->ndim > 1 || ct_own_squeeze_(out, CT_INTS(0)));
    return good ? out : NULL;
}

/* Checks a call whose result is real. */
static bool check_real_result(int return_complex)
{
    if (return_complex < 0)
        return cti_refuse(
            CT_ERR_RUNTIME,
            "stft requires the return_complex parameter be given for real inputs, and "
            "will further require that return_complex=True in a future PyTorch "
            "release.");
    cti_warn("stft with return_complex=False is deprecated. In a future pytorch release, stft will "
             "return complex tensors for all inputs, and return_complex=False will raise an "
             "error.\nNote: you can still call torch.view_as_real on the complex output to recover "
             "the old return format.");
    return true;
}

ct_tensor *cti_op_stft(ct_tensor *input, int64_t n_fft, int64_t hop_length, int64_t win_length,
                       ct_tensor *window, bool center, const char *pad_mode, bool normalized,
                       int onesided, int return_complex, int align_to_window)
{
    struct cti_hold h = {0};
    struct frames f = read_frames(n_fft, hop_length, win_length, window, normalized);
    char text[TEXT], detail[TEXT];
    if (center && align_to_window >= 0)
        return ct_fail(CT_ERR_RUNTIME,
                       "stft align_to_window should only be set when center = false");
    ct_tensor *t = center ? centred(&h, input, n_fft, pad_mode) : input;
    if (!t)
        return cti_hold_end(&h, NULL);
    if (!has_window(&f))
        cti_warn("A window was not provided. A rectangular window will be applied,which is known "
                 "to cause spectral leakage. Other windows such as torch.hann_window or "
                 "torch.hamming_window are recommended to reduce spectral leakage.To suppress this "
                 "warning and use a rectangular window, explicitly set `window=torch.ones(n_fft, "
                 "device=<device>)`.");
    bool complex =
        input->dtype >= CT_COMPLEX64 || (has_window(&f) && window->dtype >= CT_COMPLEX64);
    bool as_complex = return_complex < 0 ? complex : return_complex;
    if (!as_complex && !check_real_result(return_complex))
        return cti_hold_end(&h, NULL);
    int64_t gap = align_to_window > 0 && n_fft > f.win && f.win > 0 ? n_fft - f.win : 0;
    int64_t length = t->ndim ? cti_add_sat(t->shape[t->ndim - 1], gap) : 0;
    const char *wrong = fault(t, length, &f, detail);
    if (wrong) {
        begin_text(text, "stft", t, &f);
        add_optional(text, "normalized", false, normalized);
        add_optional(text, "onesided", onesided < 0, onesided);
        add_optional(text, "return_complex", return_complex < 0, return_complex);
        add_optional(text, "align_to_window", align_to_window < 0, align_to_window);
        cti_hold_end(&h, NULL);
        return ct_fail(input->dtype < CT_FLOAT16 ? CT_ERR_NOT_IMPLEMENTED : CT_ERR_RUNTIME,
                       "%s) : %s", text, wrong);
    }
    if (gap)
        t = cti_hold(&h,
                     ct_own_constant_pad_nd(t, CT_INTS(gap / 2, gap - gap / 2), ct_value_int(0)));
    ct_tensor *out = t ? transformed(&h, t, &f, onesided) : NULL;
    if (!as_complex)
        out = cti_hold(&h, ct_own_view_as_real(out));
    return cti_hold_end(&h, out);
}

/* ---- istft ---- */

static const char *inverse_fault(const ct_tensor *t, const struct frames *f, bool onesided,
                                 char text[TEXT])
{
    long long size = t->shape[t->ndim - 2];
    if (t->numel == 0)
        return ": input tensor cannot be empty.";
    if (t->ndim != 2 && t->ndim != 3) {
        snprintf(text, TEXT, ": expected a tensor with 3 or 4 dimensions, but got %d", t->ndim + 1);
        return text;
    }
    if (onesided ? f->n_fft / 2 + 1 != size : f->n_fft != size) {
        snprintf(
            text, TEXT,
            ": expected the frequency dimension (3rd to the last) of the input tensor to match "
            "%s, but got %lld",
            onesided ? "n_fft / 2 + 1 when onesided=True" : "n_fft when onesided=False", size);
        return text;
    }
    if (f->hop <= 0 || f->hop > f->win)
        return ": expected 0 < hop_length <= win_length";
    if (f->win <= 0 || f->win > f->n_fft)
        return ": expected 0 < win_length <= n_fft";
    if (has_window(f) && (f->window->ndim != 1 || f->window->shape[0] != f->win))
        return ": Invalid window shape. window has to be 1D and length of `win_length`";
    return NULL;
}

/* Computes the inverse transforms of the frames: [signals, frames, n_fft]. h owns the result. */
static ct_tensor *frames_back(struct cti_hold *h, ct_tensor *input, const struct frames *f,
                              bool onesided, bool as_complex)
{
    ct_tensor *t = input->ndim == 2 ? cti_hold(h, ct_own_unsqueeze(input, 0)) : input;
    t = cti_hold(h, ct_own_transpose(t, 1, 2));
    int64_t norm = f->normalized ? 1 : 2;
    if (as_complex && onesided)
        return ct_fail(CT_ERR_RUNTIME, "Cannot have onesided output if window or input is complex");
    if (as_complex)
        return cti_hold(h, ct_own_fft_c2c(t, CT_INTS(2), norm, false));
    if (has_window(f) && f->window->dtype >= CT_COMPLEX64)
        return ct_fail(CT_ERR_RUNTIME,
                       "Complex windows are incompatible with return_complex=False");
    if (!onesided)
        t = cti_hold(h, ct_own_slice(t, -1, 0, f->n_fft / 2 + 1, 1));
    return cti_hold(h, ct_own_fft_c2r(t, CT_INTS(2), norm, f->n_fft));
}

/* Sums the overlapping frames and crops the signal to samples [start, end). h owns the result. */
static ct_tensor *added(struct cti_hold *h, ct_tensor *rows, const struct frames *f, int64_t length,
                        int64_t start, int64_t end)
{
    ct_ints sizes = CT_INTS(rows ? rows->shape[0] : 0, length);
    ct_tensor *line = cti_hold(h, ct_own_unfold_backward(rows, sizes, 1, f->n_fft, f->hop));
    return cti_hold(h, ct_own_slice(line, 1, start, end, 1));
}

/* Returns 1 if the envelope is zero at some sample, 0 if not, -1 on failure. Reads from the
 * device. */
static int leaves_out(struct cti_hold *h, ct_tensor *envelope)
{
    ct_tensor *least = cti_hold(h, ct_own_min(cti_hold(h, ct_own_abs(envelope))));
    return ct_own_is_nonzero(cti_hold(h, ct_own_lt(V(least), ct_value_float(1e-11))));
}

/* The signal: overlapped frames times the window, divided by the overlapped squares of the window.
 * *low: see leaves_out. */
static ct_tensor *signal_of(struct cti_hold *h, ct_tensor *input, ct_tensor *rows,
                            const struct frames *f, int64_t length, int64_t start, int64_t end,
                            int *low)
{
    bool good;
    enum ct_dtype real = input->dtype == CT_COMPLEX64 ? CT_FLOAT32 : CT_FLOAT64;
    ct_tensor *window = padded_window(h, f, real, input->storage->device, &good);
    if (good && !window)
        window =
            cti_hold(h, ct_own_ones(ct_ints_of(&f->n_fft, 1), real, input->storage->device, false));
    ct_tensor *windowed = cti_hold(h, ct_own_mul(V(rows), V(window)));
    ct_tensor *y = added(h, windowed, f, length, start, end);
    ct_tensor *squares = cti_hold(h, ct_own_pow(V(window), ct_value_int(2)));
    ct_tensor *all =
        cti_hold(h, ct_own_expand(squares, CT_INTS(1, rows->shape[1], f->n_fft), false));
    ct_tensor *envelope = added(h, all, f, length, start, end);
    *low = y && envelope ? leaves_out(h, envelope) : -1;
    return *low == 0 ? cti_hold(h, ct_own_div(V(y), V(envelope), NULL)) : NULL;
}

static ct_tensor *inverse_fail(struct cti_hold *h, const char *text, const char *wrong)
{
    cti_hold_end(h, NULL);
    return ct_fail(CT_ERR_RUNTIME, "%s) %s", text, wrong);
}

ct_tensor *cti_op_istft(ct_tensor *input, int64_t n_fft, int64_t hop_length, int64_t win_length,
                        ct_tensor *window, bool center, bool normalized, int onesided,
                        int64_t length, bool return_complex)
{
    struct cti_hold h = {0};
    struct frames f = read_frames(n_fft, hop_length, win_length, window, normalized);
    char text[TEXT], detail[TEXT];
    if (!has_window(&f))
        cti_warn("A window was not provided. A rectangular window will be applied.Please provide "
                 "the same window used by stft to make the inversion lossless.To suppress this "
                 "warning and use a rectangular window, explicitly set `window=torch.ones(n_fft, "
                 "device=<device>)`.");
    if (input->dtype < CT_COMPLEX64)
        return ct_fail(CT_ERR_TYPE, "istft requires a complex-valued input tensor matching the "
                                    "output from stft with return_complex=True.");
    if (input->ndim < 2)
        return ct_fail(CT_ERR_INDEX,
                       "Dimension out of range (expected to be in range of [%d, %d], but got %d)",
                       -input->ndim - 1, input->ndim, input->ndim ? -3 : -2);
    int64_t frames = input->shape[input->ndim - 1], size = input->shape[input->ndim - 2];
    bool half = onesided < 0 ? size != n_fft : onesided;
    begin_text(text, "istft", input, &f);
    add_optional(text, "center", false, center);
    add_optional(text, "normalized", false, normalized);
    add_optional(text, "onesided", onesided < 0, onesided);
    add_optional(text, "length", length == CT_NO_DIM, length);
    add_optional(text, "return_complex", false, return_complex);
    const char *wrong = inverse_fault(input, &f, half, detail);
    if (wrong)
        return inverse_fail(&h, text, wrong);
    int64_t whole = cti_add_sat(n_fft, cti_mul_sat(f.hop, frames - 1)),
            start = center ? n_fft / 2 : 0;
    int64_t end = length != CT_NO_DIM ? cti_add_sat(start, length)
                  : center            ? whole - n_fft / 2
                                      : whole;
    ct_tensor *rows = frames_back(&h, input, &f, half, return_complex);
    int low = -1;
    ct_tensor *y = rows ? signal_of(&h, input, rows, &f, whole, start, end, &low) : NULL;
    if (low > 0)
        return inverse_fail(&h, text, "window overlap add min: 1\n[ CPUBoolType{} ]");
    if (y && input->ndim == 2)
        y = cti_hold(&h, ct_own_squeeze(y, CT_INTS(0)));
    if (y && end > whole) {
        cti_warn(
            "The length of signal is shorter than the length parameter. Result is being padded "
            "with zeros in the tail. Please check your center and hop_length settings.");
        y = cti_hold(&h, ct_own_constant_pad_nd(y, CT_INTS(0, end - whole), ct_value_int(0)));
    }
    return cti_hold_end(&h, y);
}
