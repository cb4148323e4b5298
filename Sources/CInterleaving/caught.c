#define _GNU_SOURCE
#include "CInterleaving.h"
#include "stack.h"

#include <stddef.h>
#include <string.h>

// What traps on a fiber ends its run, not the process: the fiber is left for ever, as if what runs on it were a thread that stands still,
// and the simulation goes on. The same is done with what has not come to an end for too long. Only what the Swift runtime or the code under
// test does is left so. What the C library ends, such as a heap that is broken, ends the process as ever, and so does what traps elsewhere.

#if defined(__linux__)
#if defined(CAN_STOP)

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

static _Thread_local struct interleaving_trap left;
/// What the runtime said last.
static _Thread_local char said[512];

bool interleaving_take_trap(struct interleaving_trap *trap) {
    *trap = left;
    left.signal = 0;
    return trap->signal != 0;
}

__attribute__((noreturn)) static void leave_for_ever(void) {
    interleaving_stop_fiber();
    abort();
}

static bool is_caught(void) { return interleaving_fiber() >= 0 && interleaving_current() != NULL; }

/// Whether an address is in Swift code of the executable that is not the simulation's.
static bool is_users(uintptr_t address) {
    return interleaving_is_own(address) && interleaving_is_foreign_code(address, true) && !interleaving_begins_job(address);
}

/// Finds the next instruction of the code under test, which what reports its accesses is not.
/// - Parameter instruction: Where to begin.
/// - Parameter frame: The frame of the function with it, and then of the one that has what was found.
/// - Returns: 0 if there is none.
static uintptr_t find_own(uintptr_t instruction, uintptr_t *frame) {
    for (int depth = 0; depth < 64 && instruction != 0; depth++) {
        if (is_users(instruction) && interleaving_is_users_code(instruction)) return instruction;
        instruction = interleaving_next_call(frame);
    }
    return 0;
}

/// Notes why a fiber is left.
/// - Parameter instruction: Where it is.
static void note(int signal_number, uintptr_t instruction, uintptr_t frame, const char *words) {
    uintptr_t place = find_own(instruction, &frame);
    uintptr_t caller = place == 0 ? 0 : find_own(interleaving_next_call(&frame), &frame);
    left = (struct interleaving_trap){signal_number, place, caller, words, false};
}

/// Whether an address is in a library whose path contains some text.
static bool is_in(uintptr_t address, const char *library) {
    Dl_info info;
    return dladdr((void *)address, &info) != 0 && info.dli_fname != NULL && strstr(info.dli_fname, library) != NULL;
}

#define REAL(result, name, parameters)                             \
    typedef result name##_function parameters;                     \
    static name##_function *real_##name;                           \
    __attribute__((constructor)) static void find_##name(void) {   \
        real_##name = (name##_function *)dlsym(RTLD_NEXT, #name);  \
    }                                                              \
    static inline name##_function *the_##name(void) {              \
        if (real_##name == NULL) find_##name();                    \
        return real_##name;                                        \
    }

REAL(int, fputs, (const char *, FILE *))
REAL(void, abort, (void))

/// Whether the runtime says why it traps, or only something: it writes both in the same way.
static bool is_fatal(uintptr_t frame) {
    for (int depth = 0; depth < 5; depth++) {
        uintptr_t address = interleaving_next_call(&frame);
        Dl_info info;
        if (address == 0 || dladdr((void *)address, &info) == 0 || info.dli_sname == NULL) continue;
        if (strncmp(info.dli_sname, "_swift_stdlib_reportFatalError", 30) == 0) return true;
    }
    return false;
}

// Weak, because a static link has the library's own. Then no job can be stopped, either.
__attribute__((weak)) int fputs(const char *text, FILE *file) {
    if (file == stderr && is_caught() && is_in((uintptr_t)__builtin_return_address(0), "/libswiftCore")) {
        strncpy(said, text, sizeof said - 1);
        uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
        if (is_fatal(frame)) {
#if defined(__x86_64__)
            int signal_number = SIGILL;
#else
            int signal_number = SIGTRAP;
#endif
            uintptr_t caller = interleaving_next_call(&frame);
            note(signal_number, caller, frame, said);
            leave_for_ever();
        }
        // It is the verdict's, once the runtime has called `abort`, and would otherwise be written for each run.
        if (strncmp(text, "Fatal error: ", 13) == 0) return 0;
    }
    return the_fputs()(text, file);
}

__attribute__((weak, noreturn)) void abort(void) {
    uintptr_t caller = (uintptr_t)__builtin_return_address(0) - 1;
    bool is_own = interleaving_is_own(caller);
    if (is_caught() && (is_own || is_in(caller, "/libswift"))) {
        uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
        interleaving_next_call(&frame);
        // The runtime says why just before.
        note(SIGABRT, caller, frame, is_own ? "" : said);
        leave_for_ever();
    }
    the_abort()();
    __builtin_unreachable();
}

REAL(void, exit, (int))

// A process that ended in a run would end all other tests, and as if they had passed.
__attribute__((weak, noreturn)) void exit(int status) {
    uintptr_t caller = (uintptr_t)__builtin_return_address(0) - 1;
    if (is_caught() && interleaving_is_own(caller)) {
        uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
        interleaving_next_call(&frame);
        snprintf(said, sizeof said, "exit(%d) ends the process", status);
        note(SIGABRT, caller, frame, said);
        leave_for_ever();
    }
    the_exit()(status);
    __builtin_unreachable();
}

static uintptr_t instruction_of(const ucontext_t *context) {
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#else
    return (uintptr_t)context->uc_mcontext.pc;
#endif
}

