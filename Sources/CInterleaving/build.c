#include "CInterleaving.h"

#include <string.h>

// The compiler of C and that of Swift come from one toolchain, and only the former says from which commit.
const char *interleaving_compiler(void) { return __clang_version__; }
