#define _GNU_SOURCE
#include "CInterleaving.h"

#include <stddef.h>

#if defined(__linux__)
#include <dlfcn.h>
#endif

// Every hop of a task to another executor goes through `swift_task_switch`. If the target is a default actor without another task in it,
// the runtime goes on at once and asks no executor, so the simulation cannot see the hop. The definition here counts hops to default
// actors on the thread of a simulation, and passes all hops on.

static _Thread_local uint64_t hops;

uint64_t interleaving_default_actor_hops(void) { return hops; }
void interleaving_clear_default_actor_hops(void) { hops = 0; }

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
// Weak, because a static link has the runtime's definition. Then hops are not counted.
__attribute__((weak, swiftasynccall)) void swift_task_switch(__attribute__((swift_async_context)) void *context,
                                                             continuation_function *resume, void *identity,
                                                             uintptr_t implementation) {
    if (identity != NULL && implementation == 0 && interleaving_current() != NULL) hops += 1;
    __attribute__((musttail)) return runtime_switch(context, resume, identity, implementation);
}

bool interleaving_sees_hops(void) { return dlsym(RTLD_DEFAULT, "swift_task_switch") == (void *)&swift_task_switch; }

#else

// Nobody can take the place of the runtime's function.
bool interleaving_sees_hops(void) { return false; }

#endif
