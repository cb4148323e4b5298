#pragma once

#include <stdbool.h>
#include <stdint.h>

// Which shared objects code reads and writes, for whoever watches: explorations of interleavings do, and nobody in production, where an access
// costs a load and a branch that is not taken.

/// From here on, for the rest of the process's life, these functions are called, on any thread.
/// - Parameters:
///   - made: Called when an object was made. Returns its name, which follows from what made it and not from its place in memory; 0 for none.
///   - accessed: Called when an object is about to be accessed: that with this name, or that at this address if the name is 0. The kind of
///     access is a `SharedAccess`.
void access_watch(uint64_t (*_Nonnull made)(void),
                  void (*_Nonnull accessed)(const void *_Nonnull object, uint64_t name, uint8_t kind));

/// Says that an object was made.
/// - Returns: The name to give with each access to it.
uint64_t access_made(void);

/// Whether anybody watches.
static inline bool access_is_watched(void) {
    extern bool access_watched;
    return __builtin_expect(__atomic_load_n(&access_watched, __ATOMIC_RELAXED), 0);
}

/// Tells who watches that an object is about to be accessed.
void access_report(const void *_Nonnull object, uint64_t name, uint8_t kind);

/// Says that an object is about to be accessed.
static inline void access_to(const void *_Nonnull object, uint64_t name, uint8_t kind) {
    if (access_is_watched()) access_report(object, name, kind);
}
