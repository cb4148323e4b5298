#define _GNU_SOURCE
#include "CInterleaving.h"
#include "stack.h"

#include <stddef.h>

// All fibers of a simulation are on one thread. A lock that a stopped job holds, and another job wants, would block this thread for ever.
// So the definitions here let a fiber wait for such a lock while others go on, and pass everything else on. A lock that another thread
// holds blocks, as ever.

#if defined(__linux__)
#if !defined(SANITIZED)
#define CAN_WAIT

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// Whether any fiber of the process ever waited for locks; if not, each function here costs as little as can be.
static _Atomic bool is_used;
static _Thread_local void (*wait_for)(const void *lock, bool (*is_free)(const void *lock), uintptr_t place);
/// Stops a fiber before a lock; NULL if it does not stop there.
static _Thread_local void (*stop_before)(uintptr_t place);
/// Stops a fiber after it has let others go on.
static _Thread_local void (*stop_after)(uintptr_t place);
static _Thread_local void (*note)(uint64_t name, uint8_t kind, bool is_lock);

/// The kinds of accesses, as `SharedAccess` has them.
enum { reading = 0, writing = 2 };

/// A lock that is noted.
struct name {
    bool is_noted;
    /// 0 for all that have none.
    uint64_t name;
    /// How what it guards is accessed; another number if that is noted otherwise.
    uint8_t kind;
};

/// What the fiber that runs is about to lock.
static _Thread_local struct {
    const void *lock;
    struct name name;
} announced;

/// A mutex that a fiber of this thread has locked, or a dispatch queue that it is on.
struct held {
    void *lock;
    bool is_queue;
    /// The fiber; -1 for a job that has ended since.
    int32_t fiber;
    /// How often: more than once only if the mutex allows it.
    int32_t depth;
    struct name name;
    /// Whether its fiber was left meanwhile, so that others may have found it locked.
    bool is_long;
};

/// A fiber that waits for a condition variable.
struct waiter {
    const void *condition;
    bool is_woken;
    struct waiter *next;
};

/// In the order in which they began to wait.
static _Thread_local struct waiter *waiters;

static _Thread_local struct held *all_held;
static _Thread_local size_t held_count, held_room;

void interleaving_wait_for_locks(void (*wait)(const void *lock, bool (*is_free)(const void *lock), uintptr_t place)) {
    wait_for = wait;
    held_count = 0;
    waiters = NULL;
    announced.lock = NULL;
    atomic_store_explicit(&is_used, true, memory_order_relaxed);
}

/// Whether the locks of what runs now belong to a fiber.
static inline bool is_on_fiber(void) {
    return atomic_load_explicit(&is_used, memory_order_relaxed) && interleaving_fiber() >= 0 && wait_for != NULL &&
           interleaving_current() != NULL;
}

static struct held *find_held(const void *lock) {
    // Most locks are released in the opposite order.
    for (size_t index = held_count; index > 0; index--) {
        if (all_held[index - 1].lock == lock) return &all_held[index - 1];
    }
    return NULL;
}

static bool is_released(const void *lock) { return find_held(lock) == NULL; }

int32_t interleaving_holder(const void *lock) {
    struct held *held = find_held(lock);
    return held == NULL ? -1 : held->fiber;
}

static void note_locked(void *lock, bool is_queue, struct name name) {
    if (name.is_noted) note(name.name, reading, true);
    struct held *held = find_held(lock);
    if (held != NULL) {
        held->depth++;
        return;
    }
    if (held_count == held_room) {
        size_t room = held_room == 0 ? 16 : held_room * 2;
        struct held *memory = realloc(all_held, room * sizeof *memory);
        if (memory == NULL) abort();
        all_held = memory;
        held_room = room;
    }
    all_held[held_count++] = (struct held){lock, is_queue, interleaving_fiber(), 1, name, false};
}

static void note_unlocked(const void *lock) {
    struct held *held = find_held(lock);
    if (held == NULL || --held->depth > 0) return;
    if (held->is_long && held->name.is_noted) note(held->name.name, writing, true);
    size_t after = (size_t)(&all_held[held_count] - (held + 1));
    for (size_t index = 0; index < after; index++) held[index] = held[index + 1];
    held_count--;
}

void interleaving_stop_at_locks(void (*stop)(uintptr_t), bool at_all, void (*note_access)(uint64_t, uint8_t, bool)) {
    interleaving_know_functions();
    stop_after = stop;
    stop_before = at_all ? stop : NULL;
    note = note_access;
}

void interleaving_announce_lock(const void *mutex, uint64_t name, uint8_t kind) {
    announced.lock = mutex;
    announced.name = (struct name){kind != UINT8_MAX, name, kind};
}

void interleaving_forget_lock(void) { announced.lock = NULL; }

