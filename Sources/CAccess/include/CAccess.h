#pragma once

#include <stdbool.h>
#include <stdint.h>

// Which shared objects code reads and writes, for whoever watches: explorations of interleavings do, and nobody in production, where an access
// costs a load and a branch that is not taken.

/// What keeps others from an object meanwhile.
enum access_way {
    /// A mutex at the object's address, which is about to be locked.
    ACCESS_BY_LOCK,
    /// A mutex that is locked already.
    ACCESS_WITHIN_LOCK,
    /// Nothing: it is an atomic value, or what keeps others away cannot be seen.
    ACCESS_ALONE,
    /// A mutex that is only tried.
    ACCESS_BY_TRYING,
};

/// Instead of the kind of an access by a lock.
enum {
    /// What is accessed is reported when the lock is held.
    ACCESS_IN_PARTS = 0xfe,
    /// It makes no difference to anybody.
    ACCESS_UNSEEN = 0xff,
};

/// From here on, for the rest of the process's life, these functions are called, on any thread.
/// - Parameters:
///   - made: Called when an object was made. Returns its name, which follows from what made it and not from its place in memory; 0 for none.
///   - accessed: Called when an object is about to be accessed: that with this name, or that at this address if the name is 0. The kind of
///     access is a `SharedAccess`, or one of the values above; the way an `access_way`.
void access_watch(uint64_t (*_Nonnull made)(void),
                  void (*_Nonnull accessed)(const void *_Nonnull object, uint64_t name, uint8_t kind, uint8_t way));

/// Says that an object was made.
/// - Returns: The name to give with each access to it.
uint64_t access_made(void);

/// Whether anybody watches.
static inline bool access_is_watched(void) {
    extern bool access_watched;
    return __builtin_expect(__atomic_load_n(&access_watched, __ATOMIC_RELAXED), 0);
}

/// Tells who watches that an object is about to be accessed.
void access_report(const void *_Nonnull object, uint64_t name, uint8_t kind, uint8_t way);

/// Says that the mutex at an address is about to be locked, for an access to what it guards.
static inline void access_by_lock(const void *_Nonnull mutex, uint64_t name, uint8_t kind) {
    if (access_is_watched()) access_report(mutex, name, kind, ACCESS_BY_LOCK);
}

/// Says that an object is about to be accessed, by who holds the lock that guards it.
static inline void access_within_lock(const void *_Nonnull object, uint64_t name, uint8_t kind) {
    if (access_is_watched()) access_report(object, name, kind, ACCESS_WITHIN_LOCK);
}

/// Says that a mutex is about to be tried, for an access to what it guards.
static inline void access_by_trying(const void *_Nonnull mutex, uint64_t name, uint8_t kind) {
    if (access_is_watched()) access_report(mutex, name, kind, ACCESS_BY_TRYING);
}

/// Says that an object is about to be accessed that no lock guards.
static inline void access_alone(const void *_Nonnull object, uint64_t name, uint8_t kind) {
    if (access_is_watched()) access_report(object, name, kind, ACCESS_ALONE);
}
