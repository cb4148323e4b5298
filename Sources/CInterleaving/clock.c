#define _GNU_SOURCE
#include "CInterleaving.h"
#include "stack.h"

#include <stddef.h>
#include <time.h>

#if defined(__linux__)
#include <dlfcn.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#endif

static _Thread_local int64_t now;

int64_t interleaving_now(void) { return now; }
void interleaving_set_now(int64_t nanoseconds) { now = nanoseconds; }

void interleaving_pause(int milliseconds) {
    struct timespec time = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};
#if defined(__linux__)
    // In a simulation, `nanosleep` takes virtual time.
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, NULL);
#else
    nanosleep(&time, NULL);
#endif
}

/// How much time goes by at each look at a clock, in nanoseconds.
static _Thread_local int64_t haste;

void interleaving_hurry(bool hurries) { haste = hurries ? 1000000 : 0; }

static _Thread_local bool awaits_look, has_looked;
static _Thread_local uintptr_t looked_at;

void interleaving_await_clock_look(void) {
    awaits_look = true;
    has_looked = false;
}

bool interleaving_clock_look(uintptr_t *place) {
    awaits_look = false;
    *place = looked_at;
    return has_looked;
}

#if defined(__linux__)

// The definition of `clock_gettime` in an executable takes precedence over the C library's for every library of the process. So the
// clocks of Swift, Foundation and Dispatch read virtual time on the thread of a simulation and the system's time on all others.
// It is weak so that a static link, which has the C library's definition, still links.

typedef int (*clock_function)(clockid_t, struct timespec *);

// Set before main, so that reading it needs no lock.
static clock_function system_clock;

__attribute__((constructor)) static void find_system_clock(void) {
    system_clock = (clock_function)dlsym(RTLD_NEXT, "clock_gettime");
}

/// Notes who looks at a clock, once.
static void __attribute__((noinline)) note_look(const void *return_address) {
    awaits_look = false;
    has_looked = true;
    looked_at = interleaving_unwound_caller(return_address);
}

static void hurry(void) {
    // Beyond some centuries, deadlines would overflow.
    if (now > INT64_MAX / 8) return;
    now += haste;
    haste *= 2;
}

static int read_clock(clockid_t clock, struct timespec *time, const void *return_address) {
    if (interleaving_current() != NULL && clock != CLOCK_THREAD_CPUTIME_ID &&
        clock != CLOCK_PROCESS_CPUTIME_ID) {
        interleaving_see(INTERLEAVING_CLOCK);
        if (awaits_look) note_look(return_address);
        if (haste > 0) hurry();
        time->tv_sec = interleaving_beginning + now / 1000000000;
        time->tv_nsec = now % 1000000000;
        return 0;
    }
    if (system_clock == NULL) return (int)syscall(SYS_clock_gettime, clock, time);
    return system_clock(clock, time);
}

#define CALLER __builtin_return_address(0)

__attribute__((weak)) int clock_gettime(clockid_t clock, struct timespec *time) { return read_clock(clock, time, CALLER); }

// These read the clock without that function.

__attribute__((weak)) time_t time(time_t *result) {
    struct timespec moment;
    read_clock(CLOCK_REALTIME, &moment, CALLER);
    if (result != NULL) *result = moment.tv_sec;
    return moment.tv_sec;
}

__attribute__((weak)) int gettimeofday(struct timeval *result, void *zone) {
    (void)zone;
    struct timespec moment;
    read_clock(CLOCK_REALTIME, &moment, CALLER);
    if (result != NULL) *result = (struct timeval){moment.tv_sec, moment.tv_nsec / 1000};
    return 0;
}

__attribute__((weak)) int timespec_get(struct timespec *result, int base) {
    if (base != TIME_UTC) return 0;
    read_clock(CLOCK_REALTIME, result, CALLER);
    return base;
}

bool interleaving_clock_is_virtual(void) {
    return dlsym(RTLD_DEFAULT, "clock_gettime") == (void *)&clock_gettime;
}

int64_t interleaving_system_time(void) {
    struct timespec time;
    if (system_clock != NULL) system_clock(CLOCK_MONOTONIC, &time);
    else syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

#else

// Where each library is bound to the library that it was linked with, an executable cannot replace a function for the others.
bool interleaving_clock_is_virtual(void) { return false; }

int64_t interleaving_system_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

#endif
