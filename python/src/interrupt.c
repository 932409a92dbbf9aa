/* SPDX-License-Identifier: BSD-3-Clause */
/* Ctrl-C during a long call. The library calls go_on every 20 ms of such a call, on the calling
 * thread. Python runs signal handlers on the main thread only. On that thread, go_on installs a
 * separate signal handler, which records that a signal arrived and calls the interpreter's handler;
 * go_on takes the GIL only after a signal. An exception of Python's handler ends the call. */
#define _GNU_SOURCE /* gettid */
#include "exchange/exchange.h"

#include "corten/wait.h"

#include <signal.h>
#include <unistd.h>

static const int watched[] = {SIGINT, SIGTERM, SIGALRM};
enum { WATCHED = sizeof watched / sizeof *watched };

static void (*before[WATCHED])(int); /* handlers that note_signal replaced */
static volatile sig_atomic_t came;

static void note_signal(int number)
{
    came = 1;
    for (int i = 0; i < WATCHED; i++)
        if (watched[i] == number)
            before[i](number);
}

/* Installs note_signal in front of the current handlers, usually the interpreter's. A handler that
 * was installed after note_signal is left in place, since it may call the handler that it replaced.
 * Returns whether a handler was newly replaced. */
static bool watch(void)
{
    bool fresh = false;
    for (int i = 0; i < WATCHED; i++) {
        struct sigaction now;
        if (sigaction(watched[i], NULL, &now) != 0 || now.sa_flags & SA_SIGINFO ||
            now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN ||
            now.sa_handler == note_signal || (before[i] && now.sa_handler != before[i]))
            continue;
        before[i] = now.sa_handler;
        now.sa_handler = note_signal;
        fresh |= sigaction(watched[i], &now, NULL) == 0;
    }
    return fresh;
}

static bool go_on(void)
{
    if (gettid() != getpid()) /* Python runs handlers on the main thread only */
        return true;
    bool fresh = watch();
    if (!came && !fresh)
        return true;
    came = 0;
    PyGILState_STATE state;
    if (!py_lock(&state))
        return true;
    bool good = PyErr_Occurred() || PyErr_CheckSignals() == 0;
    PyGILState_Release(state);
    return good;
}

/* While a call waits for the lock of a generator, another thread that holds it may be in go_on,
 * waiting for the GIL. So a thread releases the GIL before it waits. */
static void *begin_wait(void)
{
    return py_has_lock() ? PyEval_SaveThread() : NULL;
}

static void end_wait(void *token)
{
    if (token)
        PyEval_RestoreThread(token);
}

bool py_init_interrupt(PyObject *module)
{
    static const struct ct_wait_hooks hooks = {begin_wait, end_wait};
    ct_set_poll(go_on);
    ct_set_wait_hooks(&hooks);
    return true;
}
