/* Threads, one after the other. A thread waits to be run until somebody waits: for a thread, for a condition, for time to pass. Then it
   runs to its end, on top of who waits; if it waits itself, the threads that were not run yet run on top of it. So a consumer that was
   created first finds what its producer made. What would need two threads to take turns ends the run as unsupported. A program's own
   functions of these names come first. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define OWN __attribute__((weak))
__attribute__((import_module("soundline"), import_name("unsupported"), noreturn)) void world_unsupported(const char *name);

enum { KEYS = 64, WAITING = 0, RUNNING, ENDED };
struct soundline_thread {
    jmp_buf end;
    void *(*start)(void *);
    void *argument, *result;
    struct soundline_thread *outer, *next;
    int state, detached;
    const void *values[KEYS];
};
static struct soundline_thread first = {.state = RUNNING}, *current = &first;
/* Those that were not run yet, in the order of their creation. */
static struct soundline_thread *waiting;
static void (*destructors[KEYS])(void *);
static unsigned keys, calls;

static void run(struct soundline_thread *own) {
    for (struct soundline_thread **at = &waiting; *at; at = &(*at)->next)
        if (*at == own) {
            *at = own->next;
            break;
        }
    own->state = RUNNING;
    own->outer = current;
    current = own;
    if (setjmp(own->end) == 0) own->result = own->start(own->argument);
    for (unsigned key = 0; key < keys; key++) {
        void *value = (void *)own->values[key];
        own->values[key] = 0;
        if (value && destructors[key]) destructors[key](value);
    }
    current = own->outer;
    own->state = ENDED;
    if (own->detached) free(own);
}
static int run_others(void) {
    if (!waiting) return 0;
    while (waiting) run(waiting);
    return 1;
}
/* Who asks again and again waits for somebody. */
static void asked(void) {
    enum { PATIENCE = 256 };
    if (waiting && ++calls % PATIENCE == 0) run_others();
}

OWN int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    struct soundline_thread *own = calloc(1, sizeof *own);
    if (!own) return EAGAIN;
    *thread = own;
    own->start = start;
    own->argument = argument;
    own->detached = attributes && attributes->state == PTHREAD_CREATE_DETACHED;
    struct soundline_thread **at = &waiting;
    while (*at) at = &(*at)->next;
    *at = own;
    return 0;
}
OWN void pthread_exit(void *result) {
    if (current == &first) {
        run_others();
        exit(0);
    }
    current->result = result;
    longjmp(current->end, 1);
}
OWN int pthread_join(pthread_t thread, void **result) {
    if (thread == current) return EDEADLK;
    if (thread->state == WAITING) run(thread);
    if (thread->state == RUNNING) world_unsupported("pthread_join of a thread that waits for this one");
    if (result) *result = thread->result;
    if (thread != &first) free(thread);
    return 0;
}
OWN int pthread_detach(pthread_t thread) {
    thread->detached = 1;
    if (thread->state == WAITING) run(thread);
    else if (thread->state == ENDED) free(thread);
    return 0;
}
OWN pthread_t pthread_self(void) { return current; }
OWN int pthread_equal(pthread_t a, pthread_t b) { return a == b; }
OWN int pthread_cancel(pthread_t thread) { (void)thread; world_unsupported("pthread_cancel"); }
OWN int pthread_once(pthread_once_t *once, void (*start)(void)) { if (!once->state) { once->state = 1; start(); } return 0; }
OWN int pthread_key_create(pthread_key_t *key, void (*end)(void *)) {
    if (keys == KEYS) return EAGAIN;
    destructors[keys] = end;
    *key = keys++;
    return 0;
}
OWN int pthread_key_delete(pthread_key_t key) { if (key < KEYS) destructors[key] = 0; return 0; }
OWN void *pthread_getspecific(pthread_key_t key) { return key < KEYS ? (void *)current->values[key] : 0; }
OWN int pthread_setspecific(pthread_key_t key, const void *value) { if (key >= KEYS) return EINVAL; current->values[key] = value; return 0; }

