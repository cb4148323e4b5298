#ifndef SCENED_CSYSTEMD_SHIM_H
#define SCENED_CSYSTEMD_SHIM_H

/* The location macros would put this header's name into every entry. */
#define SD_JOURNAL_SUPPRESS_LOCATION 1

#include <malloc.h>
#include <sys/prctl.h>

#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>

/* prctl is variadic, which Swift cannot call. Names the calling thread; 15 bytes are kept. */
static inline void scened_name_thread(const char *name) {
    prctl(PR_SET_NAME, (unsigned long) name, 0, 0, 0);
}

/* malloc.h is no part of the C library that Swift sees. */
static inline void scened_return_free_memory(void) {
    malloc_trim(0);
}

static inline void scened_limit_arenas(int count) {
    mallopt(M_ARENA_MAX, count);
}

#endif
