// Lets the clocks of one program jump: preloaded, it adds what the file /run/crowd-clock says to two of them, in seconds. The
// machine's own clocks stay as they are.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    // The wall clock is set back and forth; the time since the start leaps when a machine was asleep.
    if (result != 0 || (clock != CLOCK_REALTIME && clock != CLOCK_BOOTTIME)) return result;
    char text[64] = {0};
    long wall = 0, start = 0;
    int file = open("/run/crowd-clock", O_RDONLY | O_CLOEXEC);
    if (file < 0) return result;
    if (read(file, text, sizeof text - 1) > 0) sscanf(text, "%ld %ld", &wall, &start);
    close(file);
    time->tv_sec += clock == CLOCK_REALTIME ? wall : start;
    return result;
}
