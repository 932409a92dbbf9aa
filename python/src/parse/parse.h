/* SPDX-License-Identifier: BSD-3-Clause */
/* How calls from Python become calls of own.h. The generator writes one `struct py_op` for each
 * Python name, with PyTorch's signatures in the order they are tried; parse.c matches the arguments
 * against them, parse_kinds.c converts them, parse_error.c explains why nothing fits, result.c
 * turns the answer into objects. Hand-written functions use the same tables. */
#ifndef CORTEN_PYTHON_PARSE_H
#define CORTEN_PYTHON_PARSE_H

#include "binding.h"

/* The kind of an argument: what is accepted, and which member of py_value it fills. */
enum py_kind {
    PY_TENSOR,    /* tensor */
    PY_OPERAND,   /* a tensor, as value */
    PY_VALUE,     /* a tensor or a number, as value; called "Tensor" */
    PY_NUMBER,    /* value */
    PY_INT,       /* i */
    PY_COUNT,     /* i: whatever counts, by __index__ too; called "int" */
    PY_INTS,      /* ints */
    PY_ONE,       /* ints: one int, called "int" */
    PY_FLOAT,     /* f */
    PY_FLOATS,    /* floats */
    PY_SCALARS,   /* the same, called "tuple of Scalars"; imaginary parts go into the next slot */
    PY_NUMBERS,   /* values: numbers in their own kinds; called "tuple of Scalars" */
    PY_BOOL,      /* b */
    PY_TRUTH,     /* b: any object, true or not; called "bool" */
    PY_BOOL_OPT,  /* small: -1 for None */
    PY_DTYPE,     /* dtype */
    PY_DEVICE,    /* device */
    PY_FORMAT,    /* small: -1 for None */
    PY_STR,       /* str */
    PY_TENSORS,   /* list */
    PY_GENERATOR, /* generator */
    PY_LAYOUT,    /* small: -1 for None */
    PY_STORAGE,   /* object: a typed or untyped storage */
    PY_OBJECT,    /* object, as it is */
};

enum {
    PY_DEFAULT = 1 << 0, /* may be left out */
    PY_NONE = 1 << 1,    /* None is accepted, and means absent */
    PY_KEYWORD = 1 << 2, /* only by keyword */
    PY_ABSENT = 1 << 3,  /* its default is "absent", not `fallback` */
    PY_SINGLE = 1 << 4,  /* PY_INTS: one int is accepted too; PY_TENSORS: f(x, y) is f([x, y]) */
    PY_OUT = 1 << 5,     /* out=: not for methods */
    PY_SELF = 1 << 6,    /* what a method is called on */
    PY_HIDDEN = 1 << 7,  /* not in this signature: always the default */
};

union py_value {
    ct_tensor *tensor;
    ct_value value;
    int64_t i;
    double f;
    bool b;
    int small;
    enum ct_dtype dtype;
    struct ct_device device;
    ct_ints ints;
    ct_floats floats;
    ct_list list;
    struct {
        const ct_value *v;
        int64_t n;
    } values;
    const char *str;
    ct_generator *generator;
    PyObject *object;
};

struct py_arg {
    const char *name;
    uint8_t kind, flags;
    union py_value fallback;
    const char *shown; /* the default as PyTorch prints it, NULL: required */
    PyObject *key;     /* the interned name, once needed */
};

/* Arguments in hand-written signatures; `more` adds flags. */
#define PY_REQUIRED(text, wanted)                                                                  \
    {                                                                                              \
        .name = text, .kind = wanted                                                               \
    }
#define PY_OR_NONE(text, wanted, more)                                                             \
    {                                                                                              \
        .name = text, .kind = wanted, .flags = PY_DEFAULT | PY_NONE | PY_ABSENT | (more),          \
        .shown = "None"                                                                            \
    }
#define PY_OFF(text, more)                                                                         \
    {                                                                                              \
        .name = text, .kind = PY_BOOL, .flags = PY_DEFAULT | (more), .shown = "False"              \
    }

#define PY_MAX_ARGS 16
#define PY_MAX_FIELDS 6

