#pragma once

#include "sanitized.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

// The switch from one stack to another. Where it is known, `CAN_STOP` is defined.

/// Every run begins at 2001-09-09T01:46:40Z on every clock: so many seconds after its beginning.
enum { interleaving_beginning = 1000000000 };

/// From here on, each look at a clock on this thread finds more time gone by, twice as much as the one before, or no longer does.
__attribute__((visibility("hidden"))) void interleaving_hurry(bool hurries);

#if defined(__linux__)
/// The call in the code under test that led to a function: the first one that is in no library of the system or of Swift; 0 if it is unknown.
/// To find it takes some microseconds.
/// - Parameter return_address: Where the function returns to.
__attribute__((visibility("hidden"))) uintptr_t interleaving_unwound_caller(const void *return_address);
/// Whether an address is in the executable's code.
__attribute__((visibility("hidden"))) bool interleaving_is_own(uintptr_t address);
/// Finds the functions of the executable, so that the next may be called in a signal handler.
__attribute__((visibility("hidden"))) void interleaving_know_functions(void);
/// Whether an address of the executable is in code that is not the simulation's; false if it is unknown.
/// - Parameter is_swift: Whether it must be in Swift: functions in C may be those that stand in for the system's.
__attribute__((visibility("hidden"))) bool interleaving_is_foreign_code(uintptr_t address, bool is_swift);
/// The mangled name of the function of the executable that has an address; NULL if it is unknown.
__attribute__((visibility("hidden"))) const char *interleaving_known_name(uintptr_t address);
/// Whether an address of the executable is neither in the simulation's code nor in what reports accesses to it; false if it is unknown.
__attribute__((visibility("hidden"))) bool interleaving_is_users_code(uintptr_t address);
/// Whether an address of the executable is in what runs a job of the simulation.
__attribute__((visibility("hidden"))) bool interleaving_begins_job(uintptr_t address);
/// The log of the run that goes on on this thread; NULL if none does.
__attribute__((visibility("hidden"))) const struct interleaving_log *interleaving_watched_log(void);
/// Has the fiber that a signal interrupted be left for ever when the handler returns, where nothing is half done; else it does nothing.
/// - Parameter leaves: Whether there are fibers. If not, says where the run is blocked, and ends the process.
__attribute__((visibility("hidden"))) void interleaving_leave_blocked(void *context, bool leaves);
/// Writes which run this is, and where a signal interrupted it, because it is blocked.
__attribute__((visibility("hidden"))) void interleaving_name_blocked_run(const void *context);
#endif

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && !defined(SANITIZED)
#define CAN_STOP

/// Leaves one stack and goes on with another.
/// - Parameter left: Where to write the top of the stack that is left.
/// - Parameter next: The top of the stack to go on with.
__attribute__((visibility("hidden"))) void interleaving_switch_stack(void **left, void *next);
/// What a new stack goes on with.
__attribute__((visibility("hidden"))) void interleaving_begin_stack(void);

/// The stack of the fiber that runs on this thread, from its guard to the frame of whoever began its body; false if none runs.
struct interleaving_stack {
    uintptr_t guard, lowest, base;
};
__attribute__((visibility("hidden"))) bool interleaving_running_stack(struct interleaving_stack *stack);
/// Goes from the frame of a function to that of its caller; 0 is no frame. All is read from the stack of the fiber or whole job that runs, so no
/// address can be wrong, whatever leads to it.
/// - Returns: The address of the call; 0 if it is the simulation's own.
__attribute__((visibility("hidden"))) uintptr_t interleaving_next_call(uintptr_t *frame);
/// What the innermost asynchronous function that led here goes on with, on a fiber or in a whole job that counts; NULL if it is unknown.
__attribute__((visibility("hidden"))) const void *interleaving_async_frame(void);
/// Says where the stack of a job that runs whole on this thread begins, so that its calls can be followed; 0 if none runs.
__attribute__((visibility("hidden"))) void interleaving_begin_whole_stack(uintptr_t base);

/// Has the fiber that a signal interrupted be left for ever, if the signal is a trap of it.
/// - Returns: Whether that is so. Then the handler returns.
__attribute__((visibility("hidden"))) bool interleaving_catch(int signal_number, const siginfo_t *info, void *context);

/// What a stack that is left has on its top: so many words, and among them the place where it goes on.
#if defined(__x86_64__)
enum { saved_words = 8, return_word = 7 };
#else
enum { saved_words = 22, return_word = 11 };
#endif

#endif
