#pragma once
#include <stddef.h>

/// Connects to a Unix socket; -1 on failure.
int load_connect(const char *path);

/// A bare server in another process, at the other end of a pair of sockets, that answers every `request` bytes with `reply`
/// bytes, the last of which is NUL; -1 on failure.
int load_echo(size_t request, size_t reply);

/// Sends `message` and waits for the reply, which ends with the `terminators`-th `terminator`.
/// Returns the reply's bytes, or -1.
long load_call(int descriptor, const void *message, size_t length, char terminator, int terminators);

/// Does as `load_call` does, `count` times, and writes down the seconds that each took if `latencies` is not null. `messages` are
/// `turns` messages of `length` bytes each, which are sent in turn.
/// Returns the seconds it took together, or -1.
double load_ping_pong(int descriptor, long count, const void *messages, size_t length, int turns, char terminator,
                      int terminators, double *latencies);

/// Keeps `pipeline` messages in flight on each of `connections` until `count` are answered, in one thread. `messages` are of
/// `length` bytes each. Each connection sends `turns` of them in turn: the first the first ones, the next those behind them, and
/// round again when `all` are given out. Writes down the seconds from when each of the first `count` that are answered could be
/// sent, because another was answered, until its reply had come, if `latencies` is not null.
/// Returns the seconds it took, or -1.
double load_pipelines(const char *path, int connections, int pipeline, long count, const void *messages, size_t length,
                      int turns, int all, char terminator, int terminators, double *latencies);
