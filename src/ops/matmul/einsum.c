/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements einsum: each operand is permuted to one common order with a dim per label of the
 * equation, and pairs of operands are contracted by batched matrix products. Composed of
 * differentiable operations. */
#include "ops/matmul/einsum.h"

#include "core/alloc.h"
#include "fronts.h"

#include <string.h>

/* ---- operands in the common order ---- */

/* The sizes found so far, of labels and of the dims of an ellipsis. */
struct sizes {
    int64_t label[CTI_EQUATION_LABELS], ellipsis[CTI_MAX_DIMS];
    int64_t users[CTI_MAX_DIMS]; /* for each position, the number of operands whose size is not 1 */
};

static bool check_label(struct sizes *s, const struct cti_equation *e, int label, int64_t size,
                        int64_t op)
{
    if (size == 1)
        return true;
    if (s->label[label] != 1 && s->label[label] != size)
        return ct_fail(CT_ERR_RUNTIME,
                       "einsum(): subscript %c has size %lld for operand %lld which does not "
                       "broadcast with previously seen size %lld",
                       cti_equation_letter(label), (long long)size, (long long)op,
                       (long long)s->label[label]);
    s->label[label] = size;
    s->users[e->position[label]]++;
    return true;
}

static bool check_ellipsis(struct sizes *s, const struct cti_equation *e, int64_t k, int64_t size,
                           int64_t dim, int64_t op)
{
    if (size == 1)
        return true;
    if (s->ellipsis[k] != 1 && s->ellipsis[k] != size)
        return ct_fail(CT_ERR_RUNTIME,
                       "einsum(): dimension %lld covered by ellipsis in operand %lldhas size %lld "
                       "which does not broadcast with previously seen ellipsis with size %lld for "
                       "the respective dimension",
                       (long long)dim, (long long)op, (long long)size, (long long)s->ellipsis[k]);
    s->ellipsis[k] = size;
    s->users[e->ellipsis_position + k]++;
    return true;
}

/* For a label that an operand repeats: takes the diagonal and puts it at the first occurrence. */
static bool take_diagonal(ct_tensor **t, int64_t first, int64_t second, int label, int64_t op)
{
    if ((*t)->shape[second] != (*t)->shape[first])
        return ct_fail(CT_ERR_RUNTIME,
                       "einsum(): subscript %c is repeated for operand %lld but the sizes don't "
                       "match, %lld != %lld",
                       cti_equation_letter(label), (long long)op, (long long)(*t)->shape[second],
                       (long long)(*t)->shape[first]);
    ct_tensor *diagonal = ct_own_diagonal(*t, 0, first, second);
    ct_tensor *moved =
        ct_own_movedim(diagonal, ct_ints_of((int64_t[]){-1}, 1), ct_ints_of(&first, 1));
    cti_release_all(diagonal, *t);
    *t = moved;
    return moved != NULL;
}

/* Maps the operand's dims to positions; repeated labels are merged, which replaces *t. */
static bool locate_dims(const struct cti_equation *e, struct sizes *s, int64_t op, ct_tensor **t,
                        int64_t *order, int64_t *ndim)
{
    int64_t dim = 0, n = e->start[op + 1] - e->start[op], covered = (*t)->ndim - (n - 1);
    for (int64_t i = e->start[op]; i < e->start[op + 1]; i++) {
        int label = e->labels[i];
        if (label == CTI_EQUATION_ELLIPSIS) {
            for (int64_t k = e->ellipsis_dims - covered; k < e->ellipsis_dims; k++, dim++) {
                if (!check_ellipsis(s, e, k, (*t)->shape[dim], dim, op))
                    return false;
                order[e->ellipsis_position + k] = dim;
            }
        } else if (order[e->position[label]] < 0) {
            if (!check_label(s, e, label, (*t)->shape[dim], op))
                return false;
            order[e->position[label]] = dim++;
        } else if (!take_diagonal(t, order[e->position[label]], dim, label, op)) {
            return false;
        }
    }
    *ndim = dim;
    return true;
}

/* Returns the operand in the common order, with a dim for every position. The caller owns the
 * result. */
static ct_tensor *align(const struct cti_equation *e, struct sizes *s, int64_t op,
                        ct_tensor *operand)
{
    int64_t order[CTI_MAX_DIMS], ndim;
    memset(order, -1, sizeof order);
    ct_tensor *t = ct_retain(operand);
    bool good = locate_dims(e, s, op, &t, order, &ndim);
    for (int64_t position = 0; position < e->ndim && good; position++)
        if (order[position] < 0) {
            t = cti_replace_take(t, ct_own_unsqueeze(t, ndim));
            good = t != NULL;
            order[position] = ndim++;
        }
    return cti_replace_take(t, good ? ct_own_permute(t, ct_ints_of(order, e->ndim)) : NULL);
}

