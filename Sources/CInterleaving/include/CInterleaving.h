#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// State that a simulation keeps per thread, and functions of the system and the Swift runtime that it replaces. Only threads that run a
// simulation notice the replacements.

/// The simulation that this thread runs, or NULL.
void *_Nullable interleaving_current(void);
void interleaving_set_current(void *_Nullable simulation);

/// Virtual time of this thread's simulation in nanoseconds since the run began.
int64_t interleaving_now(void);
void interleaving_set_now(int64_t nanoseconds);

/// Whether other libraries call the `clock_gettime` that knows virtual time.
bool interleaving_clock_is_virtual(void);

/// Remembers that a task belongs to a simulation, by its ID, which is unique in the process. Any thread may call both functions.
void interleaving_watch(uint64_t task);
bool interleaving_is_watched(uint64_t task);

/// The runtime's last report of a misused continuation on this thread since it was cleared, or NULL.
const char *_Nullable interleaving_misuse(void);
void interleaving_clear_misuse(void);

/// Whether such reports are seen: not if the runtime is linked statically.
bool interleaving_sees_misuse(void);

/// How often tasks of a simulation on this thread hopped to a default actor since it was cleared.
uint64_t interleaving_default_actor_hops(void);
void interleaving_clear_default_actor_hops(void);

/// Whether such hops are counted: not if the runtime is linked statically.
bool interleaving_sees_hops(void);

/// From here on, a task on a fiber of this thread stops before it enters a default actor, and after it has left one. Such hops are not
/// counted.
/// - Parameters:
///   - stop: Stops the task, which goes on at an address; returns whether it could.
///   - entered: Called when it is in the actor.
void interleaving_stop_at_hops(bool (*_Nonnull stop)(uintptr_t place), void (*_Nonnull entered)(void));
/// Whether what runs is in an actor with the default executor.
bool interleaving_is_in_default_actor(void);
/// Whether the runtime is taking the task that runs to another executor.
bool interleaving_is_hopping(void);
/// Says that another job, or the rest of one, begins.
void interleaving_end_hop(void);
/// Forgets all tasks that were on their way.
void interleaving_clear_hops(void);
/// Frees what is known of this thread's hops.
void interleaving_free_hops(void);
/// Where a task goes on that the simulation waits for at the end of a hop.
extern const uintptr_t interleaving_arrival;
/// Where such a task goes on after that.
/// - Parameter context: What it goes on with.
uintptr_t interleaving_place_of_arrival(const void *_Nullable context);

/// What a body handed to another thread.
struct interleaving_foreign_work {
    /// Such as `DispatchQueue.async`; NULL if it handed nothing over.
    const char *_Nullable name;
    /// The address of the call; 0 if it is not known.
    uintptr_t place;
    /// The number of the step that did it, from 0; negative if there is none.
    int64_t step;
    /// An address in the function of a library for tests that did it on behalf of the body, such as XCTest; 0 if the body did it itself.
    uintptr_t entry;
};

/// Whether the body of a simulation on this thread handed something to another thread since it was cleared, and what was first. It is not
/// seen if the library is linked statically, nor the start of a thread if a sanitizer watches threads.
bool interleaving_handed_over(struct interleaving_foreign_work *_Nonnull work);
void interleaving_clear_foreign_work(void);

/// Runs a body on a new detached thread.
/// - Returns: 0, or the error number if there is no thread.
int interleaving_start_thread(void (*_Nonnull body)(void *_Nonnull context), void *_Nonnull context);

// Fibers: stacks on which work can be left in the middle and gone on with later. They belong to the thread that took them, and end with
// one that `interleaving_start_thread` started. Their numbers begin with 0.

