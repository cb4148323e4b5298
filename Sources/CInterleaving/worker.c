#define _GNU_SOURCE
#include "CInterleaving.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/prctl.h>

/// Makes a pipe whose ends are closed when a program is started.
static int make_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

#else

static int make_pipe(int ends[2]) {
    if (pipe(ends) != 0) return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
}

#endif

static void become_worker(int error) {
    // It must not outlive its parent, leave a core, start a debugger, or react to a signal that is meant for the parent.
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    interleaving_trap_silently();
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    dup2(error, STDERR_FILENO);
}

int interleaving_start_worker(
    void (*body)(void *context, int result),
    void *context,
    struct interleaving_worker *worker
) {
    int result[2], error[2];
    if (make_pipe(result) != 0) return errno;
    if (make_pipe(error) != 0) {
        int number = errno;
        close(result[0]);
        close(result[1]);
        return number;
    }
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) {
        become_worker(error[1]);
        if (getppid() != parent) _exit(1);
        body(context, result[1]);
        // Not exit: the exit handlers belong to the parent.
        _exit(0);
    }
    int number = errno;
    close(result[1]);
    close(error[1]);
    if (child < 0) {
        close(result[0]);
        close(error[0]);
        return number;
    }
    *worker = (struct interleaving_worker){child, result[0], error[0]};
    return 0;
}
