#define _GNU_SOURCE
#include "CInterleaving.h"
#include "sanitized.h"

#include <stddef.h>

// What the system draws on the thread of a simulation follows from the seed of the run, so that a run that draws can be repeated: the
// numbers of `SystemRandomNumberGenerator`, and so `Int.random(in:)` and `shuffled()`. Foundation reads those of `UUID()` from a file.

static _Thread_local uint64_t state;

void interleaving_set_random(uint64_t seed) { state = seed; }

#if defined(__linux__)
#if !defined(SANITIZED)

#include <dlfcn.h>
#include <stdarg.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/types.h>

/// Fills memory with SplitMix64.
static void draw(unsigned char *memory, size_t length) {
    interleaving_see(INTERLEAVING_RANDOM);
    while (length > 0) {
        uint64_t word = state += 0x9E3779B97F4A7C15;
        word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9;
        word = (word ^ (word >> 27)) * 0x94D049BB133111EB;
        word ^= word >> 31;
        size_t part = length < sizeof word ? length : sizeof word;
        memcpy(memory, &word, part);
        memory += part;
        length -= part;
    }
}

// Each definition is weak, because a static link has the C library's.

static long (*system_call)(long, ...);
__attribute__((constructor)) static void find_system_call(void) { system_call = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall"); }

// Swift's runtime draws by it.
__attribute__((weak)) long syscall(long number, ...) {
    va_list arguments;
    va_start(arguments, number);
    long a = va_arg(arguments, long), b = va_arg(arguments, long), c = va_arg(arguments, long);
    long d = va_arg(arguments, long), e = va_arg(arguments, long), f = va_arg(arguments, long);
    va_end(arguments);
    if (number == SYS_getrandom && interleaving_current() != NULL) {
        draw((unsigned char *)a, (size_t)b);
        return b;
    }
    if (system_call == NULL) find_system_call();
    return system_call(number, a, b, c, d, e, f);
}

__attribute__((weak)) ssize_t getrandom(void *memory, size_t length, unsigned flags) {
    if (interleaving_current() == NULL) return syscall(SYS_getrandom, memory, length, flags);
    draw(memory, length);
    return (ssize_t)length;
}

#endif
#endif
