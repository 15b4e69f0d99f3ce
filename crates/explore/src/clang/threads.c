/* Threads, one at a time. A thread keeps its turn until it has to wait, or asks for time to pass; then the next one in the order of creation
   that can go on has it. So every run has one fixed order. When nobody can go on, the next sleep or limit of time ends; if there is none, that
   is a deadlock, which ends the run. A program's own functions of these names come first. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define OWN __attribute__((weak))
#define SOUNDLINE(name) __attribute__((import_module("soundline"), import_name(#name)))
SOUNDLINE(unsupported) _Noreturn void world_unsupported(const char *name);
/* Keeps the calls in progress as a thread with a stack of its own: gives 0 now, and 1 to that thread when it has its turn. */
SOUNDLINE(__soundline_part) int world_part(unsigned number, char *stack, unsigned size);
SOUNDLINE(__soundline_turn) int world_turn(unsigned from, unsigned to);
_Noreturn void __soundline_deadlock(void);
/* The exceptions that a thread is handling: C++ alone has them. */
__attribute__((weak)) void *__soundline_handled(void *others);

enum { KEYS = 64, MOST = 64, STACK = 1 << 18, NOBODY = -1 };
/* Who joins another waits as well; that is not what a deadlock comes from. */
enum { GOES_ON, WAITS, JOINS, SLEEPS };
typedef unsigned long long moment;
struct soundline_thread {
    void *(*start)(void *);
    void *argument, *result;
    /* A ring of all that have not ended. */
    struct soundline_thread *next;
    char *stack;
    unsigned number;
    int ended, detached, error;
    /* Who waits looks again when something happened since. A limit of time may end that, too. */
    int state, has_limit, too_late, stuck;
    unsigned seen;
    moment limit;
    /* The condition that it waits for, since when, and whether it came. */
    const void *condition;
    unsigned since;
    int signalled;
    void *handled;
    const void *values[KEYS];
};
static struct soundline_thread first = {.next = &first}, *current = &first;
/* By number, so that none that nobody joins is lost. */
static struct soundline_thread *threads[MOST];
static void (*destructors[KEYS])(void *);
static unsigned keys, calls, happened, order;
static moment now;
/* What the last thread that ended leaves: its stack was in use until the next one had its turn. */
static void *left, *left_too;

