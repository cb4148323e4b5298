#pragma once
#include <stdint.h>

/// How many times this thread has asked for memory.
uint64_t counting_malloc_allocations(void);
/// How many bytes this thread has asked for.
uint64_t counting_malloc_bytes(void);
/// How many bytes of all arenas are allocated and not freed, after what is free went back to the system.
uint64_t counting_malloc_live_bytes(void);