/// Why nothing can be left in the middle on this thread, as the end of a sentence; NULL if it can be.
const char *_Nullable interleaving_reason_not_to_stop(void);
/// Takes a fiber that has nothing to do, or makes one. Only where nothing says not to stop.
/// - Returns: Its number; -1 if there is no memory.
int32_t interleaving_take_fiber(void);
/// Runs a fiber, which calls a body with its number or goes on with it, until the body stops or has ended. Not from a fiber.
/// - Parameter body: The same function each time.
/// - Returns: Whether the body has ended. Then the fiber has nothing to do any more.
bool interleaving_run_fiber(int32_t number, void (*_Nonnull body)(int32_t number));
/// The number of the fiber that this runs on, or -1.
int32_t interleaving_fiber(void);
/// Leaves the fiber that this runs on. It returns when somebody runs the fiber again.
void interleaving_stop_fiber(void);
/// Forgets what a fiber was in the middle of. The part of its stack that is in use stays in memory for ever.
void interleaving_abandon_fiber(int32_t number);
/// Frees the fibers of this thread, none of which may run.
void interleaving_free_fibers(void);
/// Between these two, what runs on the fiber must not be stopped. Elsewhere than on a fiber they do nothing.
void interleaving_begin_whole(void);
void interleaving_end_whole(void);
/// Whether what runs on the fiber must not be stopped now: between those two, when it stops later instead, or in the making of a global
/// variable.
bool interleaving_must_not_stop(void);
/// Whether what runs on the fiber makes a global variable: whoever else wants that waits for this thread, not for the fiber.
bool interleaving_makes_global(void);
/// Sets what stops a fiber of this thread when it may be stopped again.
void interleaving_stop_late(void (*_Nonnull stop)(void));

/// From here on, a fiber of this thread that needs a mutex which another one has waits for it while others go on.
/// - Parameter wait: Waits until a lock is free, which it finds out with the function, or longer.
///   It is given the address at which the lock is taken, or 0.
void interleaving_wait_for_locks(void (*_Nonnull wait)(const void *_Nonnull lock,
                                                       bool (*_Nonnull is_free)(const void *_Nonnull lock),
                                                       uintptr_t place));
/// What a fiber waits for, such as `a lock`, or `a limit` on the time that it waits, by the function that finds out whether it is free.
const char *_Nonnull interleaving_awaited(bool (*_Nonnull is_free)(const void *_Nonnull lock));
/// The fiber that has a mutex; a negative number if none has it, or that is not known.
int32_t interleaving_holder(const void *_Nonnull lock);
/// Says that the job of a fiber has ended: what it has locked is nobody's until somebody unlocks it.
void interleaving_disown_locks(int32_t fiber);
/// Unlocks what a fiber has locked, because it never will.
void interleaving_unlock_all(int32_t fiber);
/// Frees what is known of this thread's locks.
void interleaving_free_locks(void);
/// From here on, a fiber of this thread stops after it has signalled a semaphore, a group or a condition, and what it does with locks is noted.
/// Locks inside of libraries are neither, but those that Foundation's locks are made of.
/// - Parameters:
///   - stop: Stops what runs, which goes on at an address.
///   - at_all: Whether it stops, besides, before it takes a mutex or a reader-writer lock, waits for one of those or signals it, and before
///     and after it looks at whether a task is cancelled. If not, that is counted.
///   - note: Notes what runs on the fiber does: with a lock, or with what a lock guards; the kind is a `SharedAccess`. The name is 0 for all
///     locks without a name.
void interleaving_stop_at_locks(void (*_Nonnull stop)(uintptr_t place), bool at_all,
                                void (*_Nonnull note)(uint64_t name, uint8_t kind, bool is_lock));
