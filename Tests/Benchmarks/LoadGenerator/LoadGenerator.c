#define _GNU_SOURCE
#include "LoadGenerator.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int load_connect(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return -1;
    strcpy(address.sun_path, path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor >= 0 && connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

int load_echo(size_t request, size_t reply) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(ends[0]);
        char buffer[65536];
        char *answer = calloc(1, reply);
        if (answer == NULL || reply == 0) _exit(1);
        memset(answer, 'x', reply - 1);
        for (size_t held = 0;;) {
            ssize_t count = read(ends[1], buffer, sizeof buffer);
            if (count <= 0) _exit(0);
            for (held += (size_t)count; held >= request; held -= request)
                if (write(ends[1], answer, reply) != (ssize_t)reply) _exit(0);
        }
    }
    close(ends[1]);
    return ends[0];
}

/// Sends one message and waits for its reply. Returns the reply's bytes, or -1.
static ssize_t call(int descriptor, const void *message, size_t length, char terminator, int terminators) {
    static char buffer[1 << 16];
    if (write(descriptor, message, length) != (ssize_t)length) return -1;
    ssize_t total = 0;
    for (int seen = 0; seen < terminators;) {
        ssize_t received = read(descriptor, buffer, sizeof buffer);
        if (received <= 0) return -1;
        for (ssize_t i = 0; i < received; i++) seen += buffer[i] == terminator;
        total += received;
    }
    return total;
}

long load_call(int descriptor, const void *message, size_t length, char terminator, int terminators) {
    return call(descriptor, message, length, terminator, terminators);
}

double load_ping_pong(int descriptor, long count, const void *messages, size_t length, int turns, char terminator,
                      int terminators, double *latencies) {
    double start = now();
    double before = start;
    for (long done = 0; done < count; done++) {
        const char *message = (const char *)messages + (size_t)(done % turns) * length;
        if (call(descriptor, message, length, terminator, terminators) < 0) return -1;
        double after = now();
        if (latencies != NULL) latencies[done] = after - before;
        before = after;
    }
    return before - start;
}

struct connection {
    int descriptor;
    int seen;
    /// Its messages in turn, so many that `pipeline` of them are there from any of the first `period` bytes on.
    char *batch;
    size_t period;
    /// Where in the batch it goes on.
    size_t offset;
    /// Bytes that are still to be sent of messages that may be in flight.
    size_t owed;
    /// Since when each message in flight may be sent, of which the oldest stands at `oldest`.
    double *since;
    int oldest;
};

/// Sends what is owed, as much at a time as `most`, until nobody takes more.
static int push(struct connection *connection, size_t most) {
    while (connection->owed > 0) {
        size_t part = connection->owed < most ? connection->owed : most;
        ssize_t sent = send(connection->descriptor, connection->batch + connection->offset, part,
                            MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0) return errno == EAGAIN ? 0 : -1;
        connection->offset = (connection->offset + (size_t)sent) % connection->period;
        connection->owed -= (size_t)sent;
    }
    return 0;
}

double load_pipelines(const char *path, int connections, int pipeline, long count, const void *messages, size_t length,
                      int turns, int all, char terminator, int terminators, double *latencies) {
    static char buffer[1 << 18];
    struct connection *open = calloc((size_t)connections, sizeof *open);
    size_t most = length * (size_t)pipeline;
    int poll = epoll_create1(EPOLL_CLOEXEC);
    for (int i = 0; i < connections; i++) {
        open[i].batch = malloc(length * (size_t)(turns + pipeline));
        open[i].period = length * (size_t)turns;
        for (int j = 0; j < turns + pipeline; j++) {
            int message = (i * turns + j % turns) % all;
            memcpy(open[i].batch + (size_t)j * length, (const char *)messages + (size_t)message * length, length);
        }
        open[i].since = calloc((size_t)pipeline, sizeof(double));
        open[i].descriptor = load_connect(path);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &open[i]};
        if (open[i].descriptor < 0 || epoll_ctl(poll, EPOLL_CTL_ADD, open[i].descriptor, &event) != 0) return -1;
    }
    long done = 0;
    double start = now();
    for (int i = 0; i < connections; i++) {
        open[i].owed = most;
        for (int j = 0; j < pipeline; j++) open[i].since[j] = now();
        if (push(&open[i], most) != 0) return -1;
    }
    while (done < count) {
        struct epoll_event events[64];
        int ready = epoll_wait(poll, events, 64, 10000);
        if (ready <= 0) return -1;
        for (int i = 0; i < ready; i++) {
            struct connection *connection = events[i].data.ptr;
            ssize_t received = recv(connection->descriptor, buffer, sizeof buffer, MSG_DONTWAIT);
            if (received <= 0) return -1;
            for (ssize_t j = 0; j < received; j++) connection->seen += buffer[j] == terminator;
            int replies = connection->seen / terminators;
            connection->seen %= terminators;
            double time = now();
            for (int j = 0; j < replies; j++, done++) {
                double *since = &connection->since[connection->oldest];
                if (latencies != NULL && done < count) latencies[done] = time - *since;
                *since = time;
                connection->oldest = (connection->oldest + 1) % pipeline;
            }
            // As many messages as were answered, in as few writes as possible.
            connection->owed += length * (size_t)replies;
            if (push(connection, most) != 0) return -1;
        }
    }
    double seconds = now() - start;
    for (int i = 0; i < connections; i++) {
        close(open[i].descriptor);
        free(open[i].batch);
        free(open[i].since);
    }
    close(poll);
    free(open);
    return seconds;
}
