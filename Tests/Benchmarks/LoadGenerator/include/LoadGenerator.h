#pragma once
#include <stddef.h>

/// Connects to a Unix socket; -1 on failure.
int load_connect(const char *path);

/// A bare echo in another process, at the other end of a pair of sockets; -1 on failure.
int load_echo(void);

/// Sends `message` and waits for the reply, `count` times. A reply ends with the `terminators`-th `terminator`.
/// Returns the seconds it took, or -1.
double load_ping_pong(int descriptor, long count, const void *message, size_t length, char terminator, int terminators);

/// Keeps `pipeline` messages in flight on each of `connections` until `count` are answered, in one thread.
/// Returns the seconds it took, or -1.
double load_pipelines(const char *path, int connections, int pipeline, long count, const void *message, size_t length,
                      char terminator, int terminators);
