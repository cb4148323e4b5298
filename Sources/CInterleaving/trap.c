#define _GNU_SOURCE
#include "CInterleaving.h"
#include "stack.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__)
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>
#endif

// A fatal signal ends the process. Before it does, the standard error says where: a run is named so that it can be run again,
// and everything else by the instruction and its callers. Then the signal arrives again, at the same instruction, for whoever
// handled it earlier: a debugger, a core and Swift's backtrace see the original place.
// Everything in the handler is safe in a signal handler: it reads memory and files, counts digits and writes.

static const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
enum { signal_count = sizeof signals / sizeof signals[0] };
static struct sigaction earlier[signal_count];

static _Thread_local const struct interleaving_log *watched_log;

void interleaving_set_log(const struct interleaving_log *log) { watched_log = log; }

#if defined(__linux__)
const struct interleaving_log *interleaving_watched_log(void) { return watched_log; }
#endif

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

static void write_out(const struct line *line) {
    ssize_t ignored = write(STDERR_FILENO, line->text, line->length);
    (void)ignored;
}

static void name_run(const struct interleaving_log *log, const char *what) {
    struct line line = {.length = 0};
    append(&line, "\ninterleaving: this run ");
    append(&line, what);
    append(&line, ". Again: INTERLEAVING_REPLAY=");
    append_number(&line, (uint64_t)log->version, 10);
    append(&line, "-");
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
        append(&line, " and an order too long for this line: explore the seed again\n");
    }
    write_out(&line);
}

#if defined(__linux__)

/// One line of `/proc/self/maps`.
struct mapping {
    uint64_t start, end, offset;
    char path[512];
};

static uint64_t parse_hexadecimal(const char **text) {
    uint64_t number = 0;
    for (;; (*text)++) {
        char digit = **text;
        if (digit >= '0' && digit <= '9') number = number * 16 + (uint64_t)(digit - '0');
        else if (digit >= 'a' && digit <= 'f') number = number * 16 + (uint64_t)(digit - 'a') + 10;
        else return number;
    }
}

/// Parses `start-end permissions offset device inode path`; the path is empty where no file is mapped.
static void parse(const char *text, struct mapping *mapping) {
    mapping->start = parse_hexadecimal(&text);
    if (*text == '-') text++;
    mapping->end = parse_hexadecimal(&text);
    for (int field = 0; field < 4; field++) {
        while (*text == ' ') text++;
        if (field == 1) mapping->offset = parse_hexadecimal(&text);
        while (*text != 0 && *text != ' ') text++;
    }
    while (*text == ' ') text++;
    size_t length = 0;
    if (*text == '/') while (text[length] != 0 && length < sizeof mapping->path - 1) length++;
    memcpy(mapping->path, text, length);
    mapping->path[length] = 0;
}

/// Appends an address of code as `file+0x…`, where the number is what `addr2line` takes.
/// - Returns: Whether the address is in a file.
static bool append_place(struct line *line, uint64_t address) {
    int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (maps < 0) return false;
    char text[640], buffer[1024];
    size_t length = 0;
    uint64_t base = 0;
    bool found = false;
    for (ssize_t count; !found && (count = read(maps, buffer, sizeof buffer)) > 0;) {
        for (ssize_t index = 0; !found && index < count; index++) {
            if (buffer[index] != '\n') {
                if (length < sizeof text - 1) text[length++] = buffer[index];
                continue;
            }
            text[length] = 0;
            length = 0;
            struct mapping mapping = {0};
            parse(text, &mapping);
            if (mapping.path[0] == 0) continue;
            // The segments of a file follow each other, and its first one begins with the file.
            if (mapping.offset == 0) base = mapping.start;
            if (address < mapping.start || address >= mapping.end) continue;
            append(line, mapping.path);
            append(line, "+0x");
            append_number(line, address - base, 16);
            found = true;
        }
    }
    close(maps);
    return found;
}

/// Reads memory that may not be there.
static bool read_memory(uint64_t address, void *words, size_t size) {
    struct iovec local = {words, size}, remote = {(void *)address, size};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size;
}

static void append_caller(struct line *line, uint64_t address) {
    size_t before = line->length;
    append(line, "\n  from ");
    if (!append_place(line, address)) line->length = before;
}

