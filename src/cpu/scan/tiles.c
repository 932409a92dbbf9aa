/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops of tiles.h, compiled once for each instruction set. The elements of a row are
 * independent additions, so the vector width changes no bits. */
#include "cpu/scan/tiles.h"

#include "corten/base.h"
#include "cpu/isa.h"
#include "cpu/pointwise/loop.h"

#include <string.h>

#define NEAR 1024 /* bytes between rows that are likely in L1 */

#define T uint8_t
#define A uint32_t
#define NAME(x) x##_u8
#include "cpu/scan/tiles_typed.h"

#define T uint16_t
#define A uint32_t
#define NAME(x) x##_u16
#include "cpu/scan/tiles_typed.h"

#define T uint32_t
#define A uint32_t
#define NAME(x) x##_u32
#include "cpu/scan/tiles_typed.h"

#define T uint64_t
#define A uint64_t
#define NAME(x) x##_u64
#include "cpu/scan/tiles_typed.h"

#define T float
#define A double
#define NAME(x) x##_f32
#include "cpu/scan/tiles_typed.h"

#define T double
#define A double
#define NAME(x) x##_f64
#include "cpu/scan/tiles_typed.h"

#define TABLE CTI_ISA_NAME(cti_scan_table)
extern const struct cti_scan_tiles TABLE[CT_DTYPE_COUNT];
const struct cti_scan_tiles TABLE[CT_DTYPE_COUNT] = {
    [CT_BOOL] = {tile_u8, total_u8},      [CT_UINT8] = {tile_u8, total_u8},
    [CT_INT8] = {tile_u8, total_u8},      [CT_INT16] = {tile_u16, total_u16},
    [CT_INT32] = {tile_u32, total_u32},   [CT_INT64] = {tile_u64, total_u64},
    [CT_UINT16] = {tile_u16, total_u16},  [CT_UINT32] = {tile_u32, total_u32},
    [CT_UINT64] = {tile_u64, total_u64},  [CT_FLOAT32] = {tile_f32, total_f32},
    [CT_FLOAT64] = {tile_f64, total_f64},
};
