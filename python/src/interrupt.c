/* SPDX-License-Identifier: BSD-3-Clause */
/* Ctrl-C inside a long call. The library asks py_go_on every 20 ms of such a call, on the thread
 * that made it. On the main thread, where Python runs its handlers, signals are watched from the
 * first question on: a handler of our own notes that one came and calls the interpreter's. Only
 * then is the interpreter's lock taken, and what Python's handler raises ends the call. */
#define _GNU_SOURCE /* gettid */
#include "exchange/exchange.h"

#include "corten/wait.h"

#include <signal.h>
#include <unistd.h>

static const int watched[] = {SIGINT, SIGTERM, SIGALRM};
enum { WATCHED = sizeof watched / sizeof *watched };

static void (*before[WATCHED])(int); /* note_signal was put there */
static volatile sig_atomic_t came;

static void note_signal(int number)
{
    came = 1;
    for (int i = 0; i < WATCHED; i++)
        if (watched[i] == number)
            before[i](number);
}

/* Puts note_signal in front of a handler, the interpreter's as a rule. One that came later than
 * note_signal stays as it is: it may call what was there before it. True: one was not watched
 * before. */
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
    if (gettid() != getpid()) /* Python runs handlers on the first thread alone */
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

/* go_on may want the interpreter's lock while its call holds that of a generator: no thread keeps
 * the one while it waits for the other. */
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
