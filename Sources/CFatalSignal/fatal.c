#define _GNU_SOURCE
#include "CFatalSignal.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PLACES = 4096, TEXT = 320, PREFIX = 64 };

struct fatal_work {
    atomic_bool is_taken;
    // The thread that runs it; 0 for none.
    atomic_int thread;
    // How much of the text counts; 0 while it changes.
    atomic_size_t length;
    char text[TEXT];
};

// In the bss: a page takes no memory until something is written to it.
static fatal_work places[PLACES];
// How many places have ever been taken.
static atomic_size_t highest;

fatal_work *fatal_work_take(void) {
    for (size_t i = 0; i < PLACES; i++) {
        bool taken = false;
        if (!atomic_compare_exchange_strong(&places[i].is_taken, &taken, true)) continue;
        size_t seen = atomic_load(&highest);
        while (seen < i + 1 && !atomic_compare_exchange_weak(&highest, &seen, i + 1)) {}
        return &places[i];
    }
    return NULL;
}

void fatal_work_give_back(fatal_work *work) {
    atomic_store(&work->length, 0);
    atomic_store(&work->thread, 0);
    atomic_store(&work->is_taken, false);
}

void fatal_work_say(fatal_work *work, const char *text, size_t length) {
    if (length >= TEXT) length = TEXT - 1;
    atomic_store(&work->length, 0);
    memcpy(work->text, text, length);
    atomic_store(&work->length, length);
}

void fatal_work_enter(fatal_work *work) { atomic_store(&work->thread, (int)syscall(SYS_gettid)); }
void fatal_work_leave(fatal_work *work) { atomic_store(&work->thread, 0); }

static const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
enum { SIGNALS = sizeof signals / sizeof *signals };
static struct sigaction before[SIGNALS];
static char line_prefix[PREFIX];
// Only the first thread that fails tells.
static atomic_flag has_told = ATOMIC_FLAG_INIT;

static void append(char *line, size_t *used, size_t size, const char *text, size_t length) {
    if (length > size - *used) length = size - *used;
    memcpy(line + *used, text, length);
    *used += length;
}

static void append_text(char *line, size_t *used, size_t size, const char *text) {
    append(line, used, size, text, strlen(text));
}

static void write_all(const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(STDERR_FILENO, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        bytes += written;
        count -= (size_t)written;
    }
}

// One line, written at once: what others write meanwhile does not come between.
static void tell(const char *what, const char *text, size_t length) {
    char line[PREFIX + TEXT + 128];
    size_t used = 0, size = sizeof line - 1;
    append_text(line, &used, size, line_prefix);
    append_text(line, &used, size, what);
    append(line, &used, size, text, length);
    line[used++] = '\n';
    write_all(line, used);
}

static const char *name(int signal) {
    switch (signal) {
    case SIGILL: return "SIGILL";
    case SIGTRAP: return "SIGTRAP";
    case SIGABRT: return "SIGABRT";
    case SIGBUS: return "SIGBUS";
    case SIGFPE: return "SIGFPE";
    default: return "SIGSEGV";
    }
}

static void tell_all(int signal) {
    int self = (int)syscall(SYS_gettid);
    size_t count = atomic_load(&highest);
    const fatal_work *culprit = NULL;
    tell("the daemon ends because of ", name(signal), strlen(name(signal)));
    for (size_t i = 0; i < count; i++) {
        if (atomic_load(&places[i].thread) == self && atomic_load(&places[i].length) > 0) culprit = &places[i];
    }
    if (culprit) tell("it happened in ", culprit->text, atomic_load(&culprit->length));
    else tell("it happened outside of the app's windows and adapters", "", 0);
    for (size_t i = 0; i < count; i++) {
        size_t length = atomic_load(&places[i].length);
        if (length > 0 && &places[i] != culprit) tell("also in progress: ", places[i].text, length);
    }
}

static void handle(int signal, siginfo_t *info, void *context) {
    (void)context;
    int error = errno;
    if (!atomic_flag_test_and_set(&has_told)) tell_all(signal);
    for (size_t i = 0; i < SIGNALS; i++) {
        if (signals[i] == signal) sigaction(signal, &before[i], NULL);
    }
    errno = error;
    // A fault happens again when this returns. A signal that was sent has to be sent again; it arrives then.
    if (info->si_code <= 0) raise(signal);
}

bool fatal_signals_tell(const char *prefix) {
    strncpy(line_prefix, prefix, PREFIX - 1);
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < SIGNALS; i++) {
        if (sigaction(signals[i], &action, &before[i]) != 0) return false;
    }
    return true;
}
