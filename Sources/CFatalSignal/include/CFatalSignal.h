#pragma once

#include <stdbool.h>
#include <stddef.h>

// What code of an app is doing, kept where a handler of a fatal signal can read it: without a lock, and written beforehand as text.

/// What one executor is doing.
typedef struct fatal_work fatal_work;

/// An unused place, or NULL if all 4,096 are taken. Its text takes at most 319 bytes.
fatal_work *_Nullable fatal_work_take(void);
/// Gives the place back. Nothing runs in it any more.
void fatal_work_give_back(fatal_work *_Nonnull work);

/// Says what is going on; more than fits is cut off. A length of 0 says that nothing is.
void fatal_work_say(fatal_work *_Nonnull work, const char *_Nonnull text, size_t length);

/// The calling thread runs what the place describes, until `fatal_work_leave`.
void fatal_work_enter(fatal_work *_Nonnull work);
void fatal_work_leave(fatal_work *_Nonnull work);

/// From now on a signal that ends the process because of a defect (SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV) first writes to
/// standard error what is going on, a line for each place, and then does what it would have done: Swift's runtime writes its
/// backtrace, and the process ends.
/// - Parameter prefix: what each line begins with.
/// - Returns: whether the handlers are in place.
bool fatal_signals_tell(const char *_Nonnull prefix);
