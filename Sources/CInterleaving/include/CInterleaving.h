#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a simulation keeps per thread, and the two functions of the system that it answers instead of the system.
// Only a thread that runs a simulation sees any of it.

/// The simulation that this thread runs, or NULL.
void *_Nullable interleaving_current(void);
void interleaving_set_current(void *_Nullable simulation);

/// Virtual time of this thread's simulation in nanoseconds since the run began.
int64_t interleaving_now(void);
void interleaving_set_now(int64_t nanoseconds);

/// Whether `clock_gettime` as other libraries see it is the one that knows virtual time.
bool interleaving_clock_is_virtual(void);

/// Remembers that a task belongs to a simulation, by its ID, which the process uses once. Any thread may ask.
void interleaving_watch(uint64_t task);
bool interleaving_is_watched(uint64_t task);

/// What the runtime last reported about a misused continuation on this thread since it was cleared, or NULL.
const char *_Nullable interleaving_misuse(void);
void interleaving_clear_misuse(void);

/// Runs a body on a thread of its own, detached.
/// - Returns: 0, or the error number that says why there is no thread.
int interleaving_start_thread(void (*_Nonnull body)(void *_Nonnull context), void *_Nonnull context);

/// The name of this thread, at most 15 characters and the end.
void interleaving_thread_name(char *_Nonnull name, int capacity);

// What the runtime exports and the compiler lets no Swift code name.

uint64_t swift_task_getJobTaskId(const void *_Nonnull job) __attribute__((swiftcall));
const void *_Nullable swift_task_getCurrent(void) __attribute__((swiftcall));
void swift_task_cancel(const void *_Nonnull task) __attribute__((swiftcall));

/// The ID of a job's task, which the process uses once.
static inline uint64_t interleaving_task_id(const void *_Nonnull job) { return swift_task_getJobTaskId(job); }

/// The ID of the task that runs on this thread, or 0.
static inline uint64_t interleaving_running_task_id(void) {
    const void *task = swift_task_getCurrent();
    return task == 0 ? 0 : swift_task_getJobTaskId(task);
}

static inline void interleaving_cancel(const void *_Nonnull task) { swift_task_cancel(task); }

/// Blocks this thread for real milliseconds.
void interleaving_pause(int milliseconds);

/// The system's monotonic clock in nanoseconds, also within a simulation.
int64_t interleaving_system_time(void);

/// A variable of the environment, or NULL.
const char *_Nullable interleaving_environment(const char *_Nonnull name);

size_t swift_retainCount(const void *_Nonnull object);

/// How many references there are to an object.
static inline int64_t interleaving_retain_count(const void *_Nonnull object) { return (int64_t)swift_retainCount(object); }

/// Retains an object.
/// - Returns: Whether that changed anything: not for one that counts no references.
bool interleaving_retain(const void *_Nonnull object);
void interleaving_release(const void *_Nonnull object);