/* The arguments that a form has, in order. */
struct py_plan {
    bool ready, takes_all;
    uint8_t n, positional, required;
    struct py_argument {
        uint8_t arg, kind, slot; /* which of the signature's, its kind, the py_value it fills */
    } at[PY_MAX_ARGS];
};

/* Arguments stand in Python's order; slots says which member of py_frame.v each fills. */
struct py_signature {
    struct py_arg *args;
    uint8_t n, which;     /* which: the case of the op's call */
    uint8_t returns;      /* enum py_returns */
    const uint8_t *slots; /* NULL: one after the other */
    /* made when first used */
    union py_value *defaults;
    struct py_plan plan[2]; /* as a function, as a method */
    uint8_t nslots, self;   /* self: the argument a method is called on */
};

enum py_returns {
    PY_RETURNS_TENSOR,
    PY_RETURNS_SELF,   /* in place: the first argument */
    PY_RETURNS_GIVEN,  /* in place on a list: the list that was given as `self` */
    PY_RETURNS_LIST,   /* a tuple of tensors */
    PY_RETURNS_SOME,   /* the same, but one tensor for a list of one */
    PY_RETURNS_FIELDS, /* several tensors with names */
    PY_RETURNS_BOOL,
    PY_RETURNS_NONE,
    PY_RETURNS_OBJECT, /* a Python object, or NULL with an exception */
};

struct py_result {
    ct_tensor *tensor; /* for PY_RETURNS_BOOL and NONE: any but NULL means success */
    ct_list list;
    ct_tensor *fields[PY_MAX_FIELDS]; /* NULL in the first: failed */
    bool flag;
    PyObject *object;
};

struct py_op {
    const char *name;
    void (*call)(int which, const union py_value *v, struct py_result *r);
    struct py_signature *signatures;
    uint8_t n;
    bool unnamed;    /* of several results: a plain tuple */
    uint8_t old;     /* more signatures, which PyTorch takes with a warning and never lists */
    bool holds_lock; /* the call needs Python's lock */
    const char *const *fields;            /* PY_RETURNS_FIELDS: names, NULL at the end */
    PyTypeObject *result_type, *out_type; /* their class, once needed */
};

/* One call being parsed; on the C stack. */
struct py_frame {
    struct py_op *op;
    PyObject *self; /* NULL: a function */
    PyObject *const *args;
    Py_ssize_t nargs;
    PyObject *names;   /* of keywords, or NULL; their values follow the positional arguments */
    PyObject *special; /* an argument of a class of its own, or NULL */
    PyObject *out;
    bool asks;    /* who is no tensor, but has __torch_function__, may stand for any argument */
    bool quiet;   /* an operator: where nobody answers, neither do we */
    int layout;   /* 1 + what layout= says, 0: nothing, or a function that reads it itself */
    int64_t used; /* of room */
    struct {      /* memory beyond room, or an object that must live until the end */
        void *memory;
        PyObject *object;
    } more[8]; /* four lists */
    int nmore;
    union py_value v[PY_MAX_ARGS];
    int64_t room[80];
};

static inline union py_value *py_slot(struct py_frame *frame, const struct py_signature *s, int i)
{
    return &frame->v[s->slots ? s->slots[i] : i];
}

/* Are there as many tensors in out= as results? */
static inline bool py_has(const ct_list *out, int n)
{
    return out->n == n ||
           ct_fail(CT_ERR_TYPE, "expected tuple of %d elements but got %d", n, (int)out->n) != NULL;
}

/* The vectorcall forms. */
PyObject *py_function(struct py_op *op, PyObject *const *args, Py_ssize_t nargs, PyObject *names);
PyObject *py_method(struct py_op *op, PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                    PyObject *names);

/* For hand-written functions: fills frame->v and says which signature fits, -1: raised. The frame
 * is freed by py_frame_end in either case. */
int py_parse(struct py_frame *frame, struct py_op *op, PyObject *self, PyObject *const *args,
             Py_ssize_t nargs, PyObject *names);
void py_frame_end(struct py_frame *frame);
/* The same where nothing is a list, so that nothing is left to be freed. */
int py_read(struct py_frame *frame, struct py_op *op, PyObject *self, PyObject *const *args,
            Py_ssize_t nargs, PyObject *names);

