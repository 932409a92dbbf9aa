/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits a line to the data of 30 people: age in years, systolic blood pressure in mm Hg. The
 * least-squares slope is cov(age, pressure) / var(age), three sums over views of one table. */
#include <corten.h>
#include <stdio.h>

static ct_tensor *read_people(void)
{
    return ct_tensor_of(double, CT_SHAPE(-1, 2), 39, 144, 47, 220, 45, 138, 47, 145, 65, 162, 46,
                        142, 67, 170, 42, 124, 67, 158, 56, 154, 64, 162, 56, 150, 59, 140, 34, 110,
                        42, 128, 48, 130, 45, 135, 17, 114, 20, 116, 19, 124, 36, 136, 50, 142, 39,
                        120, 21, 120, 44, 160, 53, 158, 63, 144, 29, 130, 25, 125, 69, 175);
}

int main(void)
{
    ct_tensor *people = read_people();
    ct_tensor *age = ct_at(people, ":, 0"), *pressure = ct_at(people, ":, 1");

    ct_tensor *from_mean = ct_sub(age, ct_mean(age));
    ct_tensor *slope = ct_div(ct_sum(ct_mul(from_mean, ct_sub(pressure, ct_mean(pressure)))),
                              ct_sum(ct_mul(from_mean, from_mean)));
    ct_tensor *start = ct_sub(ct_mean(pressure), ct_mul(slope, ct_mean(age)));
    ct_tensor *rest = ct_sub(pressure, ct_add(start, ct_mul(slope, age)));

    /* One check after the chain: calls pass NULL on, and the first error message is kept.
     */
    if (!rest) {
        fprintf(stderr, "%s: %s\n", ct_error_class(), ct_error());
        return 1;
    }
    printf("%s people\n", ct_shape_str(age));
    printf("pressure = %.3f * age + %.2f\n", ct_item(slope), ct_item(start));
    printf("mean square error %.2f\n", ct_item(ct_mean(ct_mul(rest, rest))));
    return ct_error() != NULL;
}
