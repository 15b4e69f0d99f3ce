/* Exceptions of C++: objects, handlers, and the search for a handler. The compiler's calls that an exception may leave are known to the
   world (see tries.rs); it keeps them as a stack and can go back to the innermost one. What a handler catches is decided by the C++
   library's type information. An exception that nothing catches is the world's: it ends the run where it was thrown. */
typedef __SIZE_TYPE__ size_t;
void *malloc(size_t);
void free(void *);
void *memset(void *, int, size_t);

/* Destructors return their object on WebAssembly. */
typedef void *destructor(void *);

#define SOUNDLINE(name) __attribute__((import_module("soundline"), import_name(#name)))
/* What a call on the stack of the world catches, 0 being the innermost; null behind the last. */
SOUNDLINE(__soundline_clauses) const void *const *clauses_of(unsigned);
/* Goes back to the innermost one, which is no longer on the stack then. */
SOUNDLINE(__soundline_unwind) _Noreturn void unwind(void);
SOUNDLINE(__cxa_throw) _Noreturn void end_by(void *, const void *, destructor *);

/* What stands in a list of clauses in place of a type: tries.rs writes it. */
enum { END, EVERYTHING, TERMINATE, FILTER };

typedef struct exception {
    const void *type;
    destructor *destroy;
    struct exception *outer; /* the one that was being handled before */
    void *adjusted;          /* what its handler sees: a base class may lie behind the start */
    int handlers;            /* negative while it is thrown again */
    int references;
} exception;

enum { HEADER = (sizeof(exception) + 15) / 16 * 16 };
static exception *handled;
static unsigned in_flight;
static void *landed;
static int selector;

/* What a thread handles is put aside while another has its turn. */
void *__soundline_handled(void *others) {
    void *own = handled;
    handled = others;
    return own;
}

static exception *header(void *thrown) { return (exception *)((char *)thrown - HEADER); }
static void *object(exception *e) { return (char *)e + HEADER; }

/* The fifth function of every type_info of the library says whether a handler for the type takes an exception of another. */
typedef int can_catch(const void *handler, const void *thrown, void **object);
static int catches(const void *type, exception *e) {
    void *at = object(e);
    can_catch *asked = (*(can_catch *const *const *)type)[4];
    if (!asked(type, e->type, &at)) return 0;
    e->adjusted = at;
    return 1;
}

static int filtered(const void *const *types, size_t count, exception *e) {
    for (size_t i = 0; i < count; i++)
        if (catches(types[i], e)) return 0;
    return 1;
}

/* The first clause that takes the exception: the address of its type, another number if it takes everything, zero if there is none. */
static int chosen(const void *const *clause, exception *e) {
    e->adjusted = object(e);
    for (; *clause; clause++) switch ((size_t)*clause) {
        case EVERYTHING: return EVERYTHING;
        case TERMINATE: return TERMINATE;
        case FILTER:
            if (filtered(clause + 2, (size_t)clause[1], e)) return -1;
            clause += 1 + (size_t)clause[1];
            break;
        default:
            if (catches(*clause, e)) return (int)(size_t)*clause;
    }
    return 0;
}

static _Noreturn void land(exception *e) {
    const void *const *clauses = clauses_of(0);
    if (!clauses) end_by(object(e), e->type, e->destroy);
    landed = object(e);
    selector = chosen(clauses, e);
    unwind();
}

/* Nothing is cleaned up for an exception that nothing catches: the program ends where it was thrown. */
static _Noreturn void fly(exception *e) {
    const void *const *clauses;
    for (unsigned i = 0; (clauses = clauses_of(i)); i++) {
        int choice = chosen(clauses, e);
        if (choice == TERMINATE) break;
        if (choice) {
            in_flight++;
            land(e);
        }
    }
    end_by(object(e), e->type, e->destroy);
}

void *__soundline_landed(void) { return landed; }
int __soundline_selector(void) { return selector; }
_Noreturn void __soundline_resume(void *thrown) { land(header(thrown)); }

void *__cxa_allocate_exception(size_t size) {
    exception *e = malloc(HEADER + size);
    memset(e, 0, HEADER + size);
    return object(e);
}
void __cxa_free_exception(void *thrown) { free(header(thrown)); }

_Noreturn void __cxa_throw(void *thrown, void *type, destructor *destroy) {
    exception *e = header(thrown);
    e->type = type;
    e->destroy = destroy;
    e->references = 1;
    fly(e);
}

void __cxa_increment_exception_refcount(void *thrown) {
    if (thrown) header(thrown)->references++;
}
void __cxa_decrement_exception_refcount(void *thrown) {
    if (!thrown || --header(thrown)->references) return;
    if (header(thrown)->destroy) header(thrown)->destroy(thrown);
    free(header(thrown));
}

void *__cxa_get_exception_ptr(void *thrown) { return header(thrown)->adjusted; }
void *__cxa_begin_catch(void *thrown) {
    exception *e = header(thrown);
    e->handlers = (e->handlers < 0 ? -e->handlers : e->handlers) + 1;
    if (handled != e) {
        e->outer = handled;
        handled = e;
    }
    in_flight--;
    return e->adjusted;
}
void __cxa_end_catch(void) {
    exception *e = handled;
    if (!e) return;
    if (e->handlers < 0) {
        if (++e->handlers == 0) handled = e->outer;
    } else if (--e->handlers == 0) {
        handled = e->outer;
        __cxa_decrement_exception_refcount(object(e));
    }
}

void _ZSt9terminatev(void) __attribute__((noreturn));
_Noreturn void __cxa_rethrow(void) {
    if (!handled) _ZSt9terminatev();
    handled->handlers = -handled->handlers;
    fly(handled);
}
_Noreturn void __cxa_call_unexpected(void *thrown) { end_by(thrown, header(thrown)->type, 0); }

/* Pointers to exceptions. */
void *__cxa_current_primary_exception(void) {
    if (!handled) return 0;
    __cxa_increment_exception_refcount(object(handled));
    return object(handled);
}
void __cxa_rethrow_primary_exception(void *thrown) {
    if (!thrown) return;
    __cxa_increment_exception_refcount(thrown);
    fly(header(thrown));
}
void *__cxa_current_exception_type(void) { return handled ? (void *)handled->type : 0; }
unsigned __cxa_uncaught_exceptions(void) { return in_flight; }
_Bool __cxa_uncaught_exception(void) { return in_flight != 0; }

/* What the library throws by itself. Its own functions for that end the program. */
#define THROWER(name, type) \
    extern const void *_ZTV##type[], *_ZTI##type[]; \
    _Noreturn void name(void) { \
        const void **thrown = __cxa_allocate_exception(sizeof *thrown); \
        *thrown = _ZTV##type + 2; \
        __cxa_throw(thrown, _ZTI##type, 0); \
    }
THROWER(__cxa_bad_cast, St8bad_cast)
THROWER(__cxa_bad_typeid, St10bad_typeid)
THROWER(__cxa_throw_bad_array_new_length, St20bad_array_new_length)
THROWER(__soundline_bad_alloc, St9bad_alloc)
