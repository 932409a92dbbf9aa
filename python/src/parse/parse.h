/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates Python calls to calls of the functions in own.h. The generator emits one `struct
 * py_op` per Python name, with PyTorch's signatures in the order in which they are tried. parse.c
 * matches arguments with signatures, parse_kinds.c converts single arguments, parse_error.c
 * explains why no signature fits, and result.c wraps the results. Hand-written functions use the
 * same tables. */
#ifndef CORTEN_PYTHON_PARSE_H
#define CORTEN_PYTHON_PARSE_H

#include "binding.h"

/* The kind of an argument: what it accepts and which member of py_value it fills. "Called" gives
 * the type name in error messages where it differs. */
enum py_kind {
    PY_TENSOR,    /* tensor */
    PY_OPERAND,   /* a tensor, as value */
    PY_VALUE,     /* a tensor or a number, as value; called "Tensor" */
    PY_NUMBER,    /* value */
    PY_INT,       /* i */
    PY_COUNT,     /* i: also objects with __index__; called "int" */
    PY_INTS,      /* ints */
    PY_ONE,       /* ints: one int, called "int" */
    PY_FLOAT,     /* f */
    PY_FLOATS,    /* floats */
    PY_SCALARS,   /* the same, called "tuple of Scalars"; imaginary parts go into the next slot */
    PY_NUMBERS,   /* values: each keeps its kind; called "tuple of Scalars" */
    PY_BOOL,      /* b */
    PY_TRUTH,     /* b: the truth of any object; called "bool" */
    PY_BOOL_OPT,  /* small: -1 for None */
    PY_DTYPE,     /* dtype */
    PY_DEVICE,    /* device */
    PY_FORMAT,    /* small: -1 for None */
    PY_STR,       /* str */
    PY_TENSORS,   /* list */
    PY_GENERATOR, /* generator */
    PY_LAYOUT,    /* small: -1 for None */
    PY_STORAGE,   /* object: a typed or untyped storage */
    PY_OBJECT,    /* object, unconverted */
};