/// Says that a fiber goes on.
void interleaving_begin_step(void);
/// Says that what runs on the fiber would stop here if it stopped at locks. Those that are not announced are counted without that.
void interleaving_count_meeting(void);
/// Says that a job that runs whole on this thread begins, or has ended, and whether it is counted where it would stop if it stopped at locks.
void interleaving_count_in_whole(bool counts);
/// Whether locks can be seen: not under a sanitizer, nor on other systems than Linux.
bool interleaving_sees_locks(void);
/// Whether what ran on this thread would have stopped at locks twice in one step, since that was cleared.
bool interleaving_met_twice(void);
/// What limits what can be claimed of a run.
enum {
    /// A lock was tried.
    INTERLEAVING_TRY = 1,
    /// A cancellation handler was registered, or a child added to a group unless that is cancelled.
    INTERLEAVING_HANDLER = 2,
    /// Something ran on a dispatch queue.
    INTERLEAVING_QUEUE = 4,
    /// Something was waited for with a limit on time.
    INTERLEAVING_LIMIT = 8,
    /// A stream was used.
    INTERLEAVING_STREAM = 16,
    /// A task was cancelled.
    INTERLEAVING_CANCEL = 32,
    /// Streams were given two things or more for which nobody waited.
    INTERLEAVING_BUFFER = 64,
    /// A child or a group was looked at for being cancelled, or a child slept: the runtime may cancel both without being asked.
    INTERLEAVING_CHILD = 128,
    /// A task looked at its priority.
    INTERLEAVING_PRIORITY = 256,
    /// Random numbers of the system were drawn.
    INTERLEAVING_RANDOM = 512,
    /// A clock was read.
    INTERLEAVING_CLOCK = 1024,
    /// A scope may cancel its children without being asked: a group that may throw was entered, or an `async let` left that nobody waited for.
    INTERLEAVING_SCOPE = 2048,
    /// A group was asked whether it has children left.
    INTERLEAVING_EMPTY = 4096,
};
/// Which of them what ran on this thread did, since that was cleared.
uint32_t interleaving_seen(void);
/// Says that what runs in the simulation does some of them.
void interleaving_see(uint32_t what);
/// From here on, what the system draws on this thread follows from a seed.
void interleaving_set_random(uint64_t seed);
/// Clears what was seen, and what was met.
void interleaving_clear_meetings(void);
/// Stops what runs on a fiber, if it stops at locks, before it registers a cancellation handler, and notes that.
void interleaving_meet_registration(void);
/// The same before it looks at its priority, or registers a handler of that.
void interleaving_meet_priority(void);
/// Says that what runs draws a UUID.
void interleaving_meet_uuid(void);
/// As `interleaving_meet_registration` before it takes from a stream.
void interleaving_meet_next(void);
/// Says that what runs enters a scope whose end may cancel its children.
void interleaving_enter_scope(void);
/// Says that what runs waits for an `async let`.
void interleaving_await_let(const void *_Nonnull let);
/// Says that the scope of an `async let` ends, which cancels it unless it was waited for.
void interleaving_leave_let(const void *_Nonnull let);
/// As `interleaving_meet_registration` before it uses a stream.
void interleaving_meet_stream(void);
/// Says that it has given a stream something.
void interleaving_leave_stream(void);
/// Says that what runs has made a job possible.
void interleaving_note_woken(void);
/// Says that the fiber that this runs on is about to lock a mutex, to access what has a name; it has stopped already.
/// - Parameter kind: A `SharedAccess`, or above 2 if the access is noted otherwise.
void interleaving_announce_lock(const void *_Nonnull mutex, uint64_t name, uint8_t kind);
/// Forgets what was announced: a `Mutex` that nobody had is locked without a call, and another lock may be at its place later.
void interleaving_forget_lock(void);
/// Notes that the fiber is left while it has locks, if it has any.
void interleaving_note_held(void);
/// The address of the innermost call by users' code, on a fiber; 0 if it is unknown.
uintptr_t interleaving_users_caller(void);
/// Stops what runs on a fiber, if it stops at locks.
/// - Parameter return_address: Where the function that asks for it returns to.
void interleaving_meet(const void *_Nonnull return_address);
/// The same, before it looks at whether a task is cancelled, or cancels one, and notes that.
void interleaving_meet_cancellation(const void *_Nonnull return_address);
void interleaving_meet_cancel(const void *_Nonnull return_address);
/// Releases a lock that a fiber waited for, because nobody who has it will.
void interleaving_release_word(const void *_Nonnull lock, bool (*_Nonnull is_free)(const void *_Nonnull lock));

/// The address at which the function that asks was called, on a fiber; 0 if it is unknown.
uintptr_t interleaving_caller(void);
/// Says that what the body of this fiber is there for is called next: who called before is none of the callers that follow.
void interleaving_begin_work(void);
/// The address before one to return to, if that is the executable's; else that of the call of a library that led here.
uintptr_t interleaving_caller_or_beyond(const void *_Nonnull return_address);
/// The address of the call of a library that led here, on a fiber, of the outermost library where one called another; 0 if it is unknown.
uintptr_t interleaving_caller_beyond_libraries(void);

/// Copies the name of this thread: at most 15 characters and a NUL.
void interleaving_thread_name(char *_Nonnull name, int capacity);

