#define _GNU_SOURCE
#include "CInterleaving.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size, uint32_t flags);

#if defined(__linux__)
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// `dladdr` knows only exported symbols, and an executable exports hardly any. So its own symbol table is read, if it was not stripped.

/// The path of the executable, as `path_of` has it.
static const char own_path[] = "/proc/self/exe";

static const char *path_of(const Dl_info *info) {
    // The executable's name is as it was called, possibly relative to another folder.
    struct link_map *map = NULL;
    Dl_info again;
    if (dladdr1(info->dli_fbase, &again, (void **)&map, RTLD_DL_LINKMAP) != 0 && map != NULL && map->l_name[0] != 0)
        return map->l_name;
    return own_path;
}

struct function {
    uint64_t start, end;
    const char *name;
};

/// Calls a body for each function of a file, with its name, until the body returns true.
static void each_function(const char *file, size_t size, bool (*body)(const struct function *, void *), void *context) {
    if (size < sizeof(Elf64_Ehdr) || memcmp(file, ELFMAG, SELFMAG) != 0) return;
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
    if (header->e_shoff == 0 || header->e_shoff > size || header->e_shentsize != sizeof(Elf64_Shdr)) return;
    if (header->e_shnum > (size - header->e_shoff) / sizeof(Elf64_Shdr)) return;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + header->e_shoff);
    for (int index = 0; index < header->e_shnum; index++) {
        const Elf64_Shdr *table = &sections[index];
        if (table->sh_type != SHT_SYMTAB || table->sh_link >= header->e_shnum) continue;
        const Elf64_Shdr *names = &sections[table->sh_link];
        if (table->sh_offset > size || table->sh_size > size - table->sh_offset) return;
        if (names->sh_offset > size || names->sh_size > size - names->sh_offset) return;
        const Elf64_Sym *symbols = (const Elf64_Sym *)(file + table->sh_offset);
        const char *text = file + names->sh_offset;
        // So each name ends within the file.
        if (names->sh_size == 0 || text[names->sh_size - 1] != 0) return;
        for (size_t number = 0; number < table->sh_size / sizeof(Elf64_Sym); number++) {
            const Elf64_Sym *symbol = &symbols[number];
            if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_name >= names->sh_size) continue;
            struct function function = {symbol->st_value, symbol->st_value + symbol->st_size, text + symbol->st_name};
            if (body(&function, context)) return;
        }
    }
}

/// A search for the function at an address.
struct search {
    uint64_t address;
    const char *name;
};

static bool is_found(const struct function *function, void *context) {
    struct search *search = context;
    if (search->address < function->start || search->address >= function->end) return false;
    search->name = function->name;
    return true;
}

// The executable's functions are asked for often, so they are sorted once, and its file stays mapped for their names.
static struct function *functions;
static size_t function_count, function_room;

static bool keep_function(const struct function *function, void *context) {
    (void)context;
    if (function->start == function->end) return false;
    if (function_count == function_room) {
        size_t room = function_room == 0 ? 1 << 12 : function_room * 2;
        struct function *memory = realloc(functions, room * sizeof *memory);
        if (memory == NULL) return true;
        functions = memory;
        function_room = room;
    }
    functions[function_count++] = *function;
    return false;
}

static int by_start(const void *one, const void *other) {
    const struct function *first = one, *second = other;
    if (first->start != second->start) return first->start < second->start ? -1 : 1;
    // Of several names for one, the first in the file is the last of these, which is the one that is found.
    return first->name < second->name ? 1 : first->name > second->name ? -1 : 0;
}

static void sort_functions(void) {
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat status;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        void *memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (memory != MAP_FAILED) each_function(memory, (size_t)status.st_size, keep_function, NULL);
    }
    close(file);
    if (function_count > 0) qsort(functions, function_count, sizeof *functions, by_start);
}

static void know_functions(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, sort_functions);
}

/// The name of the function of the executable at an offset in its file; NULL if it is unknown. Only after `know_functions`.
static const char *known_name(uint64_t address) {
    size_t low = 0, high = function_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (functions[middle].start <= address) low = middle + 1;
        else high = middle;
    }
    return low > 0 && address < functions[low - 1].end ? functions[low - 1].name : NULL;
}

static char *find_in_executable(uint64_t address) {
    know_functions();
    const char *name = known_name(address);
    return name == NULL ? NULL : strdup(name);
}

static uintptr_t executable_base;

void interleaving_know_functions(void) {
    if (executable_base != 0) return;
    know_functions();
    Dl_info info;
    if (dladdr((void *)interleaving_know_functions, &info) != 0) executable_base = (uintptr_t)info.dli_fbase;
}

// The linker knows where the executable's code is.
extern char __executable_start __attribute__((weak));
extern char etext __attribute__((weak));

bool interleaving_is_own(uintptr_t address) {
    return &__executable_start != NULL && &etext != NULL && address >= (uintptr_t)&__executable_start &&
           address < (uintptr_t)&etext;
}

bool interleaving_begins_job(uintptr_t address) {
    // `UnownedJob.runSynchronously(on:)`, which the compiler copies.
    static const char begin[] = "$sScJ16runSynchronously";
    const char *name = known_name(address - executable_base);
    return name != NULL && strncmp(name, begin, strlen(begin)) == 0;
}

const char *interleaving_known_name(uintptr_t address) { return known_name(address - executable_base); }