/// Notes that others may find locked what a fiber has.
static void note_held(int32_t fiber) {
    for (size_t index = 0; index < held_count; index++) {
        struct held *held = &all_held[index];
        if (held->fiber != fiber || held->is_long || !held->name.is_noted) continue;
        held->is_long = true;
        note(held->name.name, writing, true);
    }
}

void interleaving_note_held(void) { note_held(interleaving_fiber()); }

void interleaving_disown_locks(int32_t fiber) {
    if (note != NULL) note_held(fiber);
    for (size_t index = 0; index < held_count; index++) {
        if (all_held[index].fiber == fiber) all_held[index].fiber = -1;
    }
}

/// What addresses of calls were found to be.
struct call {
    uintptr_t address;
    /// Whether it is in users' code, or in a lock of Foundation.
    bool is_users;
    bool is_foundations_lock;
    /// Whether it is in the shared library of Foundation.
    bool is_foundations;
};

enum { call_room = 1 << 10 };
/// Of all simulations of the process, of which only one runs at a time: to find out about an address may take milliseconds.
static struct call calls[call_room];

/// Whether a function is one of a lock of Foundation, or a copy that the compiler has made.
/// - Parameter function: Its mangled name; NULL if it is unknown.
static bool is_foundations_lock(const char *function) {
    if (function == NULL) return false;
    static const char *const locks[] = {"$s10Foundation6NSLockC", "$s10Foundation15NSRecursiveLockC", "$s10Foundation11NSConditionC",
                                        "$s10Foundation15NSConditionLockC", "$s10Foundation9NSLocking"};
    for (size_t index = 0; index < sizeof locks / sizeof *locks; index++) {
        if (strncmp(function, locks[index], strlen(locks[index])) == 0) return true;
    }
    return false;
}

static struct call find_out(uintptr_t address) {
    struct call call = {.address = address};
    if (interleaving_is_own(address)) {
        call.is_foundations_lock = is_foundations_lock(interleaving_known_name(address));
        call.is_users = interleaving_is_users_code(address) && !interleaving_is_of_library(address);
    } else {
        Dl_info info;
        if (dladdr((void *)address, &info) == 0) return call;
        call.is_foundations_lock = is_foundations_lock(info.dli_sname);
        call.is_foundations = info.dli_fname != NULL && strstr(info.dli_fname, "/libFoundation.so") != NULL;
    }
    call.is_users = call.is_users || call.is_foundations_lock;
    return call;
}

static struct call known_call(uintptr_t address) {
    size_t index = (address * 0x9E3779B97F4A7C15u) >> 54;
    for (int tries = 0; tries < 8; tries++, index = (index + 1) % call_room) {
        if (calls[index].address == address) return calls[index];
        if (calls[index].address == 0) return calls[index] = find_out(address);
    }
    return find_out(address);
}

/// How many times what runs would have stopped since its fiber went on, and whether that was twice in any step.
static _Thread_local int32_t met;
static _Thread_local bool met_twice;

void interleaving_begin_step(void) { met = 0; }
void interleaving_count_meeting(void) { met_twice = met_twice || ++met > 1; }
bool interleaving_met_twice(void) { return met_twice; }

/// Whether users' code itself does what returns there, or has called a lock of Foundation for it.
static bool is_of_users(const void *return_address) {
    uintptr_t call = (uintptr_t)return_address - 1, address;
    struct call known = known_call(call);
    if (known.is_users) return true;
    if (!known.is_foundations && !(interleaving_is_own(call) && interleaving_is_of_library(call))) return false;
    // A lock of Foundation takes the system's in a function or two, some of which have no name.
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    while ((address = interleaving_next_call(&frame)) != call) {
        if (address == 0) return false;
    }
    for (int depth = 0; depth < 3; depth++) {
        address = interleaving_next_call(&frame);
        if (address == 0) return false;
        struct call beyond = known_call(address);
        if (beyond.is_users) return beyond.is_foundations_lock;
    }
    return false;
}

static bool is_users_on_fiber(const void *return_address) { return is_on_fiber() && is_of_users(return_address); }

/// Whether Foundation does what returns there: it may be what a lock does with a limit on time.
static bool is_of_foundation(const void *return_address) { return known_call((uintptr_t)return_address - 1).is_foundations; }

/// What limits what can be claimed of the run.
static _Thread_local uint32_t seen;

uint32_t interleaving_seen(void) { return seen; }

/// Whether a job runs whole on this thread, and it is counted where it would stop.
static _Thread_local bool counts_in_whole;

bool interleaving_sees_locks(void) { return true; }

void interleaving_count_in_whole(bool counts) {
    if (counts) interleaving_know_functions();
    interleaving_begin_whole_stack(counts ? (uintptr_t)__builtin_frame_address(0) : 0);
    met = 0;
    announced.lock = NULL;
    counts_in_whole = counts;
}

