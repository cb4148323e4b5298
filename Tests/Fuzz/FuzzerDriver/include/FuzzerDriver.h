#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own main, as its documentation describes it under "Using libFuzzer as a library".
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