static int can_go_on(const struct soundline_thread *thread) {
    return thread->state == GOES_ON || ((thread->state == WAITS || thread->state == JOINS) && thread->seen != happened);
}
static struct soundline_thread *next_turn(void) {
    struct soundline_thread *thread = current, *soonest = 0;
    do {
        thread = thread->next;
        if (can_go_on(thread) && !thread->ended) return thread;
        if (thread->has_limit && (!soonest || thread->limit < soonest->limit)) soonest = thread;
    } while (thread != current);
    if (soonest) {
        if (soonest->limit > now) now = soonest->limit;
        soonest->too_late = 1;
    }
    return soonest;
}
static void clear(void) {
    free(left);
    free(left_too);
    left = left_too = 0;
}
static void give_turn(struct soundline_thread *to) {
    struct soundline_thread *from = current;
    if (to == from) return;
    from->error = errno;
    if (__soundline_handled) from->handled = __soundline_handled(to->handled);
    current = to;
    world_turn(from->number, to->number);
    errno = from->error;
    clear();
}
/* When nobody can go on: the first one that waits for more than another's end has its turn, so that the report shows where. */
static struct soundline_thread *stuck(void) {
    struct soundline_thread *found = 0, *thread = current;
    do {
        if (!thread->ended && (!found || (found->state == JOINS) > (thread->state == JOINS)
                || ((found->state == JOINS) == (thread->state == JOINS) && thread->number < found->number))) found = thread;
        thread = thread->next;
    } while (thread != current);
    found->stuck = 1;
    return found;
}
/* Lets others go on until something happened. Gives 0 if the time is over. */
static int wait_turn(int state, const moment *limit) {
    current->state = state;
    current->seen = happened;
    current->too_late = 0;
    current->has_limit = limit != 0;
    if (limit) current->limit = *limit;
    struct soundline_thread *to = next_turn();
    give_turn(to ? to : stuck());
    if (current->stuck) __soundline_deadlock();
    current->state = GOES_ON;
    current->has_limit = 0;
    return !current->too_late;
}
static void yield(void) {
    struct soundline_thread *thread = current->next;
    while (thread != current && !can_go_on(thread)) thread = thread->next;
    if (thread == current && current->next != current) {
        /* Who asks for nothing but the next turn lets time pass. */
        current->state = SLEEPS;
        thread = next_turn();
        current->state = GOES_ON;
    }
    if (thread) give_turn(thread);
}
/* Who asks again and again waits for somebody. */
static void asked(void) {
    enum { PATIENCE = 256 };
    if (current->next != current && ++calls % PATIENCE == 0) yield();
}
static moment after(const struct timespec *time) {
    if (time->tv_sec < 0) return now;
    return now + (moment)time->tv_sec * 1000000000u + (moment)time->tv_nsec;
}
/* A point in time: the world's clock stands still. */
static moment until(const struct timespec *time) {
    struct timespec clock;
    clock_gettime(CLOCK_REALTIME, &clock);
    struct timespec rest = {time->tv_sec - clock.tv_sec, time->tv_nsec - clock.tv_nsec};
    if (rest.tv_nsec < 0) {
        rest.tv_sec--;
        rest.tv_nsec += 1000000000;
    }
    return after(&rest);
}
static void sleep_until(moment limit) {
    if (current->next == current) return;
    while (wait_turn(SLEEPS, &limit)) {}
}

static _Noreturn void finish(void *result) {
    struct soundline_thread *own = current;
    for (unsigned key = 0; key < keys; key++) {
        void *value = (void *)own->values[key];
        own->values[key] = 0;
        if (value && destructors[key]) destructors[key](value);
    }
    own->result = result;
    own->ended = 1;
    happened++;
    struct soundline_thread *before = own;
    while (before->next != own) before = before->next;
    if (before == own) exit(0);
    own->has_limit = 0;
    struct soundline_thread *to = next_turn();
    if (!to) to = stuck();
    before->next = own->next;
    left = own->stack;
    if (own->detached && own != &first) {
        threads[own->number % MOST] = 0;
        left_too = own;
    }
    if (__soundline_handled) __soundline_handled(to->handled);
    current = to;
    world_turn(NOBODY, to->number);
    __builtin_unreachable();
}
static _Noreturn void begin(void) {
    clear();
    finish(current->start(current->argument));
}
static __attribute__((noinline)) void part(struct soundline_thread *own) {
    if (world_part(own->number, own->stack, STACK)) begin();
}