/* ---- contraction of two ---- */

/* Dims by their role: in both operands, in only one, or summed. */
struct kinds {
    int64_t both[CTI_MAX_DIMS], left[CTI_MAX_DIMS], right[CTI_MAX_DIMS];
    int nboth, nleft, nright;
    int64_t size_both, size_left, size_right, size_sum;
};

static void sort_dims(struct kinds *k, const ct_tensor *a, const ct_tensor *b, uint64_t summed)
{
    *k = (struct kinds){.size_both = 1, .size_left = 1, .size_right = 1, .size_sum = 1};
    for (int d = 0; d < a->ndim; d++) {
        int64_t sa = a->shape[d], sb = b->shape[d];
        if (summed >> d & 1) {
            k->size_sum *= sa;
        } else if (sa != 1 && sb != 1) {
            k->both[k->nboth++] = d;
            k->size_both *= sa;
        } else if (sa != 1) {
            k->left[k->nleft++] = d;
            k->size_left *= sa;
        } else {
            k->right[k->nright++] = d;
            k->size_right *= sb;
        }
    }
}

static int append(int64_t *to, int at, const int64_t *dims, int n)
{
    memcpy(to + at, dims, sizeof *dims * (size_t)n);
    return at + n;
}

/* Returns t permuted to `order` and reshaped to a batch of matrices. */
static ct_tensor *as_batch(ct_tensor *t, const int64_t *order, int64_t batch, int64_t rows,
                           int64_t cols)
{
    ct_tensor *permuted = ct_own_permute(t, ct_ints_of(order, t->ndim));
    ct_tensor *flat = ct_own_reshape(permuted, ct_ints_of((int64_t[]){batch, rows, cols}, 3));
    ct_release(permuted);
    return flat;
}

/* Multiplies a and b and sums over `sums` (where both operands have the full size), keeping these
 * dims. If all dims that only b has come before those that only a has in the result, the operands
 * are swapped, so that the product already has the result's layout. */
static ct_tensor *contract(ct_tensor *a, ct_tensor *b, const int64_t *sums, int nsums)
{
    if (!nsums)
        return ct_own_mul(V(a), V(b));
    uint64_t summed = 0;
    for (int i = 0; i < nsums; i++)
        summed |= UINT64_C(1) << sums[i];
    struct kinds k;
    sort_dims(&k, a, b, summed);
    if (k.nleft && k.nright && k.right[k.nright - 1] < k.left[0]) {
        ct_tensor *other = a;
        a = b;
        b = other;
        struct kinds swapped = k;
        memcpy(k.left, swapped.right, sizeof k.left);
        memcpy(k.right, swapped.left, sizeof k.right);
        k.nleft = swapped.nright;
        k.nright = swapped.nleft;
        k.size_left = swapped.size_right;
        k.size_right = swapped.size_left;
    }
    int64_t order[CTI_MAX_DIMS], shape[CTI_MAX_DIMS], back[CTI_MAX_DIMS];
    int n = append(order, 0, k.both, k.nboth);
    n = append(order, n, sums, nsums);
    n = append(order, n, k.right, k.nright);
    append(order, n, k.left, k.nleft);
    ct_tensor *right = as_batch(b, order, k.size_both, k.size_sum, k.size_right);
    n = append(order, 0, k.both, k.nboth);
    n = append(order, n, k.left, k.nleft);
    n = append(order, n, sums, nsums);
    n = append(order, n, k.right, k.nright);
    ct_tensor *left = as_batch(a, order, k.size_both, k.size_left, k.size_sum);
    ct_tensor *flat = ct_own_bmm(left, right);
    for (int i = 0; i < n; i++) {
        int64_t dim = order[i];
        shape[i] = summed >> dim & 1 ? 1 : a->shape[dim] != 1 ? a->shape[dim] : b->shape[dim];
        back[dim] = i;
    }
    ct_tensor *unflattened = ct_own_view(flat, ct_ints_of(shape, n));
    ct_tensor *result = ct_own_permute(unflattened, ct_ints_of(back, n));
    cti_release_all(left, right, flat, unflattened);
    return result;
}

/* Sums t over some dims, which are kept. The caller owns the result. */
static ct_tensor *summed_over(ct_tensor *t, const int64_t *dims, int n)
{
    return n ? ct_own_sum(t, ct_ints_of(dims, n), true, CT_NO_DTYPE) : ct_retain(t);
}

