#include "CInterleaving.h"

#include <stdatomic.h>
#include <sys/mman.h>

void *interleaving_map(size_t size) {
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void interleaving_unmap(void *memory, size_t size) { munmap(memory, size); }

int64_t interleaving_lower(void *number, int64_t other) {
    _Atomic int64_t *cell = number;
    int64_t seen = atomic_load(cell);
    while (other < seen && !atomic_compare_exchange_weak(cell, &seen, other)) {}
    return other < seen ? other : seen;
}