enum {
    PY_DEFAULT = 1 << 0, /* may be omitted */
    PY_NONE = 1 << 1,    /* None is accepted, and means absent */
    PY_KEYWORD = 1 << 2, /* keyword-only */
    PY_ABSENT = 1 << 3,  /* its default means "not given"; ignores `fallback` */
    PY_SINGLE = 1 << 4,  /* PY_INTS: one int is accepted too; PY_TENSORS: f(x, y) is f([x, y]) */
    PY_OUT = 1 << 5,     /* out=: not for methods */
    PY_SELF = 1 << 6,    /* the argument that a method is called on */
    PY_HIDDEN = 1 << 7,  /* not accepted in this signature: always the default */
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

/* The arguments accepted when an op is called as a function, or as a method. */
struct py_plan {
    bool ready, takes_all;
    uint8_t n, positional, required;
    struct py_argument {
        uint8_t arg, kind, slot; /* index in the signature, kind, index in py_frame.v */
    } at[PY_MAX_ARGS];
};

/* Arguments are in Python's order; slots[i] is the index in py_frame.v that argument i fills. */
struct py_signature {
    struct py_arg *args;
    uint8_t n, which;     /* which: passed to the op's `call` */
    uint8_t returns;      /* enum py_returns */
    const uint8_t *slots; /* NULL: the identity */
    /* computed on first use */
    union py_value *defaults;
    struct py_plan plan[2]; /* called as a function, as a method */
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
    ct_tensor *tensor; /* for BOOL and NONE: non-NULL means success */
    ct_list list;
    ct_tensor *fields[PY_MAX_FIELDS]; /* fields[0] is NULL on failure */
    bool flag;
    PyObject *object;
};

struct py_op {
    const char *name;
    void (*call)(int which, const union py_value *v, struct py_result *r);
    struct py_signature *signatures;
    uint8_t n;
    bool unnamed;                         /* several results are returned as a plain tuple */
    uint8_t old;                          /* number of deprecated signatures after the first n */
    bool holds_lock;                      /* the call needs the GIL */
    const char *const *fields;            /* PY_RETURNS_FIELDS: names, NULL at the end */
    PyTypeObject *result_type, *out_type; /* created on first use */
};

/* The state of one call; lives on the C stack. */
struct py_frame {
    struct py_op *op;
    PyObject *self; /* NULL: a function */
    PyObject *const *args;
    Py_ssize_t nargs;
    PyObject *names;      /* of keywords, or NULL; their values follow the positional arguments */
    PyObject *overloaded; /* argument whose class may override, or NULL; see below */
    PyObject *out;
    bool accept_overrides; /* objects with __torch_function__ fit any argument */
    bool may_decline;      /* an operator: return NotImplemented if all overrides do */
    int layout;            /* 1 + value of layout=; 0: absent, or the op reads it */
    int64_t used;          /* number of entries of `room` in use */
    struct {               /* overflow memory, or an object held until the call ends */
        void *memory;
        PyObject *object;
    } more[8]; /* enough for four lists */
    int nmore;
    union py_value v[PY_MAX_ARGS];
    int64_t room[80];
};

static inline union py_value *py_slot(struct py_frame *frame, const struct py_signature *s, int i)
{
    return &frame->v[s->slots ? s->slots[i] : i];
}

/* Checks that out= has as many tensors as there are results. */
static inline bool py_has(const ct_list *out, int n)
{
    return out->n == n ||
           ct_fail(CT_ERR_TYPE, "expected tuple of %d elements but got %d", n, (int)out->n) != NULL;
}

/* Vectorcall entry points of the generated functions and methods: parse, dispatch, call, wrap. */
PyObject *py_function(struct py_op *op, PyObject *const *args, Py_ssize_t nargs, PyObject *names);
PyObject *py_method(struct py_op *op, PyObject *self, PyObject *const *args, Py_ssize_t nargs,
                    PyObject *names);

/* For hand-written functions: fills frame->v and returns the index of the signature that fits, or
 * -1 with an exception. Call py_frame_end afterwards in either case. */
int py_parse(struct py_frame *frame, struct py_op *op, PyObject *self, PyObject *const *args,
             Py_ssize_t nargs, PyObject *names);
void py_frame_end(struct py_frame *frame);
/* Like py_parse, for ops without list arguments: nothing has to be freed afterwards. */
int py_read(struct py_frame *frame, struct py_op *op, PyObject *self, PyObject *const *args,
            Py_ssize_t nargs, PyObject *names);

/* Converts one argument: 1 if it fits and is stored, 0 if it is of another kind, -1 with an
 * exception. *failed receives the index of the offending item of a list, else it is untouched. */
int py_convert(struct py_frame *frame, const struct py_arg *arg, PyObject *o, union py_value *v,
               Py_ssize_t *failed);

/* Handles layout= of a call that fits a signature. True if the call is finished: *answer is its
 * result, or NULL with an exception. */
bool py_apply_layout(struct py_frame *frame, const struct py_signature *s, PyObject **answer);
const char *py_layout_name(int layout); /* "SparseCsr", as in error messages */

/* Stores the value that means "not given" for the kind of an argument. */
void py_set_absent(const struct py_arg *arg, union py_value *v);
int py_read_ints(struct py_frame *frame, const struct py_arg *arg, PyObject *const *items,
                 Py_ssize_t n, ct_ints *ints);
int py_read_tensors(struct py_frame *frame, PyObject *const *items, Py_ssize_t n, ct_list *list);

/* parse_error.c */
bool py_wants(const struct py_frame *frame, const struct py_arg *arg); /* whether the call accepts
                                                                        * arg */
const char *py_kind_name(enum py_kind kind);
void py_too_many(const struct py_frame *frame, const struct py_signature *s);
void py_missing(const struct py_frame *frame, const struct py_signature *s, int from);
void py_wrong_kind(const struct py_frame *frame, const struct py_arg *arg, PyObject *o,
                   bool keyword, Py_ssize_t position, Py_ssize_t failed);
void py_extra_keyword(const struct py_frame *frame, const struct py_signature *s);
void py_no_signature_fits(const struct py_frame *frame);
/* For functions that are written in Python in PyTorch: raises Python's own message if the arguments
 * do not fit. `names` ends with NULL; the first `required` names are required, the first
 * `positional` may be passed by position. */
bool py_fits(const char *function, char *const *names, int required, int positional, PyObject *args,
             PyObject *kwargs);
bool py_warn_old(const struct py_frame *frame, const struct py_signature *s); /* raises: false */
const char *const *py_keyword_aliases(const char *name); /* NumPy's spellings, ending with NULL */

/* result.c */
PyObject *py_wrap_result(struct py_frame *frame, const struct py_signature *s, struct py_result *r);

/* Moves a new tensor to page-locked memory if `pin` is set, keeping its strides; consumes `made`.
 * NULL with the library's error if there is no GPU or the tensor is on one. */
ct_tensor *py_pinned_if(ct_tensor *made, bool pin);

/* subclass.c: how operations on a tensor subclass behave */
enum py_override {
    PY_RESULTS_PLAIN,     /* __torch_function__ is disabled or None: results are plain tensors */
    PY_RESULTS_CONVERTED, /* inherited __torch_function__: results get the class */
    PY_OVERRIDES          /* the class defines __torch_function__: call it */
};
enum py_override py_override_kind(PyTypeObject *type);
bool py_dispatch_disabled(void);   /* in DisableTorchFunctionSubclass */
bool py_disable_dispatch(bool on); /* returns the previous state */
PyObject *py_convert_result(PyObject *answer, PyTypeObject *type); /* consumes `answer` */

/* profile.c: begin an event while py_profiling is set; pass the result to ct_profile_end_call. For
 * unary operators `b` has the kind CT_VALUE_NULL. */
extern bool py_profiling;
int64_t py_event_call(struct py_frame *frame, const struct py_signature *s);
int64_t py_event_operator(const char *name, ct_value a, ct_value b);

/* dispatch.c. py_modes is the number of active TorchFunctionModes of this thread. */
extern _Thread_local int py_modes __attribute__((tls_model("initial-exec")));
bool py_has_override(PyObject *o); /* not a tensor, but has __torch_function__ */
/* Offers the call to modes and to arguments with __torch_function__. True if one handled it:
 * *answer is its result, or NULL with an exception. False: run the operation; frame->overloaded
 * then determines the class of its results. */
bool py_overridden(struct py_frame *frame, PyObject **answer);
/* subclass_descriptors.c: call for each new tensor class. */
bool py_install_descriptors(PyTypeObject *type);
/* Calls func(*args, **kwargs), or the override of an argument. */
PyObject *py_dispatch(PyObject *func, PyObject *args, PyObject *kwargs);
/* Wraps a tensor in the class that results of an operation on `like` get. Consumes `owned`. */
PyObject *py_wrap_like(ct_tensor *owned, PyObject *like);

#endif
