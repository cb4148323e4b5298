internal import CSystemd

/// Gives memory that is free back to the system, which the allocator by itself keeps for what may come. See
/// malloc_trim(3); it takes milliseconds.
package func returnFreeMemory() {
    scened_return_free_memory()
}
