#define _GNU_SOURCE
#include "CInterleaving.h"
#include "stack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// A fiber is a stack of its own on the thread of a simulation. What runs on it can be left in the middle and gone on with later, as if
// it were a thread that the scheduler of the system has interrupted. The Swift runtime keeps a few words for each thread: the task that
// runs, the executor it runs on, the accesses that are open, what is observed; and Dispatch the queue. They belong to the fiber, so they are
// exchanged along with the stack.

#if defined(__linux__)
#if defined(CAN_STOP)

#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

/// The libraries whose words are exchanged. Nothing stops without those of the first two; the others may not be there.
static const char *const libraries[] = {"/libswift_Concurrency.so", "/libswiftCore.so", "/libswiftObservation.so", "/libdispatch.so"};

enum { block_count = sizeof libraries / sizeof *libraries, needed_blocks = 2, block_room = 128 };

/// The words that a library keeps for each thread.
struct block {
    char *start;
    size_t size;
    /// What they are on a new thread.
    const char *image;
    size_t image_size;
};

/// The words of all libraries.
struct words {
    char bytes[block_count][block_room];
};

struct fiber {
    /// The lowest address of its memory, with the guard; NULL while it has none.
    char *memory;
    /// The top of its stack while it does not run.
    void *top;
    bool has_ended;
    /// How many things it has that forbid to stop.
    int32_t whole;
    /// The frame of whoever began its body.
    uintptr_t base;
    /// Whether it would have stopped meanwhile.
    bool is_late;
    struct words words;
};

enum {
    // As much as a main thread has: the code under test may recurse as deeply as elsewhere. Pages that are not touched take no memory.
    stack_size = 8 << 20,
    // Wider than a frame is likely to be, because nothing looks at the guard before it makes a frame.
    guard_size = 256 << 10,
};

static _Thread_local struct {
    /// In pieces that do not move, because what runs on a fiber has its address.
    struct fiber **fibers;
    int32_t count;
    int32_t *free;
    int32_t free_count;
    /// The number of the fiber that runs, plus 1.
    int32_t running;
    void (*body)(int32_t);
    void (*late)(void);
    /// The top of the thread's own stack, and its words, while a fiber runs.
    void *top;
    struct words words;
    struct block blocks[block_count];
} thread;

static int find_blocks(struct dl_phdr_info *info, size_t size, void *context) {
    int index = 0;
    while (index < block_count && strstr(info->dlpi_name, libraries[index]) == NULL) index++;
    if (index == block_count) return 0;
    for (int header = 0; header < info->dlpi_phnum; header++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[header];
        if (segment->p_type != PT_TLS) continue;
        if (info->dlpi_tls_data == NULL || segment->p_memsz > block_room) return 0;
        thread.blocks[index] = (struct block){info->dlpi_tls_data, segment->p_memsz,
                                              (const char *)(info->dlpi_addr + segment->p_vaddr), segment->p_filesz};
    }
    return 0;
}

extern void swift_once(void *token, void (*body)(void *), void *context);

/// Where the runtime goes on after the body that makes a global variable.
static uintptr_t after_once;

static __attribute__((noinline)) void note_once(void *context) { after_once = (uintptr_t)__builtin_return_address(0); }

const char *interleaving_reason_not_to_stop(void) {
    // The first words that are asked for make the memory of this thread.
    swift_task_getCurrent();
    if (thread.blocks[0].size == 0) dl_iterate_phdr(find_blocks, NULL);
    static uint64_t token[2];
    swift_once(token, note_once, NULL);
    bool is_known = true;
    for (int index = 0; index < needed_blocks; index++) is_known = is_known && thread.blocks[index].size > 0;
    return is_known ? NULL : "the Swift runtime is linked statically, or keeps more for each thread than is known";
}

static void save(struct words *words) {
    for (int index = 0; index < block_count; index++) {
        if (thread.blocks[index].size > 0) memcpy(words->bytes[index], thread.blocks[index].start, thread.blocks[index].size);
    }
}

static void load(const struct words *words) {
    for (int index = 0; index < block_count; index++) {
        if (thread.blocks[index].size > 0) memcpy(thread.blocks[index].start, words->bytes[index], thread.blocks[index].size);
    }
}

/// What the words are on a new thread.
static void clear(struct words *words) {
    for (int index = 0; index < block_count; index++) {
        memset(words->bytes[index], 0, block_room);
        if (thread.blocks[index].size > 0) memcpy(words->bytes[index], thread.blocks[index].image, thread.blocks[index].image_size);
    }
}