/// Why a fiber was left for ever.
struct interleaving_trap {
    /// The number of the signal; 0 if none was.
    int32_t signal;
    /// The address in the executable where it was, or that called what was; 0 if it is unknown.
    uintptr_t place;
    /// The address of the call that led there, also in the executable; 0 if it is unknown.
    uintptr_t caller;
    /// What the runtime said, or words for it; empty if there are none. Of one that was blocked, the function of the system that it was in.
    /// It stays until the next one.
    const char *_Nullable words;
    /// Whether it did not trap, but came to no end.
    bool is_blocked;
};

/// Whether the fiber of this thread that was run last was left because it trapped, or was blocked. Asked again, it was not.
bool interleaving_take_trap(struct interleaving_trap *_Nonnull trap);

struct interleaving_log;
/// A thread that watches the runs of another one.
struct interleaving_watch;

/// From here on, a fiber of this thread that makes no step for so long is left for ever, as one that trapped.
/// - Parameter leaves: Whether runs use fibers. If not, the process says where it is blocked, and ends.
/// - Returns: NULL if there is no such thread.
struct interleaving_watch *_Nullable interleaving_watch_runs(const struct interleaving_log *_Nonnull log, bool leaves,
                                                             int64_t milliseconds);
/// Sets for how long.
void interleaving_set_watch(struct interleaving_watch *_Nonnull watch, int64_t milliseconds);
/// Ends it. Not while a run goes on.
void interleaving_end_watch(struct interleaving_watch *_Nonnull watch);

// Functions that the runtime exports, but that Swift code cannot name.

uint64_t swift_task_getJobTaskId(const void *_Nonnull job) __attribute__((swiftcall));
const void *_Nullable swift_task_getCurrent(void) __attribute__((swiftcall));
void swift_task_cancel(const void *_Nonnull task) __attribute__((swiftcall));

/// The ID of a job's task, which is unique in the process.
static inline uint64_t interleaving_task_id(const void *_Nonnull job) { return swift_task_getJobTaskId(job); }

/// The ID of the task that runs on this thread; 0 for none.
static inline uint64_t interleaving_running_task_id(void) {
    const void *task = swift_task_getCurrent();
    return task == 0 ? 0 : swift_task_getJobTaskId(task);
}

/// The flags of a job; their lowest byte is its kind, 0 for a piece of a task. The offset is the one that debuggers use.
static inline uint32_t interleaving_job_flags(const void *_Nonnull job) { return *(const uint32_t *)((const char *)job + 32); }

/// Whether a job is a piece of a task that its parent waits for: an `async let` or a member of a group.
static inline bool interleaving_is_child(const void *_Nonnull job) {
    uint32_t flags = interleaving_job_flags(job);
    return (flags & 0xFF) == 0 && (flags & 1 << 24) != 0;
}

/// Whether one runs on this thread.
static inline bool interleaving_is_on_child(void) {
    const void *task = swift_task_getCurrent();
    return task != 0 && interleaving_is_child(task);
}

static inline void interleaving_cancel(const void *_Nonnull task) { swift_task_cancel(task); }

/// From here on, what sleeps in a simulation on this thread sleeps by a function: `usleep`, `nanosleep`, `poll` of no files. With a sanitizer, and
/// in a static link, the sleeps of the C library take real time.
/// - Parameter sleep: Lets virtual time go by to a number of nanoseconds after the run began, and others go on meanwhile where that is
///   possible. `is_over` says of `moment` whether it has come. It is given the address at which what sleeps goes on, or 0.
void interleaving_take_sleeps(void (*_Nonnull sleep)(const void *_Nonnull moment, bool (*_Nonnull is_over)(const void *_Nonnull moment),
                                                     int64_t deadline, uintptr_t place));

/// A sleep in a job that ran whole.
struct interleaving_whole_sleep {
    /// Such as `usleep`.
    const char *_Nullable name;
    /// The address of the call; 0 if it is not known.
    uintptr_t place;
};
/// Whether a job that ran whole on this thread slept since that was cleared, and which sleep was the first.
bool interleaving_slept_in_whole(struct interleaving_whole_sleep *_Nonnull sleep);
void interleaving_clear_whole_sleep(void);