/// Appends the instruction and, as far as frame pointers lead, its callers.
static void append_callers(struct line *line, const ucontext_t *context) {
#if defined(__x86_64__)
    uint64_t instruction = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
    uint64_t frame = (uint64_t)context->uc_mcontext.gregs[REG_RBP];
    uint64_t caller = 0;
    read_memory((uint64_t)context->uc_mcontext.gregs[REG_RSP], &caller, sizeof caller);
#elif defined(__aarch64__)
    uint64_t instruction = context->uc_mcontext.pc;
    uint64_t frame = context->uc_mcontext.regs[29];
    uint64_t caller = context->uc_mcontext.regs[30];
#else
#error "append_callers needs the registers of this processor"
#endif
    append(line, ", at instruction 0x");
    append_number(line, instruction, 16);
    append(line, " ");
    // A jump to where no code is made no frame yet.
    if (!append_place(line, instruction)) append_caller(line, caller);
    for (int depth = 0; depth < 16; depth++) {
        // Swift marks the frames of async functions with this bit.
        frame &= ~((uint64_t)1 << 60);
        uint64_t words[2];
        if (!read_memory(frame, words, sizeof words)) break;
        append_caller(line, words[1]);
        if ((words[0] & ~((uint64_t)1 << 60)) <= frame) break;
        frame = words[0];
    }
}

/// Has a signal arrive on this thread once more, as it came.
static void send_again(int signal_number, siginfo_t *info) {
    syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), signal_number, info);
}

#else

// The system's crash report has the instruction and its callers.
static void append_callers(struct line *line, const void *context) {}

static void send_again(int signal_number, siginfo_t *info) { pthread_kill(pthread_self(), signal_number); }

#endif

/// Writes the signal and where it came.
static void name_place(int signal_number, const siginfo_t *info, const void *context) {
    struct line line = {.length = 0};
    append(&line, "\ninterleaving: outside of a run, signal ");
    append_number(&line, (uint64_t)signal_number, 10);
    append(&line, info->si_code < 0 ? ", code -" : ", code ");
    append_number(&line, (uint64_t)(info->si_code < 0 ? -(int64_t)info->si_code : info->si_code), 10);
    if (info->si_code > 0) {
        append(&line, ", address 0x");
        append_number(&line, (uint64_t)info->si_addr, 16);
    } else {
        append(&line, ", sent by process ");
        append_number(&line, (uint64_t)info->si_pid, 10);
    }
    append_callers(&line, context);
    append(&line, "\n");
    write_out(&line);
}

static void report(int signal_number, siginfo_t *info, void *context) {
#if defined(CAN_STOP)
    if (interleaving_catch(signal_number, info, context)) return;
#endif
    const struct interleaving_log *log = watched_log;
    watched_log = NULL;
    if (log != NULL && interleaving_current() != NULL) name_run(log, "traps");
    else name_place(signal_number, info, context);
    for (int index = 0; index < signal_count; index++) {
        if (signals[index] == signal_number) sigaction(signal_number, &earlier[index], NULL);
    }
    // An instruction that failed fails again. What was sent, and a breakpoint that is already behind, has to be sent again; until
    // the handler returns it is blocked.
    bool failsAgain = info->si_code > 0;
#if defined(__x86_64__)
    if (signal_number == SIGTRAP) failsAgain = false;
#endif
    if (!failsAgain) send_again(signal_number, info);
}

#if defined(__linux__)
void interleaving_name_blocked_run(const void *context) {
    const struct interleaving_log *log = watched_log;
    if (log != NULL) name_run(log, "is blocked");
    struct line line = {.length = 0};
    append(&line, "interleaving: a step of it has not ended");
    append_callers(&line, context);
    append(&line, "\n");
    write_out(&line);
    // As it ends where traps are not caught: who starts it notices.
    signal(SIGABRT, SIG_DFL);
    abort();
}
#endif

static void install(void) {
    struct sigaction action = {0};
    action.sa_sigaction = report;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    for (int index = 0; index < signal_count; index++) sigaction(signals[index], &action, &earlier[index]);
}

void interleaving_name_trapping_runs(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
}

void interleaving_trap_silently(void) {
    for (int index = 0; index < signal_count; index++) signal(signals[index], SIG_DFL);
}
