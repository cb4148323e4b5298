#ifndef SCENED_CZLIB_SHIM_H
#define SCENED_CZLIB_SHIM_H

#include <zlib.h>

/* A macro with a cast, which Swift cannot call. */
static inline int scened_deflate_begin(z_stream *stream, int level) {
    return deflateInit(stream, level);
}

#endif