/// Counts what users' code does in a job that runs whole.
/// - Parameter lock: What it does it with, which is not counted if it was announced; NULL for what is no mutex.
static void count_in_whole(const void *lock, const void *return_address, bool tries) {
    if (!counts_in_whole) return;
    bool was_announced = lock != NULL && announced.lock == lock;
    announced.lock = NULL;
    // No more can be learnt of a run that met two.
    if (was_announced || (met_twice && ((seen & INTERLEAVING_TRY) != 0 || !tries))) return;
    // Finding out may take locks.
    counts_in_whole = false;
    if (is_of_users(return_address)) {
        interleaving_count_meeting();
        if (tries) seen |= INTERLEAVING_TRY;
    }
    if (tries && is_of_foundation(return_address)) seen |= INTERLEAVING_TRY;
    counts_in_whole = true;
}

void interleaving_see(uint32_t what) {
    if (counts_in_whole || is_on_fiber()) seen |= what;
}

/// Stops a fiber before what users' code does, or counts that it did not.
/// - Returns: Whether users' code does it on a fiber.
static bool meets(const void *return_address) {
    count_in_whole(NULL, return_address, false);
    if (!is_users_on_fiber(return_address)) return false;
    if (stop_before != NULL) stop_before(interleaving_caller_or_beyond(return_address));
    else interleaving_count_meeting();
    return true;
}

void interleaving_meet(const void *return_address) { meets(return_address); }

// Who cancels a task cancels its children, so all cancellations are one object; and so are all streams.
enum { cancellation = 0xCA, streams = 0x57, priorities = 0xE5 };

static void meet_noting(const void *return_address, uint64_t name, uint8_t kind) {
    if (meets(return_address)) note(name, kind, true);
}

void interleaving_meet_cancellation(const void *return_address) { meet_noting(return_address, cancellation, reading); }
void interleaving_meet_cancel(const void *return_address) {
    interleaving_see(INTERLEAVING_CANCEL);
    meet_noting(return_address, cancellation, writing);
}

/// Whether a stream was given something and nobody was woken by it yet, and how often that stayed so.
static _Thread_local bool is_giving;
static _Thread_local int kept;

/// The places of each `async let` that was waited for, and whose scope has not ended. More than fit count as not waited for.
static _Thread_local const void *awaited_lets[256];
static _Thread_local size_t awaited_let_count;

void interleaving_clear_meetings(void) {
    met_twice = is_giving = false;
    kept = 0;
    awaited_let_count = 0;
    seen = 0;
}

/// Stops before what is entered with all its arguments kept.
static void meet_entry(uint32_t what, uint64_t name, uint8_t kind) {
    interleaving_see(what);
    if (counts_in_whole) interleaving_count_meeting();
    if (!is_on_fiber()) return;
    if (stop_before != NULL) stop_before(interleaving_users_caller());
    else interleaving_count_meeting();
    note(name, kind, true);
}

void interleaving_meet_registration(void) { meet_entry(INTERLEAVING_HANDLER, cancellation, reading); }

void interleaving_meet_priority(void) { meet_entry(INTERLEAVING_PRIORITY, priorities, reading); }

void interleaving_meet_uuid(void) { interleaving_see(INTERLEAVING_RANDOM); }

void interleaving_enter_scope(void) { interleaving_see(INTERLEAVING_SCOPE); }

void interleaving_await_let(const void *let) {
    if (!counts_in_whole && !is_on_fiber()) return;
    if (awaited_let_count < sizeof awaited_lets / sizeof *awaited_lets) awaited_lets[awaited_let_count++] = let;
}

void interleaving_leave_let(const void *let) {
    bool was_awaited = false;
    for (size_t place = awaited_let_count; place > 0; place--) {
        if (awaited_lets[place - 1] != let) continue;
        awaited_lets[place - 1] = awaited_lets[--awaited_let_count];
        was_awaited = true;
    }
    if (!was_awaited) interleaving_see(INTERLEAVING_SCOPE);
}

void interleaving_meet_next(void) { meet_entry(INTERLEAVING_STREAM, streams, writing); }

void interleaving_meet_stream(void) {
    meet_entry(INTERLEAVING_STREAM, streams, writing);
    is_giving = true;
}

void interleaving_note_woken(void) { is_giving = false; }

void interleaving_leave_stream(void) {
    if (is_giving && (counts_in_whole || is_on_fiber()) && ++kept > 1) seen |= INTERLEAVING_BUFFER;
    is_giving = false;
}

uintptr_t interleaving_users_caller(void) {
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0), address;
    while ((address = interleaving_next_call(&frame)) != 0) {
        if (known_call(address).is_users) return address;
    }
    return 0;
}

/// What the fiber that runs is about to do with a lock; it stops before, unless it was announced.
static struct name meet(const void *lock, const void *return_address) {
    struct name name = {false, 0, UINT8_MAX};
    if (announced.lock == lock) {
        name = announced.name;
    } else {
        name.is_noted = meets(return_address);
    }
    announced.lock = NULL;
    return name;
}

