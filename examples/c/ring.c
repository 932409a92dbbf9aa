/* SPDX-License-Identifier: BSD-3-Clause */
/* Several processes, one sum:
 *     python -m corten.distributed.run --nproc_per_node=4 --no_python ./ring
 * Each process has its own tensor; after ct_dist_all_reduce all have the sum. */
#include <corten.h>
#include <corten/dist.h>

int main(void)
{
    ct_group *world = ct_group_from_env("gloo");
    if (!world) {
        fprintf(stderr, "%s\n", ct_error());
        return 1;
    }
    ct_tensor *x = ct_mul(ct_ones(CT_SHAPE(3)), ct_group_rank(world) + 1.);
    bool good = ct_wait(ct_dist_all_reduce(world, x, CT_REDUCE_SUM));
    if (good && ct_group_rank(world) == 0)
        ct_print(x);
    if (!good)
        fprintf(stderr, "%s\n", ct_error());
    ct_group_close(world);
    return !good;
}
