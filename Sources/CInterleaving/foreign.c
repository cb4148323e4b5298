#define _GNU_SOURCE
#include "CInterleaving.h"
#include "sanitized.h"

#include <stddef.h>

// What a body hands to another thread leaves the simulation: when that thread does it is chance. The definitions here note the first time
// that this happens on the thread of a simulation, and from where, and pass everything on. So it is known each time, whether or not the
// other thread was quick enough to be seen.

static _Thread_local const char *what;
static _Thread_local uintptr_t place;

const char *interleaving_foreign_work(uintptr_t *from) {
    *from = place;
    return what;
}

void interleaving_clear_foreign_work(void) { what = NULL; }

#if defined(__linux__)

#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <string.h>

// The call in the code under test: the first one that is in no library of the system or of Swift.
static uintptr_t caller(void) {
    // Between it and this function are the layers of Dispatch, Foundation and the C library.
    enum { depth = 64, own = 3 };
    static const char *const layers[] = {"/libc.so", "/libdispatch", "/libFoundation", "/libswift", "/lib_Foundation", "/libBlocksRuntime"};
    void *frames[depth];
    int count = backtrace(frames, depth);
    for (int frame = own; frame < count; frame++) {
        Dl_info info;
        // The address after a call may belong to the next line.
        uintptr_t address = (uintptr_t)frames[frame] - 1;
        if (dladdr((void *)address, &info) == 0 || info.dli_fname == NULL) continue;
        int layer = 0;
        while (layer < (int)(sizeof layers / sizeof *layers) && strstr(info.dli_fname, layers[layer]) == NULL) layer++;
        if (layer == (int)(sizeof layers / sizeof *layers)) return address;
    }
    return 0;
}

static void __attribute__((noinline)) note(const char *name) {
    if (what != NULL || interleaving_current() == NULL) return;
    place = caller();
    what = name;
}

// Each is weak, because a static link has the library's own definition. Then only what resumes a task is seen, if it comes in time.
#define FOREIGN(result, name, word, parameters, arguments)                                                       \
    typedef result name##_function parameters;                                                                   \
    static name##_function *real_##name;                                                                         \
    __attribute__((constructor)) static void find_##name(void) {                                                 \
        real_##name = (name##_function *)dlsym(RTLD_NEXT, #name);                                                \
    }                                                                                                            \
    __attribute__((weak)) result name parameters;                                                                \
    __attribute__((weak, noinline)) result name parameters {                                                     \
        note(word);                                                                                              \
        /* Before the constructors have run, nothing is found yet. */                                            \
        if (real_##name == NULL) find_##name();                                                                  \
        return real_##name arguments;                                                                            \
    }

FOREIGN(void, dispatch_async, "DispatchQueue.async", (void *queue, void *block), (queue, block))
FOREIGN(void, dispatch_async_f, "dispatch_async_f", (void *queue, void *context, void (*work)(void *)), (queue, context, work))
FOREIGN(void, dispatch_barrier_async, "DispatchQueue.async", (void *queue, void *block), (queue, block))
FOREIGN(void, dispatch_barrier_async_f, "dispatch_barrier_async_f", (void *queue, void *context, void (*work)(void *)),
        (queue, context, work))
FOREIGN(void, dispatch_after, "DispatchQueue.asyncAfter", (uint64_t time, void *queue, void *block), (time, queue, block))
FOREIGN(void, dispatch_after_f, "dispatch_after_f", (uint64_t time, void *queue, void *context, void (*work)(void *)),
        (time, queue, context, work))
FOREIGN(void, dispatch_apply, "DispatchQueue.concurrentPerform", (size_t count, void *queue, void *block), (count, queue, block))
FOREIGN(void, dispatch_group_async, "DispatchQueue.async", (void *group, void *queue, void *block), (group, queue, block))
FOREIGN(void, dispatch_group_async_f, "dispatch_group_async_f",
        (void *group, void *queue, void *context, void (*work)(void *)), (group, queue, context, work))
FOREIGN(void, dispatch_group_notify, "DispatchGroup.notify", (void *group, void *queue, void *block), (group, queue, block))
FOREIGN(void, dispatch_resume, "the start of a DispatchSource", (void *object), (object))
FOREIGN(void, dispatch_activate, "the start of a DispatchSource", (void *object), (object))

// Nobody runs the run loop of a simulation's thread, and another thread's is another thread.
FOREIGN(void, CFRunLoopAddTimer, "a timer of a RunLoop", (void *loop, void *timer, void *mode), (loop, timer, mode))
FOREIGN(void, CFRunLoopPerformBlock, "RunLoop.perform", (void *loop, void *mode, void *block), (loop, mode, block))

#if !defined(SANITIZED)
FOREIGN(int, pthread_create, "the start of a thread",
        (pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument),
        (thread, attributes, body, argument))
#endif

#endif