/// The same of one that is only tried.
static struct name meet_try(const void *lock, const void *return_address) {
    struct name name = meet(lock, return_address);
    if (name.is_noted) {
        seen |= INTERLEAVING_TRY;
        note(0, writing, true);
    }
    // What is claimed of one try too many is only too little.
    if ((seen & INTERLEAVING_TRY) == 0 && is_of_foundation(return_address)) seen |= INTERLEAVING_TRY;
    return name;
}

// Each definition is weak, because a static link has the library's own. Before the constructors have run, nothing is found yet.
#define REAL(result, name, symbol, parameters)                                      \
    typedef result name##_function parameters;                                      \
    static name##_function *real_##name;                                            \
    __attribute__((constructor)) static void find_##name(void) {                    \
        real_##name = (name##_function *)dlsym(RTLD_NEXT, symbol);                  \
    }                                                                               \
    static inline name##_function *the_##name(void) {                               \
        if (real_##name == NULL) find_##name();                                     \
        return real_##name;                                                         \
    }

REAL(int, lock, "pthread_mutex_lock", (pthread_mutex_t *))
REAL(int, trylock, "pthread_mutex_trylock", (pthread_mutex_t *))
REAL(int, unlock, "pthread_mutex_unlock", (pthread_mutex_t *))
REAL(int, timedlock, "pthread_mutex_timedlock", (pthread_mutex_t *, const struct timespec *))
REAL(int, clocklock, "pthread_mutex_clocklock", (pthread_mutex_t *, clockid_t, const struct timespec *))

static int try_lock(pthread_mutex_t *mutex, struct name name) {
    struct held *held = find_held(mutex);
    if (name.is_noted) note(name.name, reading, true);
    if (held != NULL && held->fiber != interleaving_fiber()) return EBUSY;
    int error = the_trylock()(mutex);
    if (error == 0) note_locked(mutex, false, name);
    return error;
}

__attribute__((weak)) int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    if (!is_on_fiber()) {
        count_in_whole(mutex, __builtin_return_address(0), true);
        return the_trylock()(mutex);
    }
    struct name name = meet_try(mutex, __builtin_return_address(0));
    return try_lock(mutex, name);
}

__attribute__((weak)) int pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (!is_on_fiber()) {
        count_in_whole(mutex, __builtin_return_address(0), false);
        return the_lock()(mutex);
    }
    struct name name = meet(mutex, __builtin_return_address(0));
    while (find_held(mutex) != NULL) {
        int error = try_lock(mutex, name);
        // A job that wants again what it has waits for ever, too, unless the mutex allows it.
        if (error != EBUSY) return error;
        wait_for(mutex, is_released, interleaving_caller_or_beyond(__builtin_return_address(0)));
        // What it guards is accessed in another step than was announced.
        if (name.is_noted && name.name != 0 && name.kind <= writing) note(name.name, name.kind, false);
    }
    // All that have no name are one.
    if (name.is_noted && name.name == 0) note(0, writing, true);
    int error = the_lock()(mutex);
    if (error == 0) note_locked(mutex, false, name);
    return error;
}

// With a limit, a lock is tried once: time passes only when nothing else can happen.
__attribute__((weak)) int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *limit) {
    if (!is_on_fiber()) {
        count_in_whole(mutex, __builtin_return_address(0), true);
        return the_timedlock()(mutex, limit);
    }
    struct name name = meet_try(mutex, __builtin_return_address(0));
    int error = try_lock(mutex, name);
    return error == EBUSY ? ETIMEDOUT : error;
}

__attribute__((weak)) int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *limit) {
    if (!is_on_fiber()) {
        count_in_whole(mutex, __builtin_return_address(0), true);
        return the_clocklock()(mutex, clock, limit);
    }
    struct name name = meet_try(mutex, __builtin_return_address(0));
    int error = try_lock(mutex, name);
    return error == EBUSY ? ETIMEDOUT : error;
}

__attribute__((weak)) int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    int error = the_unlock()(mutex);
    if (error == 0 && atomic_load_explicit(&is_used, memory_order_relaxed) && held_count > 0) note_unlocked(mutex);
    return error;
}

void interleaving_unlock_all(int32_t fiber) {
    for (size_t index = held_count; index > 0; index--) {
        struct held held = all_held[index - 1];
        if (held.fiber != fiber) continue;
        for (int32_t time = 0; time < held.depth && !held.is_queue; time++) the_unlock()(held.lock);
        all_held[index - 1] = all_held[--held_count];
    }
}

// `Mutex` of Synchronization: a word with the number of the thread that holds it. Only who finds it held comes here. The thread is
// the same for all fibers, so the system would take another one's for its own.

typedef _Atomic uint32_t word;

enum { thread_bits = 0x3fffffff };

static _Thread_local uint32_t own_thread;

static bool is_word_free(const void *lock) {
    return (atomic_load((const word *)lock) & thread_bits) != own_thread;
}

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
REAL(__attribute__((swiftcall)) void, lock_slow, LOCK_SLOW, (uint32_t thread, __attribute__((swift_context)) word *lock))

