#define _GNU_SOURCE
#include "CInterleaving.h"

#include <stddef.h>

#if defined(__linux__)
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#endif

// The concurrency runtime reports a checked continuation that was dropped or resumed twice through `swift_reportError`. The
// definition here keeps such reports on the thread of a simulation, and passes all others on.

static _Thread_local char misuse[512];

const char *interleaving_misuse(void) { return misuse[0] == 0 ? NULL : misuse; }
void interleaving_clear_misuse(void) { misuse[0] = 0; }

#if defined(__linux__)

void interleaving_report_error(uint32_t flags, const char *message);

typedef void (*report_function)(uint32_t, const char *);

static report_function runtime_report;

__attribute__((constructor)) static void find_report(void) {
    runtime_report = (report_function)dlsym(RTLD_NEXT, "swift_reportError");
}

void interleaving_report_error(uint32_t flags, const char *message) {
    if (interleaving_current() != NULL && message != NULL && strstr(message, "CONTINUATION MISUSE") != NULL) {
        snprintf(misuse, sizeof misuse, "%s", message);
        return;
    }
    if (runtime_report != NULL) runtime_report(flags, message);
    else if (message != NULL) fputs(message, stderr);
}

// Weak, because a static link has the runtime's definition. Then misuse is printed, but the simulation does not see it.
__attribute__((weak, alias("interleaving_report_error"))) void swift_reportError(uint32_t flags, const char *message);

bool interleaving_sees_misuse(void) {
    report_function volatile reporting = swift_reportError;
    return reporting == interleaving_report_error;
}

#else

// Nobody can take the place of the runtime's function: misuse is printed, but the simulation does not see it.
bool interleaving_sees_misuse(void) { return false; }

#endif