/// Has the fiber that a signal interrupted be left when the handler returns. The system restores the mask of signals then.
static void leave_after(ucontext_t *context, const struct interleaving_stack *stack) {
#if defined(__x86_64__)
    greg_t *top = &context->uc_mcontext.gregs[REG_RSP];
#else
    unsigned long long *top = &context->uc_mcontext.sp;
#endif
    // Below what is in use: a function may use a little more than it has taken. One that has overflowed has no room there, and what is near
    // the beginning of its stack is its own again and again.
    enum { beyond = 256, room = 64 << 10 };
    uintptr_t next = (uintptr_t)*top - beyond;
    if (next < stack->lowest + room || next > stack->base) next = stack->base - room;
    next &= ~(uintptr_t)15;
#if defined(__x86_64__)
    // As after a call.
    *top = (greg_t)(next - 8);
    context->uc_mcontext.gregs[REG_RIP] = (greg_t)leave_for_ever;
#else
    *top = next;
    context->uc_mcontext.pc = (unsigned long long)leave_for_ever;
#endif
}

static uintptr_t frame_of(const ucontext_t *context) {
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RBP];
#else
    return (uintptr_t)context->uc_mcontext.regs[29];
#endif
}

/// The first address on the stack that may be one to return to: for functions of the C library, which keep no frames.
static uintptr_t first_on_stack(const ucontext_t *context, const struct interleaving_stack *stack, bool (*is_meant)(uintptr_t)) {
#if defined(__x86_64__)
    uintptr_t top = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#else
    uintptr_t top = (uintptr_t)context->uc_mcontext.sp;
    if (is_meant(context->uc_mcontext.regs[30])) return context->uc_mcontext.regs[30] - 1;
#endif
    if (top < stack->lowest) return 0;
    for (; top + sizeof top <= stack->base; top += sizeof top) {
        uintptr_t word = *(const uintptr_t *)top;
        if (is_meant(word)) return word - 1;
    }
    return 0;
}

bool interleaving_catch(int signal_number, const siginfo_t *info, void *signal_context) {
    ucontext_t *context = signal_context;
    struct interleaving_stack stack;
    if (!is_caught() || info->si_code <= 0 || !interleaving_running_stack(&stack)) return false;
    uintptr_t instruction = instruction_of(context), address = (uintptr_t)info->si_addr;
    const char *words = "";
    switch (signal_number) {
    case SIGILL:
    case SIGTRAP: break;
    case SIGSEGV:
    case SIGBUS:
        // What the C library was doing may be half done: nobody could allocate memory any more.
        if (address >= stack.guard && address < stack.lowest && !is_in(instruction, "/libc.so")) words = "the stack overflows";
        else if (interleaving_is_own(instruction)) words = "there is no such memory";
        else return false;
        break;
    default: return false;
    }
    note(signal_number, instruction, frame_of(context), words);
    if (left.place == 0) left.place = first_on_stack(context, &stack, is_users);
    leave_after(context, &stack);
    return true;
}

/// Whether a signal came in a call of the system, which begins again after it, or has just returned.
static bool is_system_call(uintptr_t instruction) {
#if defined(__x86_64__)
    static const unsigned char call[] = {0x0f, 0x05};
#else
    static const unsigned char call[] = {0x01, 0x00, 0x00, 0xd4};
#endif
    return memcmp((const void *)instruction, call, sizeof call) == 0 ||
           memcmp((const void *)(instruction - sizeof call), call, sizeof call) == 0;
}

/// Whether an instruction is the code under test's, and so are all its callers but those in libraries.
static bool is_interruptible(uintptr_t instruction, uintptr_t frame, const struct interleaving_stack *stack) {
    if (!is_users(instruction)) return false;
    for (;;) {
        uintptr_t address = interleaving_next_call(&frame);
        // From its base on the stack is that of whoever runs the job.
        if (address == 0 || frame == 0 || frame >= stack->base) return true;
        if (interleaving_is_own(address) && !interleaving_is_foreign_code(address, true)) return false;
    }
}

/// How often in a row a fiber was not left, and where it was.
static _Thread_local int refusals;
static _Thread_local uintptr_t refused_at;
enum { most_refusals = 1000 };

void interleaving_leave_blocked(void *signal_context, bool leaves) {
    ucontext_t *context = signal_context;
    // It is being left already.
    if (left.signal != 0) return;
    uintptr_t instruction = instruction_of(context);
    bool is_call = is_system_call(instruction);
    struct interleaving_stack stack;
    if (!interleaving_running_stack(&stack)) {
        if (!leaves) interleaving_name_blocked_run(context);
        return;
    }
    uintptr_t place = is_call ? first_on_stack(context, &stack, interleaving_is_own) : instruction;
    // What the simulation itself does may be half done. It will not last, unless it waits for the system on behalf of the code under test.
    if (is_call && !interleaving_is_foreign_code(place, false)) {
        if (refused_at != instruction) refusals = 0;
        refused_at = instruction;
        if (++refusals < most_refusals) return;
        place = first_on_stack(context, &stack, is_users);
    } else if (!is_call && !is_interruptible(instruction, frame_of(context), &stack)) {
        return;
    }
    said[0] = 0;
    Dl_info info;
    if (is_call && dladdr((void *)instruction, &info) != 0 && info.dli_sname != NULL) strncpy(said, info.dli_sname, sizeof said - 1);
    if (is_call) left = (struct interleaving_trap){.place = place, .words = said};
    else note(0, instruction, frame_of(context), said);
    left.signal = SIGALRM;
    left.is_blocked = true;
    leave_after(context, &stack);
}

#else

void interleaving_leave_blocked(void *context, bool leaves) {
    if (!leaves) interleaving_name_blocked_run(context);
}

#endif
#endif

#if !defined(CAN_STOP)

bool interleaving_take_trap(struct interleaving_trap *trap) {
    trap->signal = 0;
    return false;
}

#endif