__attribute__((swiftcall)) void lock_slow(uint32_t thread, __attribute__((swift_context)) word *lock) __asm__(LOCK_SLOW);
__attribute__((weak, swiftcall)) void lock_slow(uint32_t thread, __attribute__((swift_context)) word *lock) {
    if (is_on_fiber()) {
        struct name name = {false, 0, UINT8_MAX};
        if (announced.lock == lock) name = announced.name;
        announced.lock = NULL;
        own_thread = thread & thread_bits;
        for (;;) {
            uint32_t none = 0;
            if (atomic_compare_exchange_strong(lock, &none, thread)) return;
            if (is_word_free(lock)) break;
            wait_for(lock, is_word_free, interleaving_caller_or_beyond(__builtin_return_address(0)));
            // What it guards is accessed in another step than was announced.
            if (name.is_noted && name.kind <= writing) note(name.name, name.kind, false);
        }
    }
    if (the_lock_slow() != NULL) return the_lock_slow()(thread, lock);
    // In a static link that has nothing else of that library.
    for (uint32_t none = 0; !atomic_compare_exchange_weak(lock, &none, thread); none = 0) sched_yield();
}

void interleaving_release_word(const void *lock, bool (*is_free)(const void *lock)) {
    if (is_free == is_word_free && !is_free(lock)) atomic_store((word *)lock, 0);
}

// A dispatch queue belongs to the thread, so a job that is on one is not stopped there. It may wait for a lock; then nobody else may be on
// that queue.

static bool enter_queue(void *queue, const void *return_address) {
    interleaving_see(INTERLEAVING_QUEUE);
    interleaving_begin_whole();
    if (!is_on_fiber()) return false;
    struct held *held;
    while ((held = find_held(queue)) != NULL && held->fiber != interleaving_fiber()) {
        wait_for(queue, is_released, interleaving_caller_or_beyond(return_address));
    }
    note_locked(queue, true, (struct name){false, 0, 0});
    return true;
}

static void leave_queue(void *queue, bool is_noted) {
    if (is_noted) note_unlocked(queue);
    interleaving_end_whole();
}

#define ON_QUEUE(name, parameters, arguments)                                  \
    REAL(void, name, #name, parameters)                                        \
    __attribute__((weak)) void name parameters;                                \
    __attribute__((weak)) void name parameters {                               \
        bool is_noted = enter_queue(queue, __builtin_return_address(0));       \
        the_##name() arguments;                                                \
        leave_queue(queue, is_noted);                                          \
    }

ON_QUEUE(dispatch_sync, (void *queue, void *block), (queue, block))
ON_QUEUE(dispatch_sync_f, (void *queue, void *context, void (*work)(void *)), (queue, context, work))
ON_QUEUE(dispatch_barrier_sync, (void *queue, void *block), (queue, block))
ON_QUEUE(dispatch_barrier_sync_f, (void *queue, void *context, void (*work)(void *)), (queue, context, work))
ON_QUEUE(dispatch_async_and_wait, (void *queue, void *block), (queue, block))
ON_QUEUE(dispatch_async_and_wait_f, (void *queue, void *context, void (*work)(void *)), (queue, context, work))
ON_QUEUE(dispatch_barrier_async_and_wait, (void *queue, void *block), (queue, block))
ON_QUEUE(dispatch_barrier_async_and_wait_f, (void *queue, void *context, void (*work)(void *)), (queue, context, work))

// Semaphores, groups and conditions: a fiber that waits for one lets others go on. With a limit on time, it lets them once: what it waits for
// comes meanwhile, or not, and that is explored.

static bool is_always(const void *anything) { return true; }

/// Waits once, because there is a limit on time.
static void wait_with_limit(const void *lock, uintptr_t place) {
    seen |= INTERLEAVING_LIMIT;
    wait_for(lock, is_always, place);
}

#define CALLER interleaving_caller_or_beyond(__builtin_return_address(0))

REAL(intptr_t, semaphore_wait, "dispatch_semaphore_wait", (void *, uint64_t))
REAL(intptr_t, semaphore_signal, "dispatch_semaphore_signal", (void *))
REAL(intptr_t, group_wait, "dispatch_group_wait", (void *, uint64_t))
REAL(void, group_enter, "dispatch_group_enter", (void *))
REAL(void, group_leave, "dispatch_group_leave", (void *))
REAL(int, sem_wait, "sem_wait", (sem_t *))
REAL(int, sem_trywait, "sem_trywait", (sem_t *))
REAL(int, sem_post, "sem_post", (sem_t *))
REAL(int, sem_timedwait, "sem_timedwait", (sem_t *, const struct timespec *))
REAL(int, sem_clockwait, "sem_clockwait", (sem_t *, clockid_t, const struct timespec *))

enum { now = 0 };
static const uint64_t forever = ~(uint64_t)0;

static bool is_signalled(const void *semaphore) {
    if (the_semaphore_wait()((void *)semaphore, now) != 0) return false;
    the_semaphore_signal()((void *)semaphore);
    return true;
}

/// Stops before it waits for a semaphore, a group or a condition, and notes that.
static void meet_wait(const void *return_address) { meet_noting(return_address, 0, writing); }

/// The same before it signals one, and after that, wherever jobs are stopped, because others can go on then.
static void begin_signal(const void *return_address) {
    count_in_whole(NULL, return_address, false);
    if (!is_users_on_fiber(return_address)) return;
    if (stop_before != NULL) stop_before(interleaving_caller_or_beyond(return_address));
    note(0, writing, true);
}

static void end_signal(const void *return_address) {
    if (is_users_on_fiber(return_address)) stop_after(interleaving_caller_or_beyond(return_address));
}

__attribute__((weak)) intptr_t dispatch_semaphore_signal(void *semaphore) {
    begin_signal(__builtin_return_address(0));
    intptr_t result = the_semaphore_signal()(semaphore);
    end_signal(__builtin_return_address(0));
    return result;
}

__attribute__((weak)) intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t limit) {
    meet_wait(__builtin_return_address(0));
    if (!is_on_fiber() || limit == now) return the_semaphore_wait()(semaphore, limit);
    while (the_semaphore_wait()(semaphore, now) != 0) {
        if (limit != forever) {
            wait_with_limit(semaphore, CALLER);
            return the_semaphore_wait()(semaphore, now);
        }
        wait_for(semaphore, is_signalled, CALLER);
    }
    return 0;
}