OWN int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    static unsigned numbers;
    struct soundline_thread *own = 0;
    unsigned number = numbers, tries = 0;
    do number++, tries++;
    while (number % MOST == 0 || (threads[number % MOST] && !threads[number % MOST]->ended && tries < MOST));
    if (tries >= MOST || !(own = calloc(1, sizeof *own))) return EAGAIN;
    if (!(own->stack = malloc(STACK))) {
        free(own);
        return EAGAIN;
    }
    numbers = number;
    threads[number % MOST] = own;
    own->number = number;
    own->start = start;
    own->argument = argument;
    own->detached = attributes && attributes->state == PTHREAD_CREATE_DETACHED;
    struct soundline_thread *last = current;
    for (struct soundline_thread *at = current->next; at != current; at = at->next)
        if (at->number > last->number) last = at;
    own->next = last->next;
    last->next = own;
    *thread = own;
    part(own);
    return 0;
}
OWN void pthread_exit(void *result) { finish(result); }
static void forget(struct soundline_thread *thread) {
    if (thread == &first) return;
    if (threads[thread->number % MOST] == thread) threads[thread->number % MOST] = 0;
    free(thread);
}
OWN int pthread_join(pthread_t thread, void **result) {
    if (thread == current) return EDEADLK;
    while (!thread->ended) wait_turn(JOINS, 0);
    if (result) *result = thread->result;
    forget(thread);
    return 0;
}
OWN int pthread_detach(pthread_t thread) {
    thread->detached = 1;
    if (thread->ended) forget(thread);
    else yield();
    return 0;
}
OWN pthread_t pthread_self(void) { return current; }
OWN int pthread_equal(pthread_t a, pthread_t b) { return a == b; }
OWN int pthread_cancel(pthread_t thread) { (void)thread; world_unsupported("pthread_cancel"); }
OWN int pthread_once(pthread_once_t *once, void (*start)(void)) {
    enum { NOT_YET, RUNS, DONE };
    while (once->state == RUNS) wait_turn(WAITS, 0);
    if (once->state == NOT_YET) {
        once->state = RUNS;
        start();
        once->state = DONE;
        happened++;
    }
    return 0;
}
OWN int pthread_key_create(pthread_key_t *key, void (*end)(void *)) {
    if (keys == KEYS) return EAGAIN;
    destructors[keys] = end;
    *key = keys++;
    return 0;
}
OWN int pthread_key_delete(pthread_key_t key) { if (key < KEYS) destructors[key] = 0; return 0; }
OWN void *pthread_getspecific(pthread_key_t key) { return key < KEYS ? (void *)current->values[key] : 0; }
OWN int pthread_setspecific(pthread_key_t key, const void *value) { if (key >= KEYS) return EINVAL; current->values[key] = value; return 0; }

/* A mutex: how often it is held, and above that what its holder may do again. */
enum { HELD = 0xffff, RECURSIVE = 1 << 16, TELLS = 1 << 17 };
static int take(pthread_mutex_t *mutex) {
    if ((mutex->state & HELD) && !(mutex->owner == current && (mutex->state & RECURSIVE))) return 0;
    mutex->state++;
    mutex->owner = current;
    return 1;
}
OWN int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *a) {
    int type = a ? a->state : PTHREAD_MUTEX_NORMAL;
    mutex->state = type == PTHREAD_MUTEX_RECURSIVE ? RECURSIVE : type == PTHREAD_MUTEX_ERRORCHECK ? TELLS : 0;
    mutex->owner = 0;
    return 0;
}
OWN int pthread_mutex_destroy(pthread_mutex_t *mutex) { (void)mutex; return 0; }
OWN int pthread_mutex_lock(pthread_mutex_t *mutex) {
    asked();
    if ((mutex->state & HELD) && mutex->owner == current && (mutex->state & TELLS)) return EDEADLK;
    while (!take(mutex)) wait_turn(WAITS, 0);
    return 0;
}
OWN int pthread_mutex_trylock(pthread_mutex_t *mutex) { asked(); return take(mutex) ? 0 : EBUSY; }
OWN int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time) {
    moment limit = until(time);
    while (!take(mutex))
        if (!wait_turn(WAITS, &limit)) return ETIMEDOUT;
    return 0;
}
OWN int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    if (mutex->state & HELD) {
        mutex->state--;
        happened++;
    }
    return 0;
}
OWN int pthread_mutexattr_init(pthread_mutexattr_t *a) { a->state = 0; return 0; }
OWN int pthread_mutexattr_destroy(pthread_mutexattr_t *a) { (void)a; return 0; }
OWN int pthread_mutexattr_settype(pthread_mutexattr_t *a, int type) { a->state = type; return 0; }

