#define _GNU_SOURCE
#include "CInterleaving.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

#if defined(__APPLE__)
#include <crt_externs.h>
#else
#include <unistd.h>
#endif

static _Thread_local void *current;

void *interleaving_current(void) { return current; }
void interleaving_set_current(void *simulation) { current = simulation; }

// Task IDs count up, so each of the newest 65,536 tasks has its own place.
enum { places = 1 << 16 };
static _Atomic uint64_t watched[places];

void interleaving_watch(uint64_t task) {
    atomic_store_explicit(&watched[task % places], task, memory_order_relaxed);
}

bool interleaving_is_watched(uint64_t task) {
    return task != 0 && atomic_load_explicit(&watched[task % places], memory_order_relaxed) == task;
}

struct start {
    void (*body)(void *);
    void *context;
};

enum { signal_stack = 64 << 10 };

static void *begin(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    // Named from within: by the time its starter could, it may have ended, and its handle be no longer valid.
#if defined(__linux__)
    pthread_setname_np(pthread_self(), "interleaving");
#else
    pthread_setname_np("interleaving");
#endif
    // A signal handler cannot run on a stack that has overflowed.
    stack_t stack = {.ss_sp = malloc(signal_stack), .ss_size = signal_stack};
    if (stack.ss_sp != NULL) sigaltstack(&stack, NULL);
    start.body(start.context);
    interleaving_free_fibers();
    interleaving_free_hops();
    interleaving_free_locks();
    if (stack.ss_sp != NULL) {
        stack_t none = {.ss_flags = SS_DISABLE};
        sigaltstack(&none, NULL);
        free(stack.ss_sp);
    }
    return NULL;
}

int interleaving_start_thread(void (*body)(void *), void *context) {
    struct start *start = malloc(sizeof *start);
    if (start == NULL) return 12;  // ENOMEM
    *start = (struct start){body, context};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // As much as a main thread has: the code under test may recurse as deeply as elsewhere.
    pthread_attr_setstacksize(&attributes, 8 << 20);
    pthread_t thread;
    int error = pthread_create(&thread, &attributes, begin, start);
    pthread_attr_destroy(&attributes);
    if (error != 0) free(start);
    return error;
}

void interleaving_thread_name(char *name, int capacity) {
    if (pthread_getname_np(pthread_self(), name, (size_t)capacity) != 0 && capacity > 0) name[0] = 0;
}

const char *interleaving_environment(const char *name) { return getenv(name); }

char **interleaving_environment_variables(void) {
#if defined(__APPLE__)
    return *_NSGetEnviron();
#else
    return environ;
#endif
}
