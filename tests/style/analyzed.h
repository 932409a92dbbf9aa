/* SPDX-License-Identifier: BSD-3-Clause */
/* analyze.py includes this before every file. Analyzers see one file at a time, so this header
 * tells them which functions always report failure; otherwise they follow impossible paths. */
#define _GNU_SOURCE
#if __has_include("core/error.h")
#include "core/error.h"
#define cti_refuse(...) ((cti_refuse)(__VA_ARGS__), false)
#else
#include "binding.h"
#define py_raise() ((py_raise)(), (PyObject *)0)
#define py_raise_int() ((py_raise_int)(), -1)
#endif
#define ct_fail(...) ((ct_fail)(__VA_ARGS__), (void *)0)