/* 1: fits and is stored, 0: is of another kind, -1: raised. *failed: the item that is wrong, or -1
 */
int py_convert(struct py_frame *frame, const struct py_arg *arg, PyObject *o, union py_value *v,
               Py_ssize_t *failed);

/* layout= of a call that fits: true if the answer is there, or an exception. */
bool py_in_layout(struct py_frame *frame, const struct py_signature *s, PyObject **answer);
const char *py_layout_name(int layout); /* "SparseCsr", as error messages say */

/* The value that means "absent" of an argument's kind. */
void py_set_absent(const struct py_arg *arg, union py_value *v);
int py_take_ints(struct py_frame *frame, const struct py_arg *arg, PyObject *const *items,
                 Py_ssize_t n, ct_ints *ints);
int py_take_tensors(struct py_frame *frame, PyObject *const *items, Py_ssize_t n, ct_list *list);

/* parse_error.c */
bool py_wants(const struct py_frame *frame, const struct py_arg *arg); /* part of this form? */
const char *py_kind_name(enum py_kind kind);
void py_too_many(const struct py_frame *frame, const struct py_signature *s);
void py_missing(const struct py_frame *frame, const struct py_signature *s, int from);
void py_wrong_kind(const struct py_frame *frame, const struct py_arg *arg, PyObject *o,
                   bool keyword, Py_ssize_t position, Py_ssize_t failed);
void py_extra_keyword(const struct py_frame *frame, const struct py_signature *s);
void py_no_signature_fits(const struct py_frame *frame);
/* For functions that are Python code in PyTorch: raises what Python says of arguments that do not
 * fit. Of `names`, NULL at the end, the first ones are required, and some may come by position. */
bool py_fits(const char *function, char *const *names, int required, int positional, PyObject *args,
             PyObject *kwargs);
bool py_warn_old(const struct py_frame *frame, const struct py_signature *s); /* false: raised */
const char *const *py_keyword_aliases(const char *name); /* NumPy's names, NULL at the end */

/* result.c */
PyObject *py_answer(struct py_frame *frame, const struct py_signature *s, struct py_result *r);

/* A new tensor in page-locked memory if `pin` is set, with its strides; NULL with an error set
 * where there is no GPU, or the tensor is on one. Takes over the reference. */
ct_tensor *py_pinned_if(ct_tensor *made, bool pin);

/* subclass.c: tensors of a class of its own */
enum py_manner {
    PY_PLAIN,   /* results are plain tensors */
    PY_CONVERT, /* results are of the class: it inherits __torch_function__ */
    PY_ASK      /* its own __torch_function__ says */
};
enum py_manner py_manner(PyTypeObject *type);
bool py_dispatch_disabled(void);   /* inside the __torch_function__ that all inherit */
bool py_disable_dispatch(bool on); /* what it was before */
PyObject *py_convert_answer(PyObject *answer, PyTypeObject *type); /* takes the answer */

/* profile.c: events, for ct_profile_end_call; asked for while one is recorded. A second operand of
 * the kind NULL is none. */
extern bool py_profiling;
int64_t py_event_call(struct py_frame *frame, const struct py_signature *s);
int64_t py_event_operator(const char *name, ct_value a, ct_value b);

/* dispatch.c: who is asked. py_modes: how many modes stand on this thread. */
extern _Thread_local int py_modes __attribute__((tls_model("initial-exec")));
bool py_has_override(PyObject *o); /* is no tensor, and has __torch_function__ */
/* True: *answer is what a __torch_function__ said, or NULL raised. Else the operation runs, and
 * frame->special says of which class its results are. */
bool py_overridden(struct py_frame *frame, PyObject **answer);
/* dressed.c: a class that was just made; false: raised. */
bool py_dress_class(PyTypeObject *type);
/* func(*args, **kwargs), unless one of the arguments says something else. */
PyObject *py_dispatch(PyObject *func, PyObject *args, PyObject *kwargs);
/* The tensor as an object of the class of `like`, where that class asks for it. */
PyObject *py_wrap_like(ct_tensor *owned, PyObject *like);

#endif
