#define _GNU_SOURCE
#include "CInterleaving.h"
#include "sanitized.h"

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
#include <time.h>

/// Whether any fiber of the process ever waited for locks; if not, each function here costs as little as can be.
static _Atomic bool is_used;
static _Thread_local void (*wait_for)(const void *lock, bool (*is_free)(const void *lock), uintptr_t place);

/// A mutex that a fiber of this thread has locked, or a dispatch queue that it is on.
struct held {
    void *lock;
    bool is_queue;
    /// The fiber; -1 for a job that has ended since.
    int32_t fiber;
    /// How often: more than once only if the mutex allows it.
    int32_t depth;
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

static void note_locked(void *lock, bool is_queue) {
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
    all_held[held_count++] = (struct held){lock, is_queue, interleaving_fiber(), 1};
}

static void note_unlocked(const void *lock) {
    struct held *held = find_held(lock);
    if (held == NULL || --held->depth > 0) return;
    size_t after = (size_t)(&all_held[held_count] - (held + 1));
    for (size_t index = 0; index < after; index++) held[index] = held[index + 1];
    held_count--;
}

void interleaving_disown_locks(int32_t fiber) {
    for (size_t index = 0; index < held_count; index++) {
        if (all_held[index].fiber == fiber) all_held[index].fiber = -1;
    }
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

__attribute__((weak)) int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    if (!is_on_fiber()) return the_trylock()(mutex);
    struct held *held = find_held(mutex);
    if (held != NULL && held->fiber != interleaving_fiber()) return EBUSY;
    int error = the_trylock()(mutex);
    if (error == 0) note_locked(mutex, false);
    return error;
}

__attribute__((weak)) int pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (!is_on_fiber()) return the_lock()(mutex);
    while (find_held(mutex) != NULL) {
        int error = pthread_mutex_trylock(mutex);
        // A job that wants again what it has waits for ever, too, unless the mutex allows it.
        if (error != EBUSY) return error;
        wait_for(mutex, is_released, interleaving_caller_or_beyond(__builtin_return_address(0)));
    }
    int error = the_lock()(mutex);
    if (error == 0) note_locked(mutex, false);
    return error;
}

// With a limit, a lock is tried once: time passes only when nothing else can happen.
__attribute__((weak)) int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *limit) {
    if (!is_on_fiber()) return the_timedlock()(mutex, limit);
    int error = pthread_mutex_trylock(mutex);
    return error == EBUSY ? ETIMEDOUT : error;
}

__attribute__((weak)) int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *limit) {
    if (!is_on_fiber()) return the_clocklock()(mutex, clock, limit);
    int error = pthread_mutex_trylock(mutex);
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
        own_thread = thread & thread_bits;
        for (;;) {
            uint32_t none = 0;
            if (atomic_compare_exchange_strong(lock, &none, thread)) return;
            if (is_word_free(lock)) break;
            wait_for(lock, is_word_free, interleaving_caller_or_beyond(__builtin_return_address(0)));
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
    interleaving_begin_whole();
    if (!is_on_fiber()) return false;
    struct held *held;
    while ((held = find_held(queue)) != NULL && held->fiber != interleaving_fiber()) {
        wait_for(queue, is_released, interleaving_caller_or_beyond(return_address));
    }
    note_locked(queue, true);
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

#define CALLER interleaving_caller_or_beyond(__builtin_return_address(0))

REAL(intptr_t, semaphore_wait, "dispatch_semaphore_wait", (void *, uint64_t))
REAL(intptr_t, semaphore_signal, "dispatch_semaphore_signal", (void *))
REAL(intptr_t, group_wait, "dispatch_group_wait", (void *, uint64_t))
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

__attribute__((weak)) intptr_t dispatch_semaphore_wait(void *semaphore, uint64_t limit) {
    if (!is_on_fiber() || limit == now) return the_semaphore_wait()(semaphore, limit);
    while (the_semaphore_wait()(semaphore, now) != 0) {
        wait_for(semaphore, limit == forever ? is_signalled : is_always, CALLER);
        if (limit != forever) return the_semaphore_wait()(semaphore, now);
    }
    return 0;
}

static bool is_empty(const void *group) { return the_group_wait()((void *)group, now) == 0; }

__attribute__((weak)) intptr_t dispatch_group_wait(void *group, uint64_t limit) {
    if (!is_on_fiber() || limit == now) return the_group_wait()(group, limit);
    if (is_empty(group)) return 0;
    wait_for(group, limit == forever ? is_empty : is_always, CALLER);
    return the_group_wait()(group, now);
}

static bool is_posted(const void *semaphore) {
    if (the_sem_trywait()((sem_t *)semaphore) != 0) return false;
    the_sem_post()((sem_t *)semaphore);
    return true;
}

__attribute__((weak)) int sem_wait(sem_t *semaphore) {
    if (!is_on_fiber()) return the_sem_wait()(semaphore);
    while (the_sem_trywait()(semaphore) != 0) wait_for(semaphore, is_posted, CALLER);
    return 0;
}

/// Tries a semaphore again after others had a chance.
static int try_semaphore(sem_t *semaphore, uintptr_t place) {
    if (the_sem_trywait()(semaphore) == 0) return 0;
    wait_for(semaphore, is_always, place);
    if (the_sem_trywait()(semaphore) == 0) return 0;
    errno = ETIMEDOUT;
    return -1;
}

__attribute__((weak)) int sem_timedwait(sem_t *semaphore, const struct timespec *limit) {
    return is_on_fiber() ? try_semaphore(semaphore, CALLER) : the_sem_timedwait()(semaphore, limit);
}

__attribute__((weak)) int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *limit) {
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
    pthread_mutex_unlock(mutex);
    wait_for(&waiter, has_limit ? is_always : is_woken, place);
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
    if (waiters != NULL && interleaving_current() != NULL) wake(condition, false);
    return the_pthread_cond_signal()(condition);
}

__attribute__((weak)) int pthread_cond_broadcast(pthread_cond_t *condition) {
    if (waiters != NULL && interleaving_current() != NULL) wake(condition, true);
    return the_pthread_cond_broadcast()(condition);
}

const char *interleaving_awaited(bool (*is_free)(const void *lock)) {
    if (is_free == is_always) return "a limit";
    if (is_free == is_signalled || is_free == is_posted) return "a semaphore";
    if (is_free == is_empty) return "a dispatch group";
    if (is_free == is_woken) return "a condition";
    return "a lock";
}

// A reader-writer lock does not say which fiber has it, so a job that has one is not stopped.

REAL(int, rdlock, "pthread_rwlock_rdlock", (pthread_rwlock_t *))
REAL(int, wrlock, "pthread_rwlock_wrlock", (pthread_rwlock_t *))
REAL(int, rwunlock, "pthread_rwlock_unlock", (pthread_rwlock_t *))

__attribute__((weak)) int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
    int error = the_rdlock()(lock);
    if (error == 0) interleaving_begin_whole();
    return error;
}

__attribute__((weak)) int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
    int error = the_wrlock()(lock);
    if (error == 0) interleaving_begin_whole();
    return error;
}

__attribute__((weak)) int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
    int error = the_rwunlock()(lock);
    if (error == 0) interleaving_end_whole();
    return error;
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
void interleaving_disown_locks(int32_t fiber) {}
void interleaving_unlock_all(int32_t fiber) {}
void interleaving_release_word(const void *lock, bool (*is_free)(const void *lock)) {}
const char *interleaving_awaited(bool (*is_free)(const void *lock)) { return "a lock"; }

#endif