/* A mutex: how often it is held, and above that whether one thread may hold it several times. */
enum { HELD = 0xffff, RECURSIVE = 1 << 16 };
OWN int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *a) {
    mutex->state = a && a->state == PTHREAD_MUTEX_RECURSIVE ? RECURSIVE : 0;
    return 0;
}
OWN int pthread_mutex_destroy(pthread_mutex_t *mutex) { (void)mutex; return 0; }
OWN int pthread_mutex_lock(pthread_mutex_t *mutex) {
    asked();
    /* Who holds it is this thread, which would wait for ever, or waits below. */
    if ((mutex->state & HELD) && !(mutex->state & RECURSIVE)) world_unsupported("pthread_mutex_lock of a mutex that is held");
    mutex->state++;
    return 0;
}
OWN int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    asked();
    if ((mutex->state & HELD) && !(mutex->state & RECURSIVE)) return EBUSY;
    mutex->state++;
    return 0;
}
OWN int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until) {
    (void)until;
    return pthread_mutex_trylock(mutex) ? ETIMEDOUT : 0;
}
OWN int pthread_mutex_unlock(pthread_mutex_t *mutex) { if (mutex->state & HELD) mutex->state--; return 0; }
OWN int pthread_mutexattr_init(pthread_mutexattr_t *a) { a->state = 0; return 0; }
OWN int pthread_mutexattr_destroy(pthread_mutexattr_t *a) { (void)a; return 0; }
OWN int pthread_mutexattr_settype(pthread_mutexattr_t *a, int type) { a->state = type; return 0; }
OWN int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *a) { (void)a; lock->state = 0; return 0; }
OWN int pthread_rwlock_destroy(pthread_rwlock_t *lock) { (void)lock; return 0; }
OWN int pthread_rwlock_rdlock(pthread_rwlock_t *lock) { (void)lock; asked(); return 0; }
OWN int pthread_rwlock_wrlock(pthread_rwlock_t *lock) { (void)lock; asked(); return 0; }
OWN int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) { (void)lock; asked(); return 0; }
OWN int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) { (void)lock; asked(); return 0; }
OWN int pthread_rwlock_unlock(pthread_rwlock_t *lock) { (void)lock; return 0; }
OWN int pthread_spin_init(pthread_spinlock_t *lock, int shared) { (void)shared; lock->state = 0; return 0; }
OWN int pthread_spin_destroy(pthread_spinlock_t *lock) { (void)lock; return 0; }
OWN int pthread_spin_lock(pthread_spinlock_t *lock) { return pthread_mutex_lock(lock); }
OWN int pthread_spin_trylock(pthread_spinlock_t *lock) { return pthread_mutex_trylock(lock); }
OWN int pthread_spin_unlock(pthread_spinlock_t *lock) { return pthread_mutex_unlock(lock); }

OWN int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a) { (void)a; c->state = 0; return 0; }
OWN int pthread_cond_destroy(pthread_cond_t *c) { (void)c; return 0; }
/* A condition counts the signals, so that one who waits sees whether the others gave one. */
OWN int pthread_cond_signal(pthread_cond_t *c) { c->state++; return 0; }
OWN int pthread_cond_broadcast(pthread_cond_t *c) { c->state++; return 0; }
OWN int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *mutex) {
    int before = c->state, held = mutex->state;
    mutex->state &= ~HELD;
    while (c->state == before && waiting) run(waiting);
    if (c->state == before) world_unsupported("pthread_cond_wait for a thread that waits for this one");
    mutex->state = held;
    return 0;
}
OWN int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *mutex, const struct timespec *until) {
    (void)until;
    int before = c->state, held = mutex->state;
    mutex->state &= ~HELD;
    while (c->state == before && waiting) run(waiting);
    mutex->state = held;
    return c->state == before ? ETIMEDOUT : 0;
}
OWN int pthread_condattr_init(pthread_condattr_t *a) { a->state = 0; return 0; }
OWN int pthread_condattr_destroy(pthread_condattr_t *a) { (void)a; return 0; }
OWN int pthread_condattr_setclock(pthread_condattr_t *a, clockid_t clock) { (void)a; (void)clock; return 0; }
OWN int pthread_attr_init(pthread_attr_t *a) { a->state = 0; return 0; }
OWN int pthread_attr_destroy(pthread_attr_t *a) { (void)a; return 0; }
OWN int pthread_attr_setdetachstate(pthread_attr_t *a, int state) { a->state = state; return 0; }
OWN int pthread_attr_setstacksize(pthread_attr_t *a, size_t size) { (void)a; (void)size; return 0; }

