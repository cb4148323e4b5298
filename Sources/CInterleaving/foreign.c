#define _GNU_SOURCE
#include "CInterleaving.h"
#include "sanitized.h"
#include "stack.h"

#include <stddef.h>

// What a body hands to another thread leaves the simulation: when that thread does it is chance. The definitions here note the first time
// that this happens on the thread of a simulation, and from where, and pass everything on. So it is known each time, whether or not the
// other thread was quick enough to be seen.

static _Thread_local struct interleaving_foreign_work work;

bool interleaving_handed_over(struct interleaving_foreign_work *handed) {
    *handed = work;
    return work.name != NULL;
}

void interleaving_clear_foreign_work(void) {
    work.name = NULL;
    interleaving_hurry(false);
}

#if defined(__linux__)

#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <string.h>

/// Which part of a path is of a library of the system or of Swift: the layers between the code under test and a thread.
static const char *const layers[] = {"/libXCTest", "/libTesting", "/lib_Testing", "/libc.so", "/libdispatch", "/libFoundation",
                                     "/libswift", "/lib_Foundation", "/libBlocksRuntime"};
/// How many of them, from the first, are for tests.
enum { testing_layers = 3, layer_count = sizeof layers / sizeof *layers };

/// Whether an address is in a function of the executable that a library has, too: it stands in for that one, or the compiler has copied it.
static bool is_stand_in(uintptr_t address) {
    const char *name = interleaving_is_own(address) ? interleaving_known_name(address) : NULL;
    return name != NULL && dlsym(RTLD_NEXT, name) != NULL;
}

/// Finds the call in the code under test by the frames on the stack, where a library does not say how its stack is unwound.
static uintptr_t find_by_frames(const void *return_address) {
#if defined(CAN_STOP)
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0), address;
    bool is_beyond = false;
    while ((address = interleaving_next_call(&frame)) != 0) {
        bool is_own = interleaving_is_own(address);
        if (!is_own || address + 1 == (uintptr_t)return_address) is_beyond = true;
        if (is_beyond && is_own && interleaving_is_foreign_code(address, false) && !is_stand_in(address)) return address;
    }
#endif
    return 0;
}

/// Finds the call in the code under test.
/// - Parameter entry: Where to write the address in the function of a library for tests that it calls; 0 if it calls none.
/// - Parameter return_address: Where the function that asks returns to: the frames before that are the simulation's.
static uintptr_t find_caller(uintptr_t *entry, const void *return_address) {
    enum { depth = 64 };
    void *frames[depth];
    *entry = 0;
    int count = backtrace(frames, depth), frame = 0;
    while (frame < count && frames[frame] != return_address) frame++;
    for (; frame < count; frame++) {
        Dl_info info;
        // The address after a call may belong to the next line.
        uintptr_t address = (uintptr_t)frames[frame] - 1;
        if (dladdr((void *)address, &info) == 0 || info.dli_fname == NULL) continue;
        int layer = 0;
        while (layer < layer_count && strstr(info.dli_fname, layers[layer]) == NULL) layer++;
        if (layer == layer_count && !is_stand_in(address)) return address;
        // A function that is exported has a name, and it is called by others.
        if (layer < testing_layers && (*entry == 0 || info.dli_sname != NULL)) *entry = address;
    }
    return find_by_frames(return_address);
}

uintptr_t interleaving_unwound_caller(const void *return_address) {
    uintptr_t entry;
    return find_caller(&entry, return_address);
}

/// What an asynchronous function goes on with begins with what its caller goes on with, and where.
struct async_frame {
    const struct async_frame *caller;
    uintptr_t place;
};

/// Where the code under test goes on after it has called an asynchronous function, which keeps no frame of it on the stack.
/// - Parameter found: What is on the stack.
/// - Returns: 0 if neither is known.
static uintptr_t place_beyond(uintptr_t found) {
    bool is_simulations = interleaving_is_own(found) && (!interleaving_is_foreign_code(found, false) || interleaving_begins_job(found));
    if (found != 0 && !is_simulations) return found;
#if defined(CAN_STOP)
    const struct async_frame *frame = interleaving_async_frame();
    uintptr_t place = frame == NULL ? 0 : interleaving_users_place(frame->place, frame->caller);
    if (place != 0 && !interleaving_is_of_library(place)) return place;
#endif
    return 0;
}

static void __attribute__((noinline)) note(const char *name, const void *return_address) {
    if (work.name != NULL || interleaving_current() == NULL) return;
    work.place = place_beyond(find_caller(&work.entry, return_address));
    const struct interleaving_log *log = interleaving_watched_log();
    work.step = log == NULL ? -1 : log->count - 1;
    work.name = name;
    // XCTest goes on waiting by the run loop until its time is over.
    if (work.entry != 0) interleaving_hurry(true);
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
        note(word, __builtin_return_address(0));                                                                 \
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