static bool begins_with_any(const char *name, const char *const *beginnings, size_t count) {
    for (size_t index = 0; index < count; index++) {
        if (strncmp(name, beginnings[index], strlen(beginnings[index])) == 0) return true;
    }
    return false;
}

bool interleaving_is_foreign_code(uintptr_t address, bool is_swift) {
    const char *name = known_name(address - executable_base);
    static const char *const own[] = {"interleaving_", "$s12Interleaving", "$s18SimulatedExecutors", "$s19InterleavingTesting"};
    if (name == NULL || begins_with_any(name, own, sizeof own / sizeof *own)) return false;
    return !is_swift || strncmp(name, "$s", 2) == 0;
}

bool interleaving_is_users_code(uintptr_t address) {
    static const char *const reporting[] = {"access_", "$s6Basics", "$s23ExploredSynchronization"};
    const char *name = known_name(address - executable_base);
    return interleaving_is_foreign_code(address, false) && !begins_with_any(name, reporting, sizeof reporting / sizeof *reporting);
}

static char *find_in_file(const char *path, uint64_t address) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return NULL;
    struct stat status;
    char *name = NULL;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        void *memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (memory != MAP_FAILED) {
            struct search search = {address, NULL};
            each_function(memory, (size_t)status.st_size, is_found, &search);
            if (search.name != NULL) name = strdup(search.name);
            munmap(memory, (size_t)status.st_size);
        }
    }
    close(file);
    return name;
}

static char *find_in_table(const Dl_info *info, uintptr_t address) {
    const char *path = path_of(info);
    uint64_t offset = address - (uintptr_t)info->dli_fbase;
    return strcmp(path, "/proc/self/exe") == 0 ? find_in_executable(offset) : find_in_file(path, offset);
}

#else

/// Not known: no address is compared with it where nothing can be explored.
static const char own_path[] = "";

static const char *path_of(const Dl_info *info) { return info->dli_fname; }

// `dladdr` knows all symbols that were not stripped.
static char *find_in_table(const Dl_info *info, uintptr_t address) { return NULL; }

#endif

char *interleaving_function(uintptr_t address) {
    Dl_info info;
    if (dladdr((void *)address, &info) == 0) return NULL;
    char *mangled = find_in_table(&info, address);
    if (mangled == NULL && info.dli_sname != NULL) mangled = strdup(info.dli_sname);
    if (mangled == NULL) return NULL;
    char *name = swift_demangle(mangled, strlen(mangled), NULL, NULL, 0);
    if (name == NULL) return mangled;
    free(mangled);
    return name;
}

char *interleaving_object_file(uintptr_t address, uintptr_t *offset) {
    Dl_info info;
    if (dladdr((void *)address, &info) == 0) return NULL;
    *offset = address - (uintptr_t)info.dli_fbase;
    return realpath(path_of(&info), NULL);
}

// The frames of an asynchronous function are a chain of contexts on the heap: each begins with its caller's context and the place at which
// the caller goes on.
struct async_context {
    const struct async_context *parent;
    uintptr_t resume_parent;
};

/// The most frames that are looked at.
enum { most_frames = 64 };

extern void *swift_retain(void *object);

/// Says of an address in a file that holds the executable's code, by the function's name, whether it is of a library.
static bool (*_Atomic is_librarys)(uintptr_t address);

void interleaving_name_libraries(bool (*is_library)(uintptr_t address)) { is_librarys = is_library; }

/// The length of the folder in a path, with its last slash.
static size_t folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/// Where Swift's runtime is. It has so many symbols that to find this takes a millisecond.
static Dl_info runtime;

static void find_runtime(void) { dladdr((void *)swift_retain, &runtime); }

static bool find_out(uintptr_t address) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_runtime);
    Dl_info info;
    if (dladdr((void *)address, &info) == 0 || runtime.dli_fname == NULL) return true;
    const char *path = path_of(&info), *swift = path_of(&runtime);
    if (info.dli_fbase != runtime.dli_fbase) {
        if (strncmp(path, "/lib", 4) == 0 || strncmp(path, "/usr/lib", 8) == 0) return true;
        size_t length = folder_of(swift);
        if (folder_of(path) == length && strncmp(path, swift, length) == 0) return true;
    } else if (strcmp(path, own_path) != 0) {
        return true;
    }
    // The compiler copies short functions of libraries into the code that calls them.
    bool (*is_library)(uintptr_t) = is_librarys;
    return is_library != NULL && is_library(address);
}

bool interleaving_is_of_library(uintptr_t address) {
    // Few addresses are asked for again and again, and to find out may take milliseconds. An address leaves the highest bit free.
    enum { known_places = 1 << 12, tries = 8 };
    static _Atomic uint64_t known[known_places + tries];
    size_t first = (address * 0x9E3779B97F4A7C15u) >> 52, place = first;
    for (size_t next = first; next < first + tries; next++) {
        uint64_t found = atomic_load_explicit(&known[next], memory_order_relaxed);
        if (found >> 1 == address) return found & 1;
        if (found == 0) {
            place = next;
            break;
        }
    }
    bool found = find_out(address);
    atomic_store_explicit(&known[place], (uint64_t)address << 1 | found, memory_order_relaxed);
    return found;
}

uintptr_t interleaving_users_place(uintptr_t place, const void *context) {
    const struct async_context *frame = context;
    uintptr_t next = place;
    for (int count = 0; count < most_frames && next != 0; count++) {
        if (!interleaving_is_of_library(next)) return next;
        if (frame == NULL) break;
        next = frame->resume_parent;
        frame = frame->parent;
    }
    return place;
}