static int *count_of(sem_t *s) { return (int *)s; }
OWN int sem_init(sem_t *s, int shared, unsigned value) { (void)shared; *count_of(s) = (int)value; return 0; }
OWN int sem_destroy(sem_t *s) { (void)s; return 0; }
OWN int sem_post(sem_t *s) { ++*count_of(s); return 0; }
OWN int sem_getvalue(sem_t *s, int *value) { *value = *count_of(s); return 0; }
OWN int sem_trywait(sem_t *s) {
    asked();
    if (*count_of(s) > 0) return --*count_of(s), 0;
    errno = EAGAIN;
    return -1;
}
OWN int sem_wait(sem_t *s) {
    while (*count_of(s) <= 0 && waiting) run(waiting);
    if (*count_of(s) <= 0) world_unsupported("sem_wait for a thread that waits for this one");
    --*count_of(s);
    return 0;
}

/* Time stands still, and the others have theirs. */
OWN int sched_yield(void) { run_others(); return 0; }
OWN int nanosleep(const struct timespec *time, struct timespec *left) { (void)time; (void)left; run_others(); return 0; }
OWN int usleep(useconds_t time) { (void)time; run_others(); return 0; }
OWN unsigned sleep(unsigned time) { (void)time; run_others(); return 0; }

/* The names of C11. */
static void *start_c11(void *both) {
    void **given = both;
    thrd_start_t start = (thrd_start_t)given[0];
    void *argument = given[1];
    free(both);
    return (void *)(long)start(argument);
}
OWN int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
    void **both = malloc(2 * sizeof *both);
    if (!both) return thrd_nomem;
    both[0] = (void *)start;
    both[1] = argument;
    return pthread_create((pthread_t *)thread, 0, start_c11, both) ? thrd_nomem : thrd_success;
}
OWN void thrd_exit(int result) { pthread_exit((void *)(long)result); }
OWN int thrd_join(thrd_t thread, int *result) {
    void *value = 0;
    int error = pthread_join((pthread_t)thread, &value);
    if (result) *result = (int)(long)value;
    return error ? thrd_error : thrd_success;
}
OWN int thrd_detach(thrd_t thread) { pthread_detach((pthread_t)thread); return thrd_success; }
OWN thrd_t thrd_current(void) { return (thrd_t)current; }
OWN void thrd_yield(void) { run_others(); }
OWN int thrd_sleep(const struct timespec *time, struct timespec *left) { return nanosleep(time, left); }
OWN int mtx_init(mtx_t *mutex, int type) { *(int *)mutex = type & mtx_recursive ? RECURSIVE : 0; return thrd_success; }
OWN void mtx_destroy(mtx_t *mutex) { (void)mutex; }
OWN int mtx_lock(mtx_t *mutex) { pthread_mutex_lock((pthread_mutex_t *)mutex); return thrd_success; }
OWN int mtx_trylock(mtx_t *mutex) { return pthread_mutex_trylock((pthread_mutex_t *)mutex) ? thrd_busy : thrd_success; }
OWN int mtx_unlock(mtx_t *mutex) { pthread_mutex_unlock((pthread_mutex_t *)mutex); return thrd_success; }
OWN int cnd_init(cnd_t *c) { *(int *)c = 0; return thrd_success; }
OWN void cnd_destroy(cnd_t *c) { (void)c; }
OWN int cnd_signal(cnd_t *c) { ++*(int *)c; return thrd_success; }
OWN int cnd_broadcast(cnd_t *c) { ++*(int *)c; return thrd_success; }
OWN int cnd_wait(cnd_t *c, mtx_t *mutex) { pthread_cond_wait((pthread_cond_t *)c, (pthread_mutex_t *)mutex); return thrd_success; }
OWN void call_once(once_flag *once, void (*start)(void)) { pthread_once((pthread_once_t *)once, start); }
