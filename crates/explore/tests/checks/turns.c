/* Threads that have to take turns: both sides of a small queue, a barrier, locks in the wrong order, a stack of their own that ends. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int slots[2], used, in, out, sum, table[4] = {1, 2, 3, 4};
static unsigned char input[4];

static void *produce(void *nothing) {
    for (int i = 0; i < 8; i++) {
        pthread_mutex_lock(&lock);
        while (used == 2) pthread_cond_wait(&emptied, &lock);
        slots[in++ % 2] = i == 6 ? input[1] : i % 4;
        used++;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    return nothing;
}

static void *consume(void *nothing) {
    for (int i = 0; i < 8; i++) {
        pthread_mutex_lock(&lock);
        while (used == 0) pthread_cond_wait(&filled, &lock);
        int item = slots[out++ % 2];
        used--;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&lock);
        sum += table[item]; // ! index-out-of-bounds ! global-buffer-overflow
    }
    return nothing;
}

static void *first_lock(void *c) {
    pthread_mutex_lock(&lock);
    if (*(unsigned char *)c == 'd') usleep(1);
    pthread_mutex_lock(&other); // ! deadlock
    pthread_mutex_unlock(&other);
    pthread_mutex_unlock(&lock);
    return c;
}

static void *second_lock(void *c) {
    pthread_mutex_lock(&other);
    if (*(unsigned char *)c == 'd') usleep(1);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&other);
    return c;
}

static sem_t ping, pong;
static pthread_barrier_t both;
static int deep(int n) { // ! stack-overflow
    volatile char room[2000];
    room[0] = (char)n;
    return n == 0 ? room[0] : deep(n - 1) + room[0];
}

static void *answer(void *c) {
    static int rounds;
    for (int i = 0; i < 3; i++) {
        sem_wait(&ping);
        rounds++;
        sem_post(&pong);
    }
    pthread_barrier_wait(&both);
    if (*(unsigned char *)c == 's') deep(1000);
    if (*(unsigned char *)c == 'e') pthread_exit(&rounds);
    return &rounds;
}

static void in_turns(void *(*one)(void *), void *(*two)(void *)) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, one, &input[1]);
    pthread_create(&threads[1], 0, two, &input[1]);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
}

int main(void) {
    if (read(0, input, 2) != 2) return 0;
    switch (input[0]) {
    case 1:
        in_turns(consume, produce);
        if (input[1] == 2 && sum != 20) abort();
        return 0;
    case 2: in_turns(first_lock, second_lock); return 0;
    case 3: {
        pthread_t thread;
        void *result;
        pthread_barrier_init(&both, 0, 2);
        pthread_create(&thread, 0, answer, &input[1]);
        for (int i = 0; i < 3; i++) {
            sem_post(&ping);
            sem_wait(&pong);
        }
        pthread_barrier_wait(&both);
        pthread_join(thread, &result);
        if (*(int *)result != 3) abort();
        return 0;
    }
    }
    return 0;
}