/// What every fiber does, again and again.
__attribute__((used, noreturn)) void interleaving_work(void) {
    for (;;) {
        int32_t number = thread.running - 1;
        thread.body(number);
        thread.fibers[number]->has_ended = true;
        interleaving_stop_fiber();
    }
}

static bool make_stack(struct fiber *fiber) {
    size_t size = guard_size + stack_size;
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return false;
    if (mprotect(memory, guard_size, PROT_NONE) != 0) {
        munmap(memory, size);
        return false;
    }
    fiber->memory = memory;
    // The registers are 0, also the one that leads to the caller's frame; the modes are those of this thread.
    void **top = (void **)(memory + size) - 2 - saved_words;
    top[return_word] = (void *)interleaving_begin_stack;
#if defined(__x86_64__)
    __asm__("stmxcsr (%0)\n  fnstcw 4(%0)" : : "r"(top) : "memory");
#else
    __asm__("mrs x9, fpcr\n  str x9, [%0, #160]" : : "r"(top) : "x9", "memory");
#endif
    fiber->top = top;
    return true;
}

int32_t interleaving_take_fiber(void) {
    if (thread.free_count == 0) {
        int32_t *free_numbers = realloc(thread.free, sizeof *free_numbers * (size_t)(thread.count + 1));
        if (free_numbers == NULL) return -1;
        thread.free = free_numbers;
        struct fiber **fibers = realloc(thread.fibers, sizeof *fibers * (size_t)(thread.count + 1));
        if (fibers == NULL) return -1;
        thread.fibers = fibers;
        struct fiber *fiber = calloc(1, sizeof *fiber);
        if (fiber == NULL) return -1;
        fibers[thread.count] = fiber;
        thread.free[thread.free_count++] = thread.count++;
    }
    int32_t number = thread.free[thread.free_count - 1];
    struct fiber *fiber = thread.fibers[number];
    if (fiber->memory == NULL && !make_stack(fiber)) return -1;
    thread.free_count--;
    fiber->has_ended = false;
    fiber->whole = 0;
    fiber->base = (uintptr_t)fiber->memory + guard_size + stack_size - 2 * sizeof(uintptr_t);
    fiber->is_late = false;
    clear(&fiber->words);
    return number;
}

bool interleaving_run_fiber(int32_t number, void (*body)(int32_t number)) {
    struct fiber *fiber = thread.fibers[number];
    thread.body = body;
    save(&thread.words);
    load(&fiber->words);
    thread.running = number + 1;
    interleaving_begin_step();
    interleaving_switch_stack(&thread.top, fiber->top);
    thread.running = 0;
    save(&fiber->words);
    load(&thread.words);
    if (!fiber->has_ended) return false;
    thread.free[thread.free_count++] = number;
    return true;
}

int32_t interleaving_fiber(void) { return thread.running - 1; }

void interleaving_stop_fiber(void) {
    // Others run before this goes on, and the code under test may be about to look at it.
    int error = errno;
    interleaving_switch_stack(&thread.fibers[thread.running - 1]->top, thread.top);
    errno = error;
}

void interleaving_begin_whole(void) {
    if (thread.running > 0) thread.fibers[thread.running - 1]->whole++;
}

void interleaving_end_whole(void) {
    if (thread.running == 0) return;
    struct fiber *fiber = thread.fibers[thread.running - 1];
    // Another job may have begun it.
    if (fiber->whole > 0) fiber->whole--;
    if (fiber->whole > 0 || !fiber->is_late) return;
    fiber->is_late = false;
    thread.late();
}

void interleaving_stop_late(void (*stop)(void)) { thread.late = stop; }

void interleaving_abandon_fiber(int32_t number) {
    struct fiber *fiber = thread.fibers[number];
    // Somebody may still have the address of something on its stack. So what is in use stays for ever, and only the rest is given back.
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *used = (char *)((uintptr_t)fiber->top & ~(page - 1));
    munmap(fiber->memory, (size_t)(used - fiber->memory));
    fiber->memory = NULL;
    thread.free[thread.free_count++] = number;
}

void interleaving_free_fibers(void) {
    for (int32_t number = 0; number < thread.count; number++) {
        struct fiber *fiber = thread.fibers[number];
        if (fiber->memory != NULL) munmap(fiber->memory, guard_size + stack_size);
        free(fiber);
    }
    free(thread.fibers);
    free(thread.free);
    memset(&thread, 0, sizeof thread);
}

bool interleaving_running_stack(struct interleaving_stack *stack) {
    if (thread.running == 0) return false;
    const struct fiber *fiber = thread.fibers[thread.running - 1];
    uintptr_t guard = (uintptr_t)fiber->memory;
    *stack = (struct interleaving_stack){guard, guard + guard_size, fiber->base};
    return true;
}

