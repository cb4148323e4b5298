#define _GNU_SOURCE
#include "CInterleaving.h"
#include "stack.h"

#include <stddef.h>

// A sleep of a thread in a simulation takes virtual time, as one of a task does. On a fiber others go on meanwhile, and what runs there goes
// on when they all wait. Where jobs run whole nothing can come in, so time only goes by, and that is noted.

static _Thread_local void (*sleep_until)(const void *moment, bool (*is_over)(const void *moment), int64_t deadline, uintptr_t place);

static _Thread_local struct interleaving_whole_sleep whole;

void interleaving_take_sleeps(void (*sleep)(const void *, bool (*)(const void *), int64_t, uintptr_t)) { sleep_until = sleep; }

bool interleaving_slept_in_whole(struct interleaving_whole_sleep *sleep) {
    *sleep = whole;
    return whole.name != NULL;
}

void interleaving_clear_whole_sleep(void) { whole.name = NULL; }

#if defined(__linux__)
#if !defined(SANITIZED)

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

enum { second = 1000000000 };

static bool is_over(const void *moment) { return interleaving_now() >= *(const int64_t *)moment; }

/// Whether this thread's sleeps take virtual time.
static bool is_virtual(void) { return interleaving_current() != NULL && sleep_until != NULL; }

/// Sleeps until some nanoseconds after the run began.
static void sleep_to(int64_t deadline, const char *name, const void *return_address) {
    if (interleaving_fiber() >= 0) return sleep_until(&deadline, is_over, deadline, interleaving_caller_or_beyond(return_address));
    if (whole.name == NULL) whole = (struct interleaving_whole_sleep){name, interleaving_unwound_caller(return_address)};
    sleep_until(&deadline, is_over, deadline, 0);
}

static void sleep_for(int64_t nanoseconds, const char *name, const void *return_address) {
    int64_t deadline;
    if (__builtin_add_overflow(interleaving_now(), nanoseconds, &deadline)) deadline = INT64_MAX;
    sleep_to(deadline, name, return_address);
}

/// - Returns: Whether it is a duration, or a moment.
static bool is_time(const struct timespec *time) {
    return time != NULL && time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < second;
}

/// The nanoseconds of a duration; the most there are if it is longer.
static int64_t nanoseconds_of(int64_t seconds, int64_t nanoseconds) {
    int64_t sum;
    if (__builtin_mul_overflow(seconds, (int64_t)second, &sum) || __builtin_add_overflow(sum, nanoseconds, &sum)) return INT64_MAX;
    return sum;
}

// Each is weak, because a static link has the library's own definition. Then it takes real time, as with a sanitizer, which has its own, too.
// The C library calls none of them by its name to do another, so each is here. Before the constructors have run, nothing is found yet.
#define REAL(result, name, parameters)                                        \
    typedef result name##_function parameters;                                \
    static name##_function *real_##name;                                      \
    __attribute__((constructor)) static void find_##name(void) {              \
        real_##name = (name##_function *)dlsym(RTLD_NEXT, #name);             \
    }                                                                         \
    static inline name##_function *the_##name(void) {                         \
        if (real_##name == NULL) find_##name();                               \
        return real_##name;                                                   \
    }

#define CALLER __builtin_return_address(0)

REAL(int, nanosleep, (const struct timespec *, struct timespec *))
REAL(int, clock_nanosleep, (clockid_t, int, const struct timespec *, struct timespec *))
REAL(int, usleep, (useconds_t))
REAL(unsigned, sleep, (unsigned))
REAL(int, thrd_sleep, (const struct timespec *, struct timespec *))
REAL(int, poll, (struct pollfd *, nfds_t, int))
REAL(int, ppoll, (struct pollfd *, nfds_t, const struct timespec *, const sigset_t *))
REAL(int, select, (int, fd_set *, fd_set *, fd_set *, struct timeval *))
REAL(int, pselect, (int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *))

__attribute__((weak)) int nanosleep(const struct timespec *duration, struct timespec *rest) {
    // What is no duration is refused as ever.
    if (!is_virtual() || !is_time(duration)) return the_nanosleep()(duration, rest);
    sleep_for(nanoseconds_of(duration->tv_sec, duration->tv_nsec), "nanosleep", CALLER);
    return 0;
}

__attribute__((weak)) int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
    bool is_clock_virtual = clock != CLOCK_THREAD_CPUTIME_ID && clock != CLOCK_PROCESS_CPUTIME_ID;
    if (!is_virtual() || !is_clock_virtual || !is_time(time)) return the_clock_nanosleep()(clock, flags, time, rest);
    int64_t nanoseconds = nanoseconds_of(time->tv_sec, time->tv_nsec);
    if ((flags & TIMER_ABSTIME) == 0) sleep_for(nanoseconds, "clock_nanosleep", CALLER);
    else sleep_to(nanoseconds - (int64_t)interleaving_beginning * second, "clock_nanosleep", CALLER);
    return 0;
}

__attribute__((weak)) int usleep(useconds_t microseconds) {
    if (!is_virtual()) return the_usleep()(microseconds);
    sleep_for((int64_t)microseconds * 1000, "usleep", CALLER);
    return 0;
}

__attribute__((weak)) unsigned sleep(unsigned seconds) {
    if (!is_virtual()) return the_sleep()(seconds);
    sleep_for((int64_t)seconds * second, "sleep", CALLER);
    return 0;
}

__attribute__((weak)) int thrd_sleep(const struct timespec *duration, struct timespec *rest) {
    if (!is_virtual() || !is_time(duration)) return the_thrd_sleep()(duration, rest);
    sleep_for(nanoseconds_of(duration->tv_sec, duration->tv_nsec), "thrd_sleep", CALLER);
    return 0;
}

// Of nothing that could come, each of these waits only for its limit on time.

__attribute__((weak)) int poll(struct pollfd *files, nfds_t count, int milliseconds) {
    if (count > 0 || milliseconds < 0 || !is_virtual()) return the_poll()(files, count, milliseconds);
    sleep_for((int64_t)milliseconds * 1000000, "poll", CALLER);
    return 0;
}

__attribute__((weak)) int ppoll(struct pollfd *files, nfds_t count, const struct timespec *limit, const sigset_t *mask) {
    if (count > 0 || !is_virtual() || !is_time(limit)) return the_ppoll()(files, count, limit, mask);
    sleep_for(nanoseconds_of(limit->tv_sec, limit->tv_nsec), "ppoll", CALLER);
    return 0;
}

__attribute__((weak)) int select(int count, fd_set *reading, fd_set *writing, fd_set *failing, struct timeval *limit) {
    bool waits = limit != NULL && limit->tv_sec >= 0 && limit->tv_usec >= 0 && limit->tv_usec < 1000000;
    if (count > 0 || !waits || !is_virtual()) return the_select()(count, reading, writing, failing, limit);
    sleep_for(nanoseconds_of(limit->tv_sec, limit->tv_usec * 1000), "select", CALLER);
    *limit = (struct timeval){0, 0};
    return 0;
}

__attribute__((weak)) int pselect(int count, fd_set *reading, fd_set *writing, fd_set *failing, const struct timespec *limit,
                                  const sigset_t *mask) {
    if (count > 0 || !is_virtual() || !is_time(limit)) return the_pselect()(count, reading, writing, failing, limit, mask);
    sleep_for(nanoseconds_of(limit->tv_sec, limit->tv_nsec), "pselect", CALLER);
    return 0;
}

#endif
#endif
