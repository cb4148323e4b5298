#define _GNU_SOURCE
#include "CInterleaving.h"
#include "stack.h"

// Whether a task is cancelled is shared by who cancels it and who looks. The definitions here stop before both, and after a look, because what
// follows from it may be in no lock. Each passes on all arguments, of which it knows only the task.

#if defined(__linux__) && !defined(SANITIZED)

#include <dlfcn.h>

typedef __attribute__((swiftcall)) uintptr_t function(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                                                     __attribute__((swift_context)) void *,
                                                     __attribute__((swift_error_result)) void **);

#define ARGUMENTS uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f, \
    __attribute__((swift_context)) void *self, __attribute__((swift_error_result)) void **error

// Each definition is weak, because a static link has the runtime's own.
#define PASS_ON(name, symbol, before, after)                                               \
    static function *real_##name;                                                          \
    __attribute__((constructor)) static void find_##name(void) {                           \
        real_##name = (function *)dlsym(RTLD_NEXT, symbol);                                \
    }                                                                                      \
    __attribute__((swiftcall)) uintptr_t name(ARGUMENTS) __asm__(symbol);                  \
    __attribute__((weak, swiftcall)) uintptr_t name(ARGUMENTS) {                           \
        const void *caller = __builtin_return_address(0);                                  \
        before(caller);                                                                    \
        uintptr_t result = real_##name(a, b, c, d, e, f, self, error);                     \
        after(caller);                                                                     \
        return result;                                                                     \
    }

static void nothing(const void *caller) { (void)caller; }

#define LOOK(name, symbol) PASS_ON(name, symbol, interleaving_meet_cancellation, interleaving_meet)
#define CANCEL(name, symbol) PASS_ON(name, symbol, interleaving_meet_cancel, nothing)

LOOK(is_current_cancelled, "$sScTss5NeverORszABRs_rlE11isCancelledSbvgZ")
LOOK(check_current, "$sScTss5NeverORszABRs_rlE17checkCancellationyyKFZ")
LOOK(is_task_cancelled, "$sScT11isCancelledSbvg")
LOOK(is_unsafe_task_cancelled, "$sSct11isCancelledSbvg")
LOOK(is_group_cancelled, "$sScG11isCancelledSbvg")
LOOK(is_throwing_group_cancelled, "$sScg11isCancelledSbvg")
LOOK(is_discarding_group_cancelled, "$ss19DiscardingTaskGroupV11isCancelledSbvg")
LOOK(is_throwing_discarding_group_cancelled, "$ss27ThrowingDiscardingTaskGroupV11isCancelledSbvg")
LOOK(is_cancelled, "swift_task_isCancelled")
LOOK(add_to_group, "swift_taskGroup_addPending")
CANCEL(cancel_task, "$sScT6cancelyyF")
CANCEL(cancel_unsafe_task, "$sSct6cancelyyF")
CANCEL(cancel_group, "$sScG9cancelAllyyF")
CANCEL(cancel_throwing_group, "$sScg9cancelAllyyF")
CANCEL(cancel_discarding_group, "$ss19DiscardingTaskGroupV9cancelAllyyF")
CANCEL(cancel_throwing_discarding_group, "$ss27ThrowingDiscardingTaskGroupV9cancelAllyyF")

#if defined(__x86_64__)

// Who registers a handler looks, too. These are asynchronous functions, so all registers with arguments are kept, and the stack is as it was.
#define REGISTER(name, symbol)                                                             \
    __attribute__((used, visibility("hidden"))) void *interleaving_real_##name;            \
    __attribute__((constructor)) static void find_##name(void) {                           \
        interleaving_real_##name = dlsym(RTLD_NEXT, symbol);                               \
    }                                                                                      \
    __attribute__((naked, weak)) void name(void) __asm__(symbol);                          \
    __attribute__((naked, weak)) void name(void) {                                         \
        __asm__("pushq %rax\n pushq %rdi\n pushq %rsi\n pushq %rdx\n pushq %rcx\n pushq %r8\n" \
                "pushq %r9\n pushq %r10\n pushq %r11\n pushq %r13\n pushq %r14\n"       \
                "call interleaving_meet_registration\n"                                    \
                "popq %r14\n popq %r13\n popq %r11\n popq %r10\n popq %r9\n popq %r8\n"   \
                "popq %rcx\n popq %rdx\n popq %rsi\n popq %rdi\n popq %rax\n"            \
                "jmp *interleaving_real_" #name "(%rip)");                                 \
    }

REGISTER(with_handler, "$ss27withTaskCancellationHandler9operation8onCancel9isolationxxyYaKXE_yyYbXEScA_pSgYitYaKlF")
REGISTER(with_older_handler, "$ss27withTaskCancellationHandler9operation8onCancelxxyYaKXE_yyYbXEtYaKlF")

#endif

#endif