/* A lock for readers and writers: how many read, or that one writes. */
enum { WRITES = -1 };
OWN int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *a) { (void)a; lock->state = 0; return 0; }
OWN int pthread_rwlock_destroy(pthread_rwlock_t *lock) { (void)lock; return 0; }
OWN int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) { asked(); return lock->state == WRITES ? EBUSY : (lock->state++, 0); }
OWN int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) { asked(); return lock->state != 0 ? EBUSY : (lock->state = WRITES, 0); }
OWN int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    while (pthread_rwlock_tryrdlock(lock)) wait_turn(WAITS, 0);
    return 0;
}
OWN int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    while (pthread_rwlock_trywrlock(lock)) wait_turn(WAITS, 0);
    return 0;
}
OWN int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    if (lock->state > 0) lock->state--;
    else lock->state = 0;
    happened++;
    return 0;
}
OWN int pthread_spin_init(pthread_spinlock_t *lock, int shared) { (void)shared; return pthread_mutex_init(lock, 0); }
OWN int pthread_spin_destroy(pthread_spinlock_t *lock) { (void)lock; return 0; }
OWN int pthread_spin_lock(pthread_spinlock_t *lock) { return pthread_mutex_lock(lock); }
OWN int pthread_spin_trylock(pthread_spinlock_t *lock) { return pthread_mutex_trylock(lock); }
OWN int pthread_spin_unlock(pthread_spinlock_t *lock) { return pthread_mutex_unlock(lock); }

OWN int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a) { (void)a; c->state = 0; return 0; }
OWN int pthread_cond_destroy(pthread_cond_t *c) { (void)c; return 0; }
/* The one that waits for it longest; null if nobody does. */
static struct soundline_thread *waiting_for(const void *condition) {
    struct soundline_thread *found = 0, *thread = current;
    do {
        if (thread->condition == condition && !thread->signalled && (!found || thread->since < found->since)) found = thread;
        thread = thread->next;
    } while (thread != current);
    return found;
}
static int signal_one(const void *condition) {
    struct soundline_thread *thread = waiting_for(condition);
    if (thread) {
        thread->signalled = 1;
        happened++;
    }
    return thread != 0;
}
static int wait_signal(const void *condition, pthread_mutex_t *mutex, const moment *limit) {
    struct soundline_thread *own = current;
    int held = mutex->state;
    own->condition = condition;
    own->since = ++order;
    own->signalled = 0;
    mutex->state &= ~HELD;
    happened++;
    while (!own->signalled && wait_turn(WAITS, limit)) {}
    own->condition = 0;
    while (mutex->state & HELD) wait_turn(WAITS, 0);
    mutex->state = held;
    mutex->owner = own;
    return own->signalled ? 0 : ETIMEDOUT;
}
OWN int pthread_cond_signal(pthread_cond_t *c) { signal_one(c); return 0; }
OWN int pthread_cond_broadcast(pthread_cond_t *c) { while (signal_one(c)) {} return 0; }
OWN int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *mutex) { return wait_signal(c, mutex, 0); }
OWN int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *mutex, const struct timespec *time) {
    moment limit = until(time);
    return wait_signal(c, mutex, &limit);
}
OWN int pthread_condattr_init(pthread_condattr_t *a) { a->state = 0; return 0; }
OWN int pthread_condattr_destroy(pthread_condattr_t *a) { (void)a; return 0; }
OWN int pthread_condattr_setclock(pthread_condattr_t *a, clockid_t clock) { (void)a; (void)clock; return 0; }
OWN int pthread_attr_init(pthread_attr_t *a) { a->state = 0; return 0; }
OWN int pthread_attr_destroy(pthread_attr_t *a) { (void)a; return 0; }
OWN int pthread_attr_setdetachstate(pthread_attr_t *a, int state) { a->state = state; return 0; }
OWN int pthread_attr_setstacksize(pthread_attr_t *a, size_t size) { (void)a; (void)size; return 0; }