static bool is_empty(const void *group) { return the_group_wait()((void *)group, now) == 0; }

__attribute__((weak)) void dispatch_group_enter(void *group) {
    meet_wait(__builtin_return_address(0));
    the_group_enter()(group);
}

__attribute__((weak)) void dispatch_group_leave(void *group) {
    begin_signal(__builtin_return_address(0));
    the_group_leave()(group);
    end_signal(__builtin_return_address(0));
}

__attribute__((weak)) intptr_t dispatch_group_wait(void *group, uint64_t limit) {
    meet_wait(__builtin_return_address(0));
    if (!is_on_fiber() || limit == now) return the_group_wait()(group, limit);
    if (is_empty(group)) return 0;
    if (limit == forever) wait_for(group, is_empty, CALLER);
    else wait_with_limit(group, CALLER);
    return the_group_wait()(group, now);
}

static bool is_posted(const void *semaphore) {
    if (the_sem_trywait()((sem_t *)semaphore) != 0) return false;
    the_sem_post()((sem_t *)semaphore);
    return true;
}

__attribute__((weak)) int sem_post(sem_t *semaphore) {
    begin_signal(__builtin_return_address(0));
    int error = the_sem_post()(semaphore);
    end_signal(__builtin_return_address(0));
    return error;
}

__attribute__((weak)) int sem_wait(sem_t *semaphore) {
    meet_wait(__builtin_return_address(0));
    if (!is_on_fiber()) return the_sem_wait()(semaphore);
    while (the_sem_trywait()(semaphore) != 0) wait_for(semaphore, is_posted, CALLER);
    return 0;
}

/// Tries a semaphore again after others had a chance.
static int try_semaphore(sem_t *semaphore, uintptr_t place) {
    if (the_sem_trywait()(semaphore) == 0) return 0;
    wait_with_limit(semaphore, place);
    if (the_sem_trywait()(semaphore) == 0) return 0;
    errno = ETIMEDOUT;
    return -1;
}

__attribute__((weak)) int sem_timedwait(sem_t *semaphore, const struct timespec *limit) {
    meet_wait(__builtin_return_address(0));
    return is_on_fiber() ? try_semaphore(semaphore, CALLER) : the_sem_timedwait()(semaphore, limit);
}

__attribute__((weak)) int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *limit) {
    meet_wait(__builtin_return_address(0));
    return is_on_fiber() ? try_semaphore(semaphore, CALLER) : the_sem_clockwait()(semaphore, clock, limit);
}

// The C library has these functions twice, and the older ones take another condition variable.
#if defined(__x86_64__)
#define CONDITIONS "GLIBC_2.3.2"
#else
#define CONDITIONS "GLIBC_2.17"
#endif
#define REAL_CONDITION(name, parameters)                                         \
    typedef int name##_function parameters;                                      \
    static name##_function *real_##name;                                         \
    __attribute__((constructor)) static void find_##name(void) {                 \
        real_##name = (name##_function *)dlvsym(RTLD_NEXT, #name, CONDITIONS);   \
        if (real_##name == NULL) real_##name = (name##_function *)dlsym(RTLD_NEXT, #name); \
    }                                                                            \
    static inline name##_function *the_##name(void) {                            \
        if (real_##name == NULL) find_##name();                                  \
        return real_##name;                                                      \
    }

