#include "CInterleaving.h"

#include <string.h>

// The compilers of C and Swift come from one toolchain, and only that of C states its commit.
const char *interleaving_compiler(void) { return __clang_version__; }