OWN int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *a, unsigned count) {
    (void)a;
    *b = (pthread_barrier_t){.count = count};
    return count ? 0 : EINVAL;
}
OWN int pthread_barrier_destroy(pthread_barrier_t *b) { (void)b; return 0; }
OWN int pthread_barrier_wait(pthread_barrier_t *b) {
    unsigned round = b->round;
    if (++b->there == b->count) {
        b->there = 0;
        b->round++;
        happened++;
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    while (b->round == round) wait_turn(WAITS, 0);
    return 0;
}

static int *count_of(sem_t *s) { return (int *)s; }
OWN int sem_init(sem_t *s, int shared, unsigned value) { (void)shared; *count_of(s) = (int)value; return 0; }
OWN int sem_destroy(sem_t *s) { (void)s; return 0; }
OWN int sem_post(sem_t *s) { ++*count_of(s); happened++; return 0; }
OWN int sem_getvalue(sem_t *s, int *value) { *value = *count_of(s); return 0; }
OWN int sem_trywait(sem_t *s) {
    asked();
    if (*count_of(s) > 0) return --*count_of(s), 0;
    errno = EAGAIN;
    return -1;
}
OWN int sem_wait(sem_t *s) {
    while (*count_of(s) <= 0) wait_turn(WAITS, 0);
    --*count_of(s);
    return 0;
}
OWN int sem_timedwait(sem_t *s, const struct timespec *time) {
    moment limit = until(time);
    while (*count_of(s) <= 0)
        if (!wait_turn(WAITS, &limit)) {
            errno = ETIMEDOUT;
            return -1;
        }
    --*count_of(s);
    return 0;
}

OWN int sched_yield(void) { yield(); return 0; }
OWN int nanosleep(const struct timespec *time, struct timespec *rest) { (void)rest; sleep_until(after(time)); return 0; }
OWN int usleep(useconds_t time) { sleep_until(now + (moment)time * 1000); return 0; }
OWN unsigned sleep(unsigned time) { sleep_until(now + (moment)time * 1000000000u); return 0; }

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
OWN void thrd_yield(void) { yield(); }
OWN int thrd_sleep(const struct timespec *time, struct timespec *left) { return nanosleep(time, left); }
OWN int mtx_init(mtx_t *mutex, int type) {
    *(pthread_mutex_t *)mutex = (pthread_mutex_t){.state = type & mtx_recursive ? RECURSIVE : 0};
    return thrd_success;
}
OWN void mtx_destroy(mtx_t *mutex) { (void)mutex; }
OWN int mtx_lock(mtx_t *mutex) { pthread_mutex_lock((pthread_mutex_t *)mutex); return thrd_success; }
OWN int mtx_trylock(mtx_t *mutex) { return pthread_mutex_trylock((pthread_mutex_t *)mutex) ? thrd_busy : thrd_success; }
OWN int mtx_timedlock(mtx_t *mutex, const struct timespec *time) {
    return pthread_mutex_timedlock((pthread_mutex_t *)mutex, time) ? thrd_timedout : thrd_success;
}
OWN int mtx_unlock(mtx_t *mutex) { pthread_mutex_unlock((pthread_mutex_t *)mutex); return thrd_success; }
OWN int cnd_init(cnd_t *c) { *(int *)c = 0; return thrd_success; }
OWN void cnd_destroy(cnd_t *c) { (void)c; }
OWN int cnd_signal(cnd_t *c) { pthread_cond_signal((pthread_cond_t *)c); return thrd_success; }
OWN int cnd_broadcast(cnd_t *c) { pthread_cond_broadcast((pthread_cond_t *)c); return thrd_success; }
OWN int cnd_wait(cnd_t *c, mtx_t *mutex) { pthread_cond_wait((pthread_cond_t *)c, (pthread_mutex_t *)mutex); return thrd_success; }
OWN int cnd_timedwait(cnd_t *c, mtx_t *mutex, const struct timespec *time) {
    return pthread_cond_timedwait((pthread_cond_t *)c, (pthread_mutex_t *)mutex, time) ? thrd_timedout : thrd_success;
}
OWN void call_once(once_flag *once, void (*start)(void)) { pthread_once((pthread_once_t *)once, start); }
