#define _GNU_SOURCE
#include "CInterleaving.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// A run that traps ends its process. Before it does, one line on the standard error names the run, so that it can be run
// again. Everything in the handler is safe in a signal handler: it reads memory, counts digits and writes.

static const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
enum { signal_count = sizeof signals / sizeof signals[0] };
static struct sigaction earlier[signal_count];

static _Thread_local const struct interleaving_log *watched_log;

void interleaving_set_log(const struct interleaving_log *log) { watched_log = log; }

struct line {
    char text[3800];
    size_t length;
};

static void append(struct line *line, const char *text) {
    while (*text != 0 && line->length < sizeof line->text - 1) line->text[line->length++] = *text++;
}

static void append_number(struct line *line, uint64_t number, unsigned radix) {
    char digits[24];
    int count = 0;
    do {
        digits[count++] = "0123456789abcdef"[number % radix];
        number /= radix;
    } while (number != 0);
    while (count > 0) {
        char digit[2] = {digits[--count], 0};
        append(line, digit);
    }
}

static void name_run(const struct interleaving_log *log) {
    // Nobody else is on this thread, and a second trap while this one is named ends the process without a name.
    static struct line line;
    line.length = 0;
    append(&line, "\ninterleaving: this run traps. Again: INTERLEAVING_REPLAY=1-");
    append_number(&line, log->seed, 16);
    size_t begin = line.length;
    const char *steps = (const char *)log + log->first_step;
    for (int64_t index = 0; index < log->count; index++) {
        int64_t position;
        memcpy(&position, steps + index * log->stride + log->position, sizeof position);
        if (position == 0) continue;
        append(&line, line.length == begin ? "-" : "_");
        append_number(&line, (uint64_t)index, 10);
        append(&line, ".");
        append_number(&line, (uint64_t)position, 10);
    }
    append(&line, line.length == begin ? "-fifo\n" : "\n");
    if (line.length >= sizeof line.text - 1) {
        line.length = begin;
        append(&line, " and the beginning of its order, for all of which there is no room: explore its seed again\n");
    }
    ssize_t ignored = write(STDERR_FILENO, line.text, line.length);
    (void)ignored;
}

static void report(int signal_number) {
    const struct interleaving_log *log = watched_log;
    watched_log = NULL;
    if (log != NULL && interleaving_current() != NULL) name_run(log);
    for (int index = 0; index < signal_count; index++) {
        if (signals[index] == signal_number) sigaction(signal_number, &earlier[index], NULL);
    }
    // Whoever was to be told is told, or the process ends.
    raise(signal_number);
}

static void install(void) {
    struct sigaction action = {0};
    action.sa_handler = report;
    action.sa_flags = SA_NODEFER | SA_ONSTACK;
    for (int index = 0; index < signal_count; index++) sigaction(signals[index], &action, &earlier[index]);
}

void interleaving_name_trapping_runs(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
}

void interleaving_trap_silently(void) {
    for (int index = 0; index < signal_count; index++) signal(signals[index], SIG_DFL);
}
