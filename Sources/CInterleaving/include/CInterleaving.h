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

/// Whether misuse is seen at all: not where the runtime is linked statically.
bool interleaving_sees_misuse(void);

/// How often a task on this thread went over to a default actor, within a simulation, since it was cleared.
uint64_t interleaving_default_actor_hops(void);
void interleaving_clear_default_actor_hops(void);

/// Whether such hops are counted at all: not where the runtime is linked statically.
bool interleaving_sees_hops(void);

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

/// Memory of zeros that a process shares with those it forks, or NULL. What is not touched takes no memory.
void *_Nullable interleaving_map(size_t size);
void interleaving_unmap(void *_Nonnull memory, size_t size);

/// What a run has done so far, where the process that waits for it, and a signal handler, can read it.
struct interleaving_log {
    /// The number of the run in its exploration, and what its data comes from.
    int64_t iteration;
    uint64_t seed;
    /// How many runs began.
    int64_t runs;
    /// How many steps follow.
    int64_t count;
    /// In bytes: where the steps begin, how far they are apart, and where in each is its position, a 64-bit number.
    int64_t first_step;
    int64_t stride;
    int64_t position;
};

/// The log of this thread's runs, to be named if one of them traps.
void interleaving_set_log(const struct interleaving_log *_Nullable log);

/// From here on, a trap in a run writes one line on the standard error that names the run, before it ends the process.
void interleaving_name_trapping_runs(void);
/// From here on, a trap only ends the process.
void interleaving_trap_silently(void);

/// Lowers a number that processes share, if the other is lower.
/// - Returns: What it is then.
int64_t interleaving_lower(void *_Nonnull number, int64_t other);

/// A forked process and what it says.
struct interleaving_worker {
    int32_t process;
    /// The ends to read of its result and of its standard error.
    int32_t result;
    int32_t error;
};

/// Forks a process that runs a body, with the end to write its result to, and ends. It dies with the thread that forked it.
/// - Returns: 0, or the error number that says why there is no process.
int interleaving_start_worker(
    void (*_Nonnull body)(void *_Nonnull context, int result),
    void *_Nonnull context,
    struct interleaving_worker *_Nonnull worker
);

/// The name of the function that an address of code is in, demangled, to be freed; NULL if nothing says.
char *_Nullable interleaving_function(uintptr_t address);

/// The file that an address of code is from, to be freed, and the address in it; NULL if it is from none.
char *_Nullable interleaving_object_file(uintptr_t address, uintptr_t *_Nonnull offset);

/// What the compiler calls itself.
const char *_Nonnull interleaving_compiler(void);

size_t swift_retainCount(const void *_Nonnull object);

/// How many references there are to an object.
static inline int64_t interleaving_retain_count(const void *_Nonnull object) { return (int64_t)swift_retainCount(object); }

/// Retains an object.
/// - Returns: Whether that changed anything: not for one that counts no references.
bool interleaving_retain(const void *_Nonnull object);
void interleaving_release(const void *_Nonnull object);
