#define _GNU_SOURCE
#include "CInterleaving.h"

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
    nanosleep(&time, NULL);
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

// Every run begins at 2001-09-09T01:46:40Z on every clock.
static const int64_t beginning = 1000000000;

__attribute__((weak)) int clock_gettime(clockid_t clock, struct timespec *time) {
    if (interleaving_current() != NULL && clock != CLOCK_THREAD_CPUTIME_ID &&
        clock != CLOCK_PROCESS_CPUTIME_ID) {
        interleaving_see(INTERLEAVING_CLOCK);
        time->tv_sec = beginning + now / 1000000000;
        time->tv_nsec = now % 1000000000;
        return 0;
    }
    if (system_clock == NULL) return (int)syscall(SYS_clock_gettime, clock, time);
    return system_clock(clock, time);
}

// These read the clock without that function.

__attribute__((weak)) time_t time(time_t *result) {
    struct timespec moment;
    clock_gettime(CLOCK_REALTIME, &moment);
    if (result != NULL) *result = moment.tv_sec;
    return moment.tv_sec;
}

__attribute__((weak)) int gettimeofday(struct timeval *result, void *zone) {
    (void)zone;
    struct timespec moment;
    clock_gettime(CLOCK_REALTIME, &moment);
    if (result != NULL) *result = (struct timeval){moment.tv_sec, moment.tv_nsec / 1000};
    return 0;
}

__attribute__((weak)) int timespec_get(struct timespec *result, int base) {
    if (base != TIME_UTC) return 0;
    clock_gettime(CLOCK_REALTIME, result);
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