/// From here on, the address of the next look at a clock on this thread is kept.
void interleaving_await_clock_look(void);
/// Whether somebody looked at a clock since that was asked for, and the address of the first call in the code under test that did, which is 0 if
/// it is not known. From here on, none is kept.
bool interleaving_clock_look(uintptr_t *_Nonnull place);

/// Blocks this thread for milliseconds of real time.
void interleaving_pause(int milliseconds);

/// The system's monotonic clock in nanoseconds, even in a simulation.
int64_t interleaving_system_time(void);

/// An environment variable, or NULL.
const char *_Nullable interleaving_environment(const char *_Nonnull name);

/// All environment variables, as `NAME=value`, and a NULL.
char *_Nullable *_Nonnull interleaving_environment_variables(void);

/// Zeroed memory that a process shares with its forks, or NULL. Pages that are not touched take no memory.
void *_Nullable interleaving_map(size_t size);
void interleaving_unmap(void *_Nonnull memory, size_t size);

/// The progress of a run, readable by the process that waits for it and by a signal handler.
struct interleaving_log {
    /// The number of the run in its exploration.
    int64_t iteration;
    /// The seed of the run's data.
    uint64_t seed;
    /// How many runs have begun.
    int64_t runs;
    /// 0 between runs. In one, it rises with all that is no step, but shows that it goes on.
    int64_t life;
    /// How many steps follow.
    int64_t count;
    /// In bytes: the offset of the first step, the distance between steps, and the offset in a step of its position, a 64-bit number.
    int64_t first_step;
    int64_t stride;
    int64_t position;
    /// The version of the code that repeats the run: a number of one digit.
    int64_t version;
};

/// Sets the log of this thread's runs, from which a run that traps is named.
void interleaving_set_log(const struct interleaving_log *_Nullable log);

/// From here on, a fatal signal in a run writes a line to the standard error that names the run; elsewhere it writes the place of the
/// crash. Then the signal is handled as before.
void interleaving_name_trapping_runs(void);
/// From here on, a fatal signal only ends the process.
void interleaving_trap_silently(void);

/// Lowers a number in shared memory to another, if the other is lower.
/// - Returns: The number after that.
int64_t interleaving_lower(void *_Nonnull number, int64_t other);

/// A forked process and its output.
struct interleaving_worker {
    int32_t process;
    /// The end to read of the pipe for its result.
    int32_t result;
    /// The end to read of the pipe for its standard error.
    int32_t error;
};

/// Forks a process that runs a body and ends. The body is given the end to write its result to. The process dies with the thread that
/// forked it.
/// - Returns: 0, or the error number if there is no process.
int interleaving_start_worker(
    void (*_Nonnull body)(void *_Nonnull context, int result),
    void *_Nonnull context,
    struct interleaving_worker *_Nonnull worker
);

/// The demangled name of the function that contains an address, to be freed; NULL if it is unknown.
char *_Nullable interleaving_function(uintptr_t address);

/// Whether code is of the Swift runtime, or of a library that comes with it or with the system, also where the compiler has copied it into the
/// executable.
bool interleaving_is_of_library(uintptr_t address);
/// Sets what tells such a copy, by the name of its function.
void interleaving_name_libraries(bool (*_Nonnull is_library)(uintptr_t address));

/// Where a task goes on in code that is neither of the Swift runtime nor of a library that comes with it or with the system.
/// - Parameter place: The address at which the task goes on.
/// - Parameter context: What it goes on with: the innermost of its asynchronous frames, all of which must still exist.
/// - Returns: The first address, from the task's own place outwards through its callers, that is in other code; the place itself if there
///   is none.
uintptr_t interleaving_users_place(uintptr_t place, const void *_Nullable context);

/// The file that an address of code was loaded from, to be freed, and the address in the file; NULL if there is none.
char *_Nullable interleaving_object_file(uintptr_t address, uintptr_t *_Nonnull offset);

/// The version of the compiler, as it states it.
const char *_Nonnull interleaving_compiler(void);

size_t swift_retainCount(const void *_Nonnull object);

/// The number of references to an object.
static inline int64_t interleaving_retain_count(const void *_Nonnull object) { return (int64_t)swift_retainCount(object); }

/// Retains an object.
/// - Returns: Whether the reference count changed; false for an object without one.
bool interleaving_retain(const void *_Nonnull object);
void interleaving_release(const void *_Nonnull object);