/* Contracts a and b over the dims that no other operand uses. */
static ct_tensor *contract_pair(const struct cti_equation *e, struct sizes *s, ct_tensor *a,
                                ct_tensor *b)
{
    int64_t sums[CTI_MAX_DIMS], alone[2][CTI_MAX_DIMS];
    int nsums = 0, nalone[2] = {0, 0};
    for (int64_t d = e->ndim_out; d < e->ndim; d++) {
        if (a->shape[d] != 1 && b->shape[d] != 1) {
            if (--s->users[d] == 1) {
                sums[nsums++] = d;
                s->users[d] = 0;
            }
        } else if (s->users[d] == 1 && (a->shape[d] != 1 || b->shape[d] != 1)) {
            int which = a->shape[d] == 1;
            alone[which][nalone[which]++] = d;
            s->users[d] = 0;
        }
    }
    ct_tensor *left = summed_over(a, alone[0], nalone[0]);
    ct_tensor *right = summed_over(b, alone[1], nalone[1]);
    ct_tensor *result = left && right ? contract(left, right, sums, nsums) : NULL;
    cti_release_all(left, right);
    return result;
}

/* ---- the operation ---- */

/* Chooses the next two of n operands: the first two, or those that the path gives. */
static bool next_pair(ct_ints path, int64_t step, int64_t n, int64_t *i, int64_t *j)
{
    *i = 0;
    *j = 1;
    if (!path.v)
        return true;
    int64_t first = path.v[2 * step], second = path.v[2 * step + 1];
    *i = first < second ? first : second;
    *j = first < second ? second : first;
    if (*i != *j && *i >= 0 && *j < n)
        return true;
    return ct_fail(
        CT_ERR_RUNTIME, "einsum(): invalid contraction (%lld, %lld%s", (long long)*i, (long long)*j,
        *i == *j ? ") cannot contract an operand with itself" : ") operand index is out of bounds");
}

/* Contracts the operands in the list, which owns them and shrinks, into one. */
static bool contract_all(const struct cti_equation *e, struct sizes *s, ct_tensor **list,
                         ct_ints path)
{
    int64_t n = e->nops, i, j;
    for (int64_t step = 0; n > 1; step++) {
        if (!next_pair(path, step, n, &i, &j))
            return false;
        ct_tensor *both = contract_pair(e, s, list[i], list[j]);
        if (!both)
            return false;
        cti_release_all(list[i], list[j]);
        memmove(list + j, list + j + 1, sizeof *list * (size_t)(n - j - 1));
        memmove(list + i, list + i + 1, sizeof *list * (size_t)(n - i - 2));
        n -= 2;
        if (!path.v)
            memmove(list + 1, list, sizeof *list * (size_t)n);
        list[path.v ? n : 0] = both;
        list[++n] = NULL;
    }
    return true;
}

/* Drops the summed dims; a single operand still has to be summed. */
static ct_tensor *einsum_finish(const struct cti_equation *e, ct_tensor *t)
{
    int64_t dims[CTI_MAX_DIMS], n = e->ndim - e->ndim_out;
    if (!n)
        return ct_retain(t);
    if (e->nops > 1)
        return ct_own_view(t, ct_ints_of(t->shape, e->ndim_out));
    for (int64_t i = 0; i < n; i++)
        dims[i] = e->ndim_out + i;
    return ct_own_sum(t, ct_ints_of(dims, n), false, CT_NO_DTYPE);
}

static ct_tensor *evaluate(struct cti_equation *e, ct_list operands, ct_tensor **list, ct_ints path)
{
    struct sizes s = {.users = {0}};
    for (int label = 0; label < CTI_EQUATION_LABELS; label++)
        s.label[label] = 1;
    for (int k = 0; k < CTI_MAX_DIMS; k++)
        s.ellipsis[k] = 1;
    for (int64_t i = 0; i < e->nops; i++)
        if (!(list[i] = align(e, &s, i, operands.v[i])))
            return NULL;
    return contract_all(e, &s, list, path) ? einsum_finish(e, list[0]) : NULL;
}

ct_tensor *cti_op_einsum(const char *equation, ct_list tensors, ct_ints path)
{
    int64_t n = tensors.n, steps = n == 1 ? 1 : 2 * (n - 1);
    if (!n)
        return ct_fail(CT_ERR_RUNTIME, "einsum(): must provide at least one operand");
    if (path.v && path.n != steps)
        return ct_fail(CT_ERR_RUNTIME,
                       "einsum(): expected contraction path given in path parameter to have size "
                       "%lld but got %lld",
                       (long long)steps, (long long)path.n);
    struct cti_equation e = {.labels = cti_malloc(strlen(equation) + 1),
                             .start = cti_malloc(sizeof *e.start * (size_t)(n + 1)),
                             .nops = n};
    ct_tensor **list = cti_calloc((size_t)n + 1, sizeof *list), *result = NULL;
    if (e.labels && e.start && list && cti_equation_read(&e, equation, tensors))
        result = evaluate(&e, tensors, list, path);
    for (int64_t i = 0; list && i < n; i++)
        ct_release(list[i]);
    cti_free(list);
    cti_free(e.labels);
    cti_free(e.start);
    return result;
}
