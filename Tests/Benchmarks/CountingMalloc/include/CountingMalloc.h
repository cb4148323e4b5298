#pragma once
#include <stdint.h>

/// How many times this thread has asked for memory.
uint64_t counting_malloc_allocations(void);
/// How many bytes this thread has asked for.
uint64_t counting_malloc_bytes(void);