REAL_CONDITION(pthread_cond_wait, (pthread_cond_t *, pthread_mutex_t *))
REAL_CONDITION(pthread_cond_timedwait, (pthread_cond_t *, pthread_mutex_t *, const struct timespec *))
REAL_CONDITION(pthread_cond_clockwait, (pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *))
REAL_CONDITION(pthread_cond_signal, (pthread_cond_t *))
REAL_CONDITION(pthread_cond_broadcast, (pthread_cond_t *))

static bool is_woken(const void *waiter) { return ((const struct waiter *)waiter)->is_woken; }

/// - Returns: Whether the fiber was woken.
static bool wait_for_condition(pthread_cond_t *condition, pthread_mutex_t *mutex, bool has_limit, uintptr_t place) {
    struct waiter waiter = {condition, false, NULL}, **end = &waiters;
    while (*end != NULL) end = &(*end)->next;
    *end = &waiter;
    // Whoever waits has seen that nobody has signalled, and may find the mutex locked when it is woken.
    if (stop_before != NULL) note(0, writing, true);
    struct held *held = find_held(mutex);
    struct name name = held == NULL ? (struct name){false, 0, 0} : held->name;
    pthread_mutex_unlock(mutex);
    // It takes the lock once more.
    if (stop_before == NULL) interleaving_count_meeting();
    if (has_limit) wait_with_limit(&waiter, place);
    else wait_for(&waiter, is_woken, place);
    if (stop_before != NULL) note(0, writing, true);
    // It stopped already.
    announced.lock = mutex;
    announced.name = name;
    pthread_mutex_lock(mutex);
    if (!waiter.is_woken) {
        for (end = &waiters; *end != &waiter; end = &(*end)->next) {}
        *end = waiter.next;
    }
    return waiter.is_woken;
}

/// Wakes fibers of this thread that wait for a condition: the first, or all.
static void wake(const void *condition, bool all) {
    for (struct waiter **place = &waiters; *place != NULL;) {
        struct waiter *waiter = *place;
        if (waiter->condition != condition) {
            place = &waiter->next;
            continue;
        }
        *place = waiter->next;
        waiter->is_woken = true;
        if (!all) return;
    }
}

__attribute__((weak)) int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    if (!is_on_fiber()) return the_pthread_cond_wait()(condition, mutex);
    wait_for_condition(condition, mutex, false, CALLER);
    return 0;
}

__attribute__((weak)) int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *limit) {
    if (!is_on_fiber()) return the_pthread_cond_timedwait()(condition, mutex, limit);
    return wait_for_condition(condition, mutex, true, CALLER) ? 0 : ETIMEDOUT;
}

__attribute__((weak)) int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                                 const struct timespec *limit) {
    if (!is_on_fiber()) return the_pthread_cond_clockwait()(condition, mutex, clock, limit);
    return wait_for_condition(condition, mutex, true, CALLER) ? 0 : ETIMEDOUT;
}

__attribute__((weak)) int pthread_cond_signal(pthread_cond_t *condition) {
    begin_signal(__builtin_return_address(0));
    if (waiters != NULL && interleaving_current() != NULL) wake(condition, false);
    int error = the_pthread_cond_signal()(condition);
    end_signal(__builtin_return_address(0));
    return error;
}

__attribute__((weak)) int pthread_cond_broadcast(pthread_cond_t *condition) {
    begin_signal(__builtin_return_address(0));
    if (waiters != NULL && interleaving_current() != NULL) wake(condition, true);
    int error = the_pthread_cond_broadcast()(condition);
    end_signal(__builtin_return_address(0));
    return error;
}

const char *interleaving_awaited(bool (*is_free)(const void *lock)) {
    if (is_free == is_always) return "a limit";
    if (is_free == is_signalled || is_free == is_posted) return "a semaphore";
    if (is_free == is_empty) return "a dispatch group";
    if (is_free == is_woken) return "a condition";
    return "a lock";
}

// A reader-writer lock does not say which fiber has it, so a job that has one is not stopped. So whoever tries one gets it, unless a job has
// ended without giving it back, or wants again what it has: then it waits.

REAL(int, rdlock, "pthread_rwlock_rdlock", (pthread_rwlock_t *))
REAL(int, wrlock, "pthread_rwlock_wrlock", (pthread_rwlock_t *))
REAL(int, tryrdlock, "pthread_rwlock_tryrdlock", (pthread_rwlock_t *))
REAL(int, trywrlock, "pthread_rwlock_trywrlock", (pthread_rwlock_t *))
REAL(int, rwunlock, "pthread_rwlock_unlock", (pthread_rwlock_t *))

__attribute__((weak)) int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
    count_in_whole(lock, __builtin_return_address(0), true);
    if (is_on_fiber()) meet_try(lock, __builtin_return_address(0));
    int error = the_tryrdlock()(lock);
    if (error == 0) interleaving_begin_whole();
    return error;
}

