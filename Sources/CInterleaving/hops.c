#define _GNU_SOURCE
#include "CInterleaving.h"

#include <stddef.h>
#include <stdlib.h>

#if defined(__linux__)
#include <dlfcn.h>
#endif

// Every hop of a task to another executor goes through `swift_task_switch`. If the target is a default actor without another task in it,
// the runtime goes on at once and asks no executor, so the simulation cannot see the hop. The definition here counts hops to default
// actors on the thread of a simulation, or stops at them where that is possible, and passes all hops on.

static _Thread_local uint64_t hops;

uint64_t interleaving_default_actor_hops(void) { return hops; }
void interleaving_clear_default_actor_hops(void) { hops = 0; }

static _Thread_local bool (*stop)(uintptr_t);
/// The context of the task that began a hop last, until it goes on or its job has ended.
static _Thread_local void *hopping;

/// Called where a task is in a default actor.
static _Thread_local void (*enter)(void);

void interleaving_stop_at_hops(bool (*function)(uintptr_t), void (*entered)(void)) {
    stop = function;
    enter = entered;
}
bool interleaving_is_hopping(void) { return hopping != NULL; }
void interleaving_end_hop(void) { hopping = NULL; }

#if defined(__linux__)

typedef __attribute__((swiftasynccall)) void continuation_function(__attribute__((swift_async_context)) void *context);
typedef __attribute__((swiftasynccall)) void switch_function(__attribute__((swift_async_context)) void *context,
                                                             continuation_function *resume, void *identity,
                                                             uintptr_t implementation);

static switch_function *runtime_switch;

__attribute__((constructor)) static void find_switch(void) {
    runtime_switch = (switch_function *)dlsym(RTLD_NEXT, "swift_task_switch");
}

// An executor is an object and its implementation; a default actor has no implementation of its own.
struct executor {
    void *identity;
    uintptr_t implementation;
};

struct executor swift_task_getCurrentExecutor(void) __attribute__((swiftcall));
struct executor swift_task_getPreferredTaskExecutor(void) __attribute__((swiftcall));

static bool is_default_actor(struct executor executor) { return executor.identity != NULL && executor.implementation == 0; }

bool interleaving_is_in_default_actor(void) { return is_default_actor(swift_task_getCurrentExecutor()); }

/// Says that a task is in a default actor, if it is in one.
static void note_actor(void) {
    if (enter != NULL && interleaving_is_in_default_actor()) enter();
}

/// Tasks that are on their way, by their context, and where they go on when they have arrived.
struct traveller {
    void *context;
    continuation_function *resume;
    /// Whether to stop even if the runtime goes on at once.
    bool stops;
};

static _Thread_local struct traveller *travellers;
static _Thread_local size_t traveller_count, traveller_room;

static struct traveller *find_traveller(const void *context) {
    for (size_t index = traveller_count; index > 0; index--) {
        if (travellers[index - 1].context == context) return &travellers[index - 1];
    }
    return NULL;
}

static bool add_traveller(struct traveller traveller) {
    if (traveller_count == traveller_room) {
        size_t room = traveller_room == 0 ? 16 : traveller_room * 2;
        struct traveller *memory = realloc(travellers, room * sizeof *memory);
        if (memory == NULL) return false;
        travellers = memory;
        traveller_room = room;
    }
    travellers[traveller_count++] = traveller;
    return true;
}

void interleaving_clear_hops(void) {
    traveller_count = 0;
    hopping = NULL;
}

void interleaving_free_hops(void) {
    interleaving_clear_hops();
    free(travellers);
    travellers = NULL;
    traveller_room = 0;
}

/// What a task goes on with after a hop: on the executor that it hopped to.
static __attribute__((swiftasynccall)) void arrive(__attribute__((swift_async_context)) void *context) {
    struct traveller *found = find_traveller(context);
    // Only a task of an earlier run could be unknown, and no such task runs.
    if (found == NULL) abort();
    struct traveller traveller = *found;
    *found = travellers[--traveller_count];
    bool at_once = hopping == context;
    hopping = NULL;
    // One that had to wait begins its turn here, right after that of another task.
    if (traveller.stops || !at_once) stop(interleaving_users_place((uintptr_t)traveller.resume, context));
    note_actor();
    __attribute__((musttail)) return traveller.resume(context);
}

const uintptr_t interleaving_arrival = (uintptr_t)arrive;

uintptr_t interleaving_place_of_arrival(const void *context) {
    struct traveller *found = find_traveller(context);
    return found == NULL ? 0 : (uintptr_t)found->resume;
}

/// Stops where a hop can make a difference: while a task has not yet entered a default actor, and when it has left one.
/// - Returns: What to go on with after the hop.
static continuation_function *stop_for(void *context, continuation_function *resume, struct executor target) {
    struct executor source = swift_task_getCurrentExecutor();
    if (source.identity == target.identity) return resume;
    bool leaves = is_default_actor(source), enters = is_default_actor(target);
    // Other executors are asked, so the job ends here, and its task goes on in another.
    bool ends = (source.identity != NULL && !leaves) || (target.identity != NULL && !enters) ||
                (target.identity == NULL && swift_task_getPreferredTaskExecutor().identity != NULL);
    if (!ends) {
        if (enters && !stop(interleaving_users_place((uintptr_t)resume, context))) {
            hops += 1;
            return resume;
        }
        if (!add_traveller((struct traveller){context, resume, leaves})) {
            hops += 1;
            return resume;
        }
        resume = arrive;
    }
    hopping = context;
    return resume;
}

// Weak, because a static link has the runtime's definition. Then hops are not counted.
__attribute__((weak, swiftasynccall)) void swift_task_switch(__attribute__((swift_async_context)) void *context,
                                                             continuation_function *resume, void *identity,
                                                             uintptr_t implementation) {
    if (interleaving_current() != NULL) {
        struct executor target = {identity, implementation};
        if (stop != NULL && interleaving_fiber() >= 0) resume = stop_for(context, resume, target);
        else if (is_default_actor(target)) hops += 1;
    }
    __attribute__((musttail)) return runtime_switch(context, resume, identity, implementation);
}

bool interleaving_sees_hops(void) { return dlsym(RTLD_DEFAULT, "swift_task_switch") == (void *)&swift_task_switch; }

#else

// Nobody can take the place of the runtime's function.
bool interleaving_sees_hops(void) { return false; }
bool interleaving_is_in_default_actor(void) { return false; }
void interleaving_clear_hops(void) {}
void interleaving_free_hops(void) {}
const uintptr_t interleaving_arrival = 0;
uintptr_t interleaving_place_of_arrival(const void *context) { return 0; }

#endif
