#pragma once

#include "sanitized.h"

// The switch from one stack to another. Where it is known, `CAN_STOP` is defined.

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && !defined(SANITIZED)
#define CAN_STOP

/// Leaves one stack and goes on with another.
/// - Parameter left: Where to write the top of the stack that is left.
/// - Parameter next: The top of the stack to go on with.
__attribute__((visibility("hidden"))) void interleaving_switch_stack(void **left, void *next);
/// What a new stack goes on with.
__attribute__((visibility("hidden"))) void interleaving_begin_stack(void);

/// What a stack that is left has on its top: so many words, and among them the place where it goes on.
#if defined(__x86_64__)
enum { saved_words = 8, return_word = 7 };
#else
enum { saved_words = 22, return_word = 11 };
#endif

#endif
