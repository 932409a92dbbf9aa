/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcasting and views: a column against a row makes a table, and views of the table share its
 * memory. */
#include <corten.h>
#include <stdio.h>

int main(void)
{
    ct_tensor *digits = ct_arange(10, .start = 1);
    ct_tensor *column = ct_view(digits, CT_SHAPE(9, 1));
    ct_tensor *table = ct_mul(column, digits); /* (9, 1) times (9) is (9, 9) */
    ct_print(table);

    /* Every other row, every third column: a view with other sizes and strides, not a copy. */
    ct_tensor *corner = ct_at(table, "::2, 1::3");
    printf("corner %s, strides %s\n", ct_shape_str(corner), ct_stride_str(corner));
    ct_fill_(corner, 0);
    ct_print(ct_at(table, ":3"));
    printf("%lld zeros\n", (long long)ct_item_i64(ct_sum(ct_eq(table, 0))));

    /* Numbers mix with tensors, and types are promoted as in Python. */
    ct_tensor *celsius = ct_tensor_of(float, CT_SHAPE(4), -40, 0, 20, 37);
    ct_print(ct_add(ct_mul(celsius, 1.8), 32));
    return ct_error() != NULL;
}
