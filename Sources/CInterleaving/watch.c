#define _GNU_SOURCE
#include "CInterleaving.h"
#include "stack.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

// A step that does not end blocks its thread, or never suspends, so only another thread can notice. It counts its own ticks, and no hours:
// while the whole process stands still, in a debugger or with its machine, nothing is blocked.

#if defined(__linux__)

struct interleaving_watch {
    pthread_t watched, watcher;
    const struct interleaving_log *log;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int64_t milliseconds;
    bool leaves, is_over;
};

enum { ticks = 10 };

static int watch_signal(void) { return SIGRTMAX - 3; }

/// How far the run that goes on has come, from 0, in 30 bits; -1 if none does. Another thread counts, and an old number is as good.
__attribute__((no_sanitize("thread"))) static int32_t progress(const struct interleaving_log *log) {
    if (*(volatile const int64_t *)&log->life == 0) return -1;
    int64_t runs = *(volatile const int64_t *)&log->runs, steps = *(volatile const int64_t *)&log->count;
    return (int32_t)((runs * 1000003 + steps * 1009 + *(volatile const int64_t *)&log->life) & 0x3fffffff);
}

static void on_watch_signal(int signal_number, siginfo_t *info, void *context) {
    int error = errno;
    // It may come late, when the run has gone on.
    const struct interleaving_log *log = interleaving_watched_log();
    if (log != NULL && progress(log) == info->si_value.sival_int >> 1) {
        interleaving_leave_blocked(context, (info->si_value.sival_int & 1) != 0);
    }
    errno = error;
}

static void install(void) {
    struct sigaction action = {0};
    action.sa_sigaction = on_watch_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigaction(watch_signal(), &action, NULL);
}

static void *watch(void *argument) {
    struct interleaving_watch *watch = argument;
    int32_t seen = -1;
    int still = 0;
    pthread_mutex_lock(&watch->mutex);
    while (!watch->is_over) {
        // Until it can be left, it is asked again soon.
        int64_t pause = still < ticks ? watch->milliseconds / ticks : 1;
        if (pause < 1) pause = 1;
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += (pause % 1000) * 1000000;
        until.tv_sec += pause / 1000 + until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&watch->changed, &watch->mutex, &until);
        int32_t now = progress(watch->log);
        still = now == seen && now >= 0 ? still + (still < ticks) : 0;
        seen = now;
        if (!watch->is_over && still >= ticks) {
            pthread_sigqueue(watch->watched, watch_signal(), (union sigval){.sival_int = now << 1 | watch->leaves});
        }
    }
    pthread_mutex_unlock(&watch->mutex);
    return NULL;
}

struct interleaving_watch *interleaving_watch_runs(const struct interleaving_log *log, bool leaves, int64_t milliseconds) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    struct interleaving_watch *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    interleaving_know_functions();
    made->watched = pthread_self();
    made->log = log;
    made->leaves = leaves;
    made->milliseconds = milliseconds;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&made->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&made->mutex, NULL);
    // No signal of the process is the business of the watcher.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&made->watcher, NULL, watch, made);
    // The watched thread was perhaps started by one of Dispatch, which takes none.
    sigdelset(&before, watch_signal());
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error == 0) return made;
    free(made);
    return NULL;
}

void interleaving_set_watch(struct interleaving_watch *watch, int64_t milliseconds) {
    pthread_mutex_lock(&watch->mutex);
    watch->milliseconds = milliseconds;
    pthread_cond_signal(&watch->changed);
    pthread_mutex_unlock(&watch->mutex);
}

void interleaving_end_watch(struct interleaving_watch *watch) {
    pthread_mutex_lock(&watch->mutex);
    watch->is_over = true;
    pthread_cond_signal(&watch->changed);
    pthread_mutex_unlock(&watch->mutex);
    pthread_join(watch->watcher, NULL);
    pthread_mutex_destroy(&watch->mutex);
    pthread_cond_destroy(&watch->changed);
    free(watch);
}

#else

struct interleaving_watch *interleaving_watch_runs(const struct interleaving_log *log, bool leaves, int64_t milliseconds) { return NULL; }
void interleaving_set_watch(struct interleaving_watch *watch, int64_t milliseconds) {}
void interleaving_end_watch(struct interleaving_watch *watch) {}

#endif