__attribute__((weak)) int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
    count_in_whole(lock, __builtin_return_address(0), true);
    if (is_on_fiber()) meet_try(lock, __builtin_return_address(0));
    int error = the_trywrlock()(lock);
    if (error == 0) interleaving_begin_whole();
    return error;
}

static bool is_readable(const void *lock) {
    if (the_tryrdlock()((pthread_rwlock_t *)lock) != 0) return false;
    the_rwunlock()((pthread_rwlock_t *)lock);
    return true;
}

static bool is_writable(const void *lock) {
    if (the_trywrlock()((pthread_rwlock_t *)lock) != 0) return false;
    the_rwunlock()((pthread_rwlock_t *)lock);
    return true;
}

/// Takes a reader-writer lock, once it is free for it.
static int take(pthread_rwlock_t *lock, rdlock_function *try, rdlock_function *take, bool (*is_free)(const void *lock), uintptr_t place) {
    int error;
    while (is_on_fiber()) {
        error = try(lock);
        if (error != EBUSY && error != EDEADLK) return error;
        wait_for(lock, is_free, place);
    }
    return take(lock);
}

__attribute__((weak)) int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    meet_wait(__builtin_return_address(0));
    int error = take(lock, the_tryrdlock(), the_rdlock(), is_readable, CALLER);
    if (error == 0) interleaving_begin_whole();
    return error;
}

__attribute__((weak)) int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    meet_wait(__builtin_return_address(0));
    int error = take(lock, the_trywrlock(), the_wrlock(), is_writable, CALLER);
    if (error == 0) interleaving_begin_whole();
    return error;
}

__attribute__((weak)) int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    int error = the_rwunlock()(lock);
    if (error == 0) interleaving_end_whole();
    return error;
}

REAL(int, spin_lock, "pthread_spin_lock", (pthread_spinlock_t *))
REAL(int, spin_trylock, "pthread_spin_trylock", (pthread_spinlock_t *))
REAL(int, spin_unlock, "pthread_spin_unlock", (pthread_spinlock_t *))

static bool is_unspun(const void *lock) {
    if (the_spin_trylock()((pthread_spinlock_t *)lock) != 0) return false;
    the_spin_unlock()((pthread_spinlock_t *)lock);
    return true;
}

__attribute__((weak)) int pthread_spin_trylock(pthread_spinlock_t *lock) {
    count_in_whole((const void *)lock, __builtin_return_address(0), true);
    if (is_on_fiber()) meet_try((const void *)lock, __builtin_return_address(0));
    return the_spin_trylock()(lock);
}

__attribute__((weak)) int pthread_spin_lock(pthread_spinlock_t *lock) {
    meet_wait(__builtin_return_address(0));
    while (is_on_fiber()) {
        int error = the_spin_trylock()(lock);
        if (error != EBUSY) return error;
        wait_for((const void *)lock, is_unspun, CALLER);
    }
    return the_spin_lock()(lock);
}

void interleaving_free_locks(void) {
    free(all_held);
    all_held = NULL;
    held_count = held_room = 0;
}

#endif
#endif

#if !defined(CAN_WAIT)

void interleaving_free_locks(void) {}
void interleaving_wait_for_locks(void (*wait)(const void *lock, bool (*is_free)(const void *lock), uintptr_t place)) {}
int32_t interleaving_holder(const void *lock) { return -1; }
void interleaving_disown_locks(int32_t fiber) {}
void interleaving_unlock_all(int32_t fiber) {}
void interleaving_release_word(const void *lock, bool (*is_free)(const void *lock)) {}
const char *interleaving_awaited(bool (*is_free)(const void *lock)) { return "a lock"; }
void interleaving_stop_at_locks(void (*stop)(uintptr_t), bool at_all, void (*note)(uint64_t, uint8_t, bool)) {}
void interleaving_announce_lock(const void *mutex, uint64_t name, uint8_t kind) {}
void interleaving_forget_lock(void) {}
void interleaving_begin_step(void) {}
void interleaving_count_meeting(void) {}
bool interleaving_met_twice(void) { return false; }
uint32_t interleaving_seen(void) { return 0; }
void interleaving_note_woken(void) {}
void interleaving_see(uint32_t what) {}
void interleaving_count_in_whole(bool counts) {}
bool interleaving_sees_locks(void) { return false; }
void interleaving_meet_registration(void) {}
void interleaving_meet_priority(void) {}
void interleaving_meet_uuid(void) {}
void interleaving_enter_scope(void) {}
void interleaving_await_let(const void *let) {}
void interleaving_leave_let(const void *let) {}
void interleaving_meet_next(void) {}
void interleaving_clear_meetings(void) {}
void interleaving_note_held(void) {}
uintptr_t interleaving_users_caller(void) { return 0; }
void interleaving_meet(const void *return_address) {}
void interleaving_meet_cancellation(const void *return_address) {}
void interleaving_meet_cancel(const void *return_address) {}

#endif
