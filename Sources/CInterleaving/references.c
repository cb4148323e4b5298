#include "CInterleaving.h"

extern void *swift_retain(void *object);
extern void swift_release(void *object);

// In C, because Swift's optimiser knows what a retain does and would read the count only once.
bool interleaving_retain(const void *object) {
    const volatile uint64_t *references = (const volatile uint64_t *)object + 1;
    uint64_t before = *references;
    swift_retain((void *)object);
    return *references != before;
}

void interleaving_release(const void *object) { swift_release((void *)object); }
