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

// A child is cancelled with its parent, its group or its scope, by the runtime, and so is a group whose child fails: nobody is seen to do it.
static void look_at_group(const void *caller) {
    interleaving_meet_cancellation(caller);
    interleaving_see(INTERLEAVING_CHILD);
#if !defined(__x86_64__)
    // Elsewhere it is not seen which scopes are entered.
    interleaving_see(INTERLEAVING_SCOPE);
#endif
}

static void look_at_task(const void *caller) {
    if (interleaving_is_on_child()) look_at_group(caller);
    else interleaving_meet_cancellation(caller);
}

#define LOOK(name, symbol) PASS_ON(name, symbol, look_at_task, interleaving_meet)
#define LOOK_AT_GROUP(name, symbol) PASS_ON(name, symbol, look_at_group, interleaving_meet)
#define CANCEL(name, symbol) PASS_ON(name, symbol, interleaving_meet_cancel, nothing)

LOOK(is_current_cancelled, "$sScTss5NeverORszABRs_rlE11isCancelledSbvgZ")
LOOK(check_current, "$sScTss5NeverORszABRs_rlE17checkCancellationyyKFZ")
LOOK(is_task_cancelled, "$sScT11isCancelledSbvg")
LOOK(is_unsafe_task_cancelled, "$sSct11isCancelledSbvg")
LOOK_AT_GROUP(is_group_cancelled, "$sScG11isCancelledSbvg")
LOOK_AT_GROUP(is_throwing_group_cancelled, "$sScg11isCancelledSbvg")
LOOK_AT_GROUP(is_discarding_group_cancelled, "$ss19DiscardingTaskGroupV11isCancelledSbvg")
LOOK_AT_GROUP(is_throwing_discarding_group_cancelled, "$ss27ThrowingDiscardingTaskGroupV11isCancelledSbvg")
LOOK(is_cancelled, "swift_task_isCancelled")
CANCEL(cancel_task, "$sScT6cancelyyF")
CANCEL(cancel_unsafe_task, "$sSct6cancelyyF")
CANCEL(cancel_group, "$sScG9cancelAllyyF")
CANCEL(cancel_throwing_group, "$sScg9cancelAllyyF")
CANCEL(cancel_discarding_group, "$ss19DiscardingTaskGroupV9cancelAllyyF")
CANCEL(cancel_throwing_discarding_group, "$ss27ThrowingDiscardingTaskGroupV9cancelAllyyF")

// No job is stopped between what it does last and its end, which is when its group has one child less.
static void look_whether_empty(const void *caller) {
    interleaving_meet(caller);
    interleaving_see(INTERLEAVING_EMPTY);
}

#define LOOK_WHETHER_EMPTY(name, symbol) PASS_ON(name, symbol, look_whether_empty, interleaving_meet)

LOOK_WHETHER_EMPTY(is_group_empty, "$sScG7isEmptySbvg")
LOOK_WHETHER_EMPTY(is_throwing_group_empty, "$sScg7isEmptySbvg")
LOOK_WHETHER_EMPTY(is_discarding_group_empty, "$ss19DiscardingTaskGroupV7isEmptySbvg")
LOOK_WHETHER_EMPTY(is_throwing_discarding_group_empty, "$ss27ThrowingDiscardingTaskGroupV7isEmptySbvg")
LOOK_WHETHER_EMPTY(is_any_group_empty, "swift_taskGroup_isEmpty")

// Who adds a child unless its group is cancelled looks; who adds one anyway does not.
typedef __attribute__((swiftcall)) bool add_function(void *group, bool anyway);
static add_function *real_add;
__attribute__((constructor)) static void find_add(void) { real_add = (add_function *)dlsym(RTLD_NEXT, "swift_taskGroup_addPending"); }

__attribute__((swiftcall)) bool add_to_group(void *group, bool anyway) __asm__("swift_taskGroup_addPending");
__attribute__((weak, swiftcall)) bool add_to_group(void *group, bool anyway) {
    const void *caller = __builtin_return_address(0);
    if (anyway) return real_add(group, anyway);
    interleaving_meet_cancellation(caller);
    interleaving_see(INTERLEAVING_HANDLER);
    bool is_added = real_add(group, anyway);
    interleaving_meet(caller);
    return is_added;
}