/// Where a job that runs whole on this thread began; 0 if none does.
static _Thread_local uintptr_t whole_base;

void interleaving_begin_whole_stack(uintptr_t base) { whole_base = base; }

/// Swift marks the frames of async functions with this bit.
static const uintptr_t async_bit = (uintptr_t)1 << 60;

/// Whether there is a frame of the fiber or whole job that runs.
static inline bool is_frame(uintptr_t frame) {
    uintptr_t bottom = (uintptr_t)__builtin_frame_address(0), base = whole_base;
    if (thread.running != 0) {
        const struct fiber *fiber = thread.fibers[thread.running - 1];
        bottom = (uintptr_t)fiber->memory + guard_size;
        base = fiber->base;
    }
    return frame >= bottom && frame <= base && frame % sizeof frame == 0;
}

const void *interleaving_async_frame(void) {
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    while (is_frame(frame)) {
        const uintptr_t *words = (const uintptr_t *)frame;
        if ((words[0] & async_bit) != 0) return (const void *)words[-1];
        if (words[0] <= frame) break;
        frame = words[0];
    }
    return NULL;
}

uintptr_t interleaving_next_call(uintptr_t *frame) {
    if (!is_frame(*frame)) return 0;
    const uintptr_t *words = (const uintptr_t *)*frame;
    uintptr_t next = words[0] & ~async_bit;
    *frame = next > *frame && next % sizeof next == 0 ? next : 0;
    // The address after a call may belong to the next line.
    return words[1] - 1;
}

/// Whether a global variable is being made. Whoever else wants it waits for this thread, not for the fiber; and in the next run, this would
/// be no stop.
static bool is_in_once(void) {
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    for (;;) {
        uintptr_t address = interleaving_next_call(&frame);
        if (address == 0) return false;
        if (address + 1 == after_once) return true;
    }
}

bool interleaving_makes_global(void) { return thread.running != 0 && is_in_once(); }

bool interleaving_must_not_stop(void) {
    struct fiber *fiber = thread.fibers[thread.running - 1];
    if (fiber->whole > 0) fiber->is_late = true;
    return fiber->whole > 0 || is_in_once();
}

uintptr_t interleaving_caller(void) {
    if (thread.running == 0) return 0;
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    return interleaving_next_call(&frame) == 0 ? 0 : interleaving_next_call(&frame);
}

void interleaving_begin_work(void) {
    if (thread.running > 0) thread.fibers[thread.running - 1]->base = (uintptr_t)__builtin_frame_address(0);
}

uintptr_t interleaving_caller_or_beyond(const void *return_address) {
    uintptr_t address = (uintptr_t)return_address - 1;
    return interleaving_is_own(address) ? address : interleaving_caller_beyond_libraries();
}

uintptr_t interleaving_caller_beyond_libraries(void) {
    if (thread.running == 0) return 0;
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    bool is_beyond = false;
    // Where the compiler has copied a library's function, its caller is meant.
    uintptr_t copy = 0;
    for (int depth = 0; depth < 32; depth++) {
        uintptr_t address = interleaving_next_call(&frame);
        if (address == 0) break;
        if (!interleaving_is_own(address)) is_beyond = true;
        else if (is_beyond && !interleaving_is_of_library(address)) return address;
        else if (is_beyond && copy == 0) copy = address;
    }
    return copy;
}

#endif
#endif

#if !defined(CAN_STOP)

const char *interleaving_reason_not_to_stop(void) {
#if defined(SANITIZED)
    return "a sanitizer knows only the stacks of threads";
#else
    return "there is no way to leave a stack on this system or processor";
#endif
}

int32_t interleaving_take_fiber(void) { return -1; }
bool interleaving_run_fiber(int32_t number, void (*body)(int32_t number)) { return true; }
int32_t interleaving_fiber(void) { return -1; }
void interleaving_stop_fiber(void) {}
void interleaving_begin_whole(void) {}
void interleaving_end_whole(void) {}
bool interleaving_must_not_stop(void) { return false; }
bool interleaving_makes_global(void) { return false; }
void interleaving_stop_late(void (*stop)(void)) {}
void interleaving_abandon_fiber(int32_t number) {}
void interleaving_free_fibers(void) {}
void interleaving_begin_work(void) {}
uintptr_t interleaving_caller_or_beyond(const void *return_address) { return 0; }
uintptr_t interleaving_caller(void) { return 0; }
uintptr_t interleaving_caller_beyond_libraries(void) { return 0; }

#endif
