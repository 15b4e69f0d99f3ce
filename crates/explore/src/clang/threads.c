/* Threads, one after the other: a thread runs to its end where it is created. What needs another thread to go on meanwhile ends the run
   as unsupported. A program's own functions of these names come first. */
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

#define OWN __attribute__((weak))
__attribute__((import_module("soundline"), import_name("unsupported"), noreturn)) void world_unsupported(const char *name);

struct soundline_thread { jmp_buf end; void *result; struct soundline_thread *outer; };
static struct soundline_thread first, *current = &first;
enum { KEYS = 64, BUSY = 10, INVALID = 28 };
static const void *values[KEYS];
static unsigned keys;

OWN int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    (void)attributes;
    struct soundline_thread *own = calloc(1, sizeof *own);
    if (!own) return 6;
    *thread = own;
    own->outer = current;
    current = own;
    if (setjmp(own->end) == 0) own->result = start(argument);
    current = own->outer;
    return 0;
}
OWN void pthread_exit(void *result) {
    if (current == &first) exit(0);
    current->result = result;
    longjmp(current->end, 1);
}
OWN int pthread_join(pthread_t thread, void **result) {
    if (result) *result = thread->result;
    if (thread != &first) free(thread);
    return 0;
}
OWN int pthread_detach(pthread_t thread) { if (thread != &first) free(thread); return 0; }
OWN pthread_t pthread_self(void) { return current; }
OWN int pthread_equal(pthread_t a, pthread_t b) { return a == b; }
OWN int pthread_once(pthread_once_t *once, void (*start)(void)) { if (!once->state) { once->state = 1; start(); } return 0; }
OWN int pthread_key_create(pthread_key_t *key, void (*end)(void *)) { (void)end; if (keys == KEYS) return 6; *key = keys++; return 0; }
OWN int pthread_key_delete(pthread_key_t key) { (void)key; return 0; }
OWN void *pthread_getspecific(pthread_key_t key) { return key < KEYS ? (void *)values[key] : 0; }
OWN int pthread_setspecific(pthread_key_t key, const void *value) { if (key >= KEYS) return INVALID; values[key] = value; return 0; }
OWN int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *a) { mutex->state = a && a->state == 1 ? 1 << 16 : 0; return 0; }
OWN int pthread_mutex_destroy(pthread_mutex_t *mutex) { (void)mutex; return 0; }
OWN int pthread_mutex_lock(pthread_mutex_t *mutex) {
    /* Who holds it has ended or is this thread, which would wait for ever. */
    if ((mutex->state & 0xffff) && !(mutex->state >> 16)) world_unsupported("pthread_mutex_lock of a mutex that is held");
    mutex->state++;
    return 0;
}
OWN int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    if ((mutex->state & 0xffff) && !(mutex->state >> 16)) return BUSY;
    mutex->state++;
    return 0;
}
OWN int pthread_mutex_unlock(pthread_mutex_t *mutex) { if (mutex->state & 0xffff) mutex->state--; return 0; }
OWN int pthread_mutexattr_init(pthread_mutexattr_t *a) { a->state = 0; return 0; }
OWN int pthread_mutexattr_destroy(pthread_mutexattr_t *a) { (void)a; return 0; }
OWN int pthread_mutexattr_settype(pthread_mutexattr_t *a, int type) { a->state = type; return 0; }
OWN int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *a) { (void)a; lock->state = 0; return 0; }
OWN int pthread_rwlock_destroy(pthread_rwlock_t *lock) { (void)lock; return 0; }
OWN int pthread_rwlock_rdlock(pthread_rwlock_t *lock) { (void)lock; return 0; }
OWN int pthread_rwlock_wrlock(pthread_rwlock_t *lock) { (void)lock; return 0; }
OWN int pthread_rwlock_unlock(pthread_rwlock_t *lock) { (void)lock; return 0; }
OWN int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a) { (void)a; c->state = 0; return 0; }
OWN int pthread_cond_destroy(pthread_cond_t *c) { (void)c; return 0; }
OWN int pthread_cond_signal(pthread_cond_t *c) { (void)c; return 0; }
OWN int pthread_cond_broadcast(pthread_cond_t *c) { (void)c; return 0; }
OWN int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) { (void)c; (void)m; world_unsupported("pthread_cond_wait"); }
OWN int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *until) {
    (void)c; (void)m; (void)until;
    world_unsupported("pthread_cond_timedwait");
}
OWN int pthread_attr_init(pthread_attr_t *a) { a->state = 0; return 0; }
OWN int pthread_attr_destroy(pthread_attr_t *a) { (void)a; return 0; }
OWN int pthread_attr_setdetachstate(pthread_attr_t *a, int state) { (void)a; (void)state; return 0; }
OWN int pthread_attr_setstacksize(pthread_attr_t *a, size_t size) { (void)a; (void)size; return 0; }