#if defined(__x86_64__)

// All registers with arguments are kept: some of these functions are asynchronous, and others return where they are told.
#define FIND(name, symbol)                                                                 \
    __attribute__((used, visibility("hidden"))) void *interleaving_real_##name;            \
    __attribute__((constructor)) static void find_##name(void) {                           \
        interleaving_real_##name = dlsym(RTLD_NEXT, symbol);                               \
    }                                                                                      \
    __attribute__((naked, weak)) void name(void) __asm__(symbol);

#define MEET(meet)                                                                         \
    "pushq %rax\n pushq %rdi\n pushq %rsi\n pushq %rdx\n pushq %rcx\n pushq %r8\n"          \
    "pushq %r9\n pushq %r10\n pushq %r11\n pushq %r13\n pushq %r14\n"                       \
    "call " meet "\n"                                                                      \
    "popq %r14\n popq %r13\n popq %r11\n popq %r10\n popq %r9\n popq %r8\n"                \
    "popq %rcx\n popq %rdx\n popq %rsi\n popq %rdi\n popq %rax\n"

// Goes on in the function, with the stack as it was.
#define ENTER(name, symbol, meet)                                                          \
    FIND(name, symbol)                                                                     \
    __attribute__((naked, weak)) void name(void) {                                         \
        __asm__(MEET(meet) "jmp *interleaving_real_" #name "(%rip)");                      \
    }

// Comes back from the function, and keeps all registers with results.
#define AROUND(name, symbol, meet, leave)                                                  \
    FIND(name, symbol)                                                                     \
    __attribute__((naked, weak)) void name(void) {                                         \
        __asm__(MEET(meet)                                                                 \
                "subq $8, %rsp\n call *interleaving_real_" #name "(%rip)\n"                 \
                "pushq %rax\n pushq %rdx\n pushq %rcx\n pushq %r8\n"                       \
                "call " leave "\n"                                                         \
                "popq %r8\n popq %rcx\n popq %rdx\n popq %rax\n addq $8, %rsp\n ret");     \
    }

// Who registers a handler looks, too.
#define REGISTER(name, symbol) ENTER(name, symbol, "interleaving_meet_registration")

REGISTER(with_handler, "$ss27withTaskCancellationHandler9operation8onCancel9isolationxxyYaKXE_yyYbXEScA_pSgYitYaKlF")
REGISTER(with_older_handler, "$ss27withTaskCancellationHandler9operation8onCancelxxyYaKXE_yyYbXEtYaKlF")

// A group that throws cancels its children, and so does one that discards what they return where one of them throws. The end of the scope of
// an `async let` cancels it unless somebody has waited for it.
#define ENTER_SCOPE(name, symbol) ENTER(name, symbol, "interleaving_enter_scope")

#define AWAIT_LET(name, symbol) ENTER(name, symbol, "interleaving_await_let")

AWAIT_LET(get_async_let, "swift_asyncLet_get")
AWAIT_LET(get_throwing_async_let, "swift_asyncLet_get_throwing")
AWAIT_LET(consume_async_let, "swift_asyncLet_consume")
AWAIT_LET(consume_throwing_async_let, "swift_asyncLet_consume_throwing")
ENTER(finish_async_let, "swift_asyncLet_finish", "interleaving_leave_let")
ENTER_SCOPE(with_throwing_group, "$ss21withThrowingTaskGroup2of9returning9isolation4bodyq_xm_q_mScA_pSgYiq_Scgyxs5Error_pGzYaKXEtYaKs8SendableRzr0_lF")
ENTER_SCOPE(with_older_throwing_group, "$ss21withThrowingTaskGroup2of9returning4bodyq_xm_q_mq_Scgyxs5Error_pGzYaKXEtYaKr0_lF")
ENTER_SCOPE(with_throwing_discarding_group, "$ss31withThrowingDiscardingTaskGroup9returning9isolation4bodyxxm_ScA_pSgYixs0bcdE0Vys5Error_pGzYaKXEtYaKlF")
ENTER_SCOPE(with_older_throwing_discarding_group, "$ss31withThrowingDiscardingTaskGroup9returning4bodyxxm_xs0bcdE0Vys5Error_pGzYaKXEtYaKlF")

// Who waits for a task raises its priority.
#define LOOK_AT_PRIORITY(name, symbol) ENTER(name, symbol, "interleaving_meet_priority")

LOOK_AT_PRIORITY(current_priority, "$sScTss5NeverORszABRs_rlE15currentPriorityScPvgZ")
LOOK_AT_PRIORITY(unsafe_task_priority, "$sSct8priorityScPvg")
LOOK_AT_PRIORITY(with_escalation_handler,
                 "$ss33withTaskPriorityEscalationHandler9operation02onC9Escalated9isolationxxyYaq_YKXE_yScP_ScPtYbXEScA_pSgYitYaq_YKs5ErrorR_r0_lF")

// Foundation reads them from a file.
ENTER(make_uuid, "$s20FoundationEssentials4UUIDVACycfC", "interleaving_meet_uuid")

// What streams keep is behind locks of their own.
#define STREAM(name, symbol) ENTER(name, symbol, "interleaving_meet_stream")
#define GIVE(name, symbol) AROUND(name, symbol, "interleaving_meet_stream", "interleaving_leave_stream")

STREAM(make_stream, "$sScS_15bufferingPolicy_ScSyxGxm_ScS12ContinuationV09BufferingB0Oyx__GyADyx_GXEtcfC")
STREAM(unfold_stream, "$sScS9unfolding8onCancelScSyxGxSgyYac_yyYbcSgtcfC")
GIVE(yield_to_stream, "$sScS12ContinuationV5yieldyAB11YieldResultOyx__GxnF")
GIVE(yield_result_to_stream, "$sScS12ContinuationV5yield4withAB11YieldResultOyx__Gs0E0Oyxs5NeverOG_tF")
GIVE(yield_nothing_to_stream, "$sScS12ContinuationV5yieldAB11YieldResultOyyt__GyytRszlF")
GIVE(finish_stream, "$sScS12ContinuationV6finishyyF")
STREAM(set_end_of_stream, "$sScS12ContinuationV13onTerminationyAB0C0Oyx__GYbcSgvs")
STREAM(make_throwing_stream,
       "$sScs_15bufferingPolicy_Scsyxs5Error_pGxm_Scs12ContinuationV09BufferingB0OyxsAB_p__GyAEyxsAB_p_GXEtcsAB_pRs_rlufC")
STREAM(unfold_throwing_stream, "$sScs9unfoldingScsyxs5Error_pGxSgyYaKc_tcsAB_pRs_rlufC")
GIVE(yield_to_throwing_stream, "$sScs12ContinuationV5yieldyAB11YieldResultOyxq___GxnF")
GIVE(yield_result_to_throwing_stream, "$sScs12ContinuationV5yield4withAB11YieldResultOyxs5Error_p__Gs0E0OyxsAG_pG_tsAG_pRs_rlF")
GIVE(yield_nothing_to_throwing_stream, "$sScs12ContinuationV5yieldAB11YieldResultOyytq___GyytRszrlF")
GIVE(finish_throwing_stream, "$sScs12ContinuationV6finish8throwingyq_Sgn_tF")
STREAM(set_end_of_throwing_stream, "$sScs12ContinuationV13onTerminationyAB0C0Oyxq___GYbcSgvs")

// Who takes from a stream begins to wait, and before that what comes may be lost.
#define TAKE(name, symbol) ENTER(name, symbol, "interleaving_meet_next")

TAKE(next_of_stream, "$sScS8IteratorV4next9isolationxSgScA_pSgYi_tYaF")
TAKE(older_next_of_stream, "$sScS8IteratorV4nextxSgyYaF")
TAKE(next_of_throwing_stream, "$sScs8IteratorV4next9isolationxSgScA_pSgYi_tYaq_YKF")
TAKE(older_next_of_throwing_stream, "$sScs8IteratorV4nextxSgyYaKF")

#endif

#endif
