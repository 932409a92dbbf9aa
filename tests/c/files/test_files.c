/* SPDX-License-Identifier: BSD-3-Clause */
/* Files from C: round trips in every format, damaged bytes, and each call with its first, second,
 * third ... allocation failing, which must give an error, leak nothing and keep the old file. */
#include "../check.h"

#include <corten.h>
#include <corten/archive.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static ct_dict sample(void)
{
    static ct_named v[2];
    v[0] = (ct_named){"w", ct_t(ct_view(ct_arange(6.), CT_SHAPE(2, 3)))};
    v[1] = (ct_named){"b.\xc3\xa4", ct_tensor_of(int16_t, CT_SHAPE(2), 1, -1)};
    return (ct_dict){v, 2};
}

static bool same(ct_dict a, ct_dict b)
{
    for (int64_t i = 0; i < a.n; i++) {
        ct_tensor *t = b.n == a.n ? ct_get(b, a.v[i].name) : NULL;
        if (!t || !ct_equal(t, a.v[i].tensor))
            return false;
    }
    return true;
}

static void test_formats(void)
{
    static const char *const paths[] = {"x.pt", "x.npz", "x.safetensors"};
    for (int i = 0; i < 3; i++) {
        CT_SCOPE;
        CHECK(ct_save(sample(), paths[i]));
        CHECK(same(sample(), ct_load_dict(paths[i])));
        CHECK(ct_error() == NULL);
    }
    CT_SCOPE;
    CHECK(ct_save(ct_arange(3), "x.npy") && ct_item_i64(ct_sum(ct_load("x.npy"))) == 3);
    CHECK(!ct_save(ct_arange(3), "x.npz"));
    CHECK_ERROR("ValueError", "'x.npz': this format holds named tensors: save a dict");
    CHECK(!ct_load("no/such.pt"));
    CHECK_ERROR("FileNotFoundError", "[Errno 2] No such file or directory: 'no/such.pt'");
    CHECK(!ct_save(ct_arange(3), "no/such.pt"));
    CHECK_ERROR("FileNotFoundError", "[Errno 2] No such file or directory: 'no/such.pt'");
    CHECK(!ct_get(sample(), "nothing"));
    CHECK_ERROR("KeyError", "'nothing'");
}

static void test_tables(void)
{
    FILE *file = fopen("x.txt", "w");
    fputs("# a comment\n1 2\n\n3.5 -4e1 # more\n", file);
    fclose(file);
    CT_SCOPE;
    ct_tensor *x = ct_loadtxt("x.txt");
    CHECK(x && ct_ndim(x) == 2 && ct_item(ct_at(x, "1, 1")) == -40 && ct_dtype(x) == CT_FLOAT64);
    file = fopen("x.txt", "w");
    fputs("a,b\n1,2\n3,x\n", file);
    fclose(file);
    CHECK(!ct_loadtxt("x.txt", .delimiter = ",", .skiprows = 1));
    CHECK_ERROR("ValueError", "could not convert string 'x' to float64 at row 1, column 2.");
}

static void test_checksum(void)
{
    CHECK(ct_crc32(0, "123456789", 9) == 0xCBF43926u);
    char *bytes = malloc(1000);
    for (int i = 0; i < 1000; i++)
        bytes[i] = (char)(i * 7);
    for (int n = 0; n < 1000; n += 37) { /* at once and byte by byte */
        uint32_t crc = 0;
        for (int i = 0; i < n; i++)
            crc = ct_crc32(crc, bytes + i, 1);
        CHECK(crc == ct_crc32(0, bytes, n));
    }
    int64_t n;
    void *packed = ct_deflate(bytes, 1000, 15, 6, &n);
    char back[1000];
    CHECK(packed && ct_inflate(packed, n, back, 1000, 15) == 1000);
    CHECK(memcmp(back, bytes, 1000) == 0);
    CHECK(ct_inflate(packed, n, back, 999, 15) == -1); /* the output does not fit */
    ct_clear_error();
    CHECK(ct_inflate(packed, n - 5, back, 1000, 15) == -1);
    ct_clear_error();
    free(packed);
    free(bytes);
}

/* Changes each byte of each file in turn; loading gives an error or other values, never a crash. */
static void test_damage(void)
{
    static const char *const paths[] = {"d.pt", "d.npz", "d.safetensors"};
    for (int i = 0; i < 3; i++) {
        CT_SCOPE;
        CHECK(ct_save(sample(), paths[i]));
        FILE *file = fopen(paths[i], "rb");
        static char data[8192], broken[8192];
        size_t n = fread(data, 1, sizeof data, file);
        fclose(file);
        for (size_t at = 0; at < n; at += 3) {
            CT_SCOPE;
            memcpy(broken, data, n);
            broken[at] = (char)(broken[at] ^ (1 << at % 8));
            file = fopen(paths[i], "wb");
            fwrite(broken, 1, at % 5 ? n : at, file); /* some files are also truncated */
            fclose(file);
            ct_dict got = ct_load_dict(paths[i]);
            CHECK(got.v || ct_error());
            ct_clear_error();
        }
    }
}

static void test_missing_memory(void)
{
    static const char *const paths[] = {"m.pt", "m.npz", "m.safetensors"};
    for (int i = 0; i < 3; i++) {
        CT_SCOPE;
        CHECK(ct_save(sample(), paths[i]));
        for (int64_t n = 1, left = 1; left && n < 500; n++) {
            CT_SCOPE;
            ct_dict dict = sample();
            ct_test_fail_alloc(n);
            bool good = ct_save(dict, paths[i]);
            ct_test_fail_alloc(0);
            CHECK(good || ct_error());
            left = !good;
            ct_clear_error();
            ct_test_fail_alloc(n);
            ct_dict got = ct_load_dict(paths[i]);
            ct_test_fail_alloc(0);
            CHECK(got.v || ct_error());
            left = left || !got.v;
            ct_clear_error();
            CHECK(same(sample(), ct_load_dict(paths[i])));
        }
    }
}

static void test_pictures(void)
{
    CT_SCOPE;
    ct_tensor *x = ct_to(ct_view(ct_arange(24), CT_SHAPE(2, 3, 4)), .dtype = CT_UINT16);
    CHECK(ct_write_png(x, "x.png") && ct_equal(ct_read_image("x.png"), x));
    CHECK(!ct_write_png(x, "x.png", .compression_level = 10));
    CHECK_ERROR("RuntimeError", "Compression level should be between 0 and 9");
    CHECK(!ct_write_png(ct_ones(CT_SHAPE(3, 2, 2)), "x.png"));
    CHECK_ERROR("RuntimeError", "Input tensor dtype should be uint8");
    for (int64_t n = 1, left = 1; left && n < 100; n++) {
        CT_SCOPE;
        ct_test_fail_alloc(n);
        ct_tensor *got = ct_read_image("x.png");
        ct_test_fail_alloc(0);
        CHECK(got || ct_error());
        left = !got;
        ct_clear_error();
    }
}

int main(void)
{
    char folder[] = "/tmp/corten-files-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) < 0)
        return 1;
    test_formats();
    test_tables();
    test_checksum();
    test_damage();
    test_missing_memory();
    test_pictures();
    static const char *const made[] = {"x.pt",          "x.npz", "x.safetensors", "x.npy",
                                       "x.txt",         "x.png", "d.pt",          "d.npz",
                                       "d.safetensors", "m.pt",  "m.npz",         "m.safetensors"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        CHECK(unlink(made[i]) == 0);
    CHECK(rmdir(folder) == 0); /* the folder is empty: no temporary file is left */
    return failures != 0;
}
