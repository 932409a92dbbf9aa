/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds one-element tensors N times: one_add N. instructions.py counts its instructions under
 * callgrind for two values of N, whose difference is the cost of the calls. */
#include <corten.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 1;
    ct_tensor *x = ct_ones(CT_SHAPE(1)), *y = ct_ones(CT_SHAPE(1));
    for (long i = 0; i < n; i++) {
        ct_scope s = ct_scope_begin();
        ct_add(x, y);
        ct_scope_end(s);
    }
    return ct_error() != NULL;
}
