#include "CAccess.h"

#include <stdatomic.h>

bool access_watched;

static uint64_t (*_Atomic made_function)(void);
static void (*_Atomic accessed_function)(const void *object, uint64_t name, uint8_t kind, uint8_t way);

void access_watch(uint64_t (*made)(void),
                  void (*accessed)(const void *object, uint64_t name, uint8_t kind, uint8_t way)) {
    atomic_store_explicit(&made_function, made, memory_order_release);
    atomic_store_explicit(&accessed_function, accessed, memory_order_release);
    __atomic_store_n(&access_watched, true, __ATOMIC_RELEASE);
}

uint64_t access_made(void) {
    uint64_t (*made)(void) = atomic_load_explicit(&made_function, memory_order_acquire);
    return made == NULL ? 0 : made();
}

void access_report(const void *object, uint64_t name, uint8_t kind, uint8_t way) {
    void (*accessed)(const void *, uint64_t, uint8_t, uint8_t) =
        atomic_load_explicit(&accessed_function, memory_order_acquire);
    if (accessed != NULL) accessed(object, name, kind, way);
}
