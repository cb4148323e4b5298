#pragma once

// Sanitizers have a definition of their own of what is replaced here, and need it; and they take memory that they do not know for
// a stack for a mistake.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif
