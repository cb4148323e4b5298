// Ends a program at a certain call that changes the files of one folder, as SIGKILL or a loss of power does, or has that call and some
// after it fail, as a broken disk does. Preloaded, it counts every such call, from the making of the folder on.
//
// A killed process leaves what it has written; a loss of power leaves only what was synced, and of the rest whatever the disk has
// got to. So each change is remembered until a sync of its file, or of the folder for names, and a loss of power takes all of them
// back and then makes some of them again. What happens through a mapping (the -shm file of SQLite, which is made anew by whoever
// opens a database first) is not seen and not taken back.
//
// A sync can also fail and forget, as on Linux: the pages that it could not write count as written from then on, so the next sync
// works, and the disk never gets them, unless they are written again. Until the power is lost, all programs read what the disk
// does not have; so what it has instead is remembered beyond the end of this one, in KILL_FORGOTTEN.
//
// KILL_FOLDER is the folder, by its absolute path, KILL_SHADOW one beside it for what is removed but could come back, and
// KILL_CONTROL a file with a struct control, by which whoever runs the program says when to end it, and sees how far it is.
// KILL_CALLS, if it is set, gets a line for each call: its number, its name, the file, and how many bytes.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum mode { NEVER, BEFORE, HALF, AFTER, POWER, FAIL, FORGET };
enum keep { NONE, SOME };
// What a disk writes at once.
enum { SECTOR = 512 };
// When the end comes after a sync has forgotten, other than so many calls later.
enum { AT_ONCE = -1, NOT_BY_ITSELF = 0 };

// As kills.py has it.
struct control {
    int64_t count;     // how many calls there were
    int64_t at;        // at which of them it ends; 0 for never
    int64_t mode;      // how
    int64_t keep;      // what a loss of power leaves of what was not synced
    int64_t seed;      // which, if it is SOME
    int64_t syncs;     // 0 if a sync counts for nothing, as on a disk that lies
    int64_t dropped;   // how many changes were taken back
    int64_t unsynced;  // of how many
    int64_t moving;    // instead of `at`: at which call from the first write into the database itself on; 0 for never
    int64_t commits;   // instead of `at`: at which sync of the log, with which a transaction is kept; 0 for never
    int64_t error;     // the errno with which calls fail
    int64_t times;     // how many do, from the one on
    int64_t failing;   // instead of `at`, to forget: at which sync of any file; 0 for never
    int64_t moved;     // whether these count only from the first write into the database itself on
    int64_t inner;     // whether only those of the database itself count
    int64_t left;      // after how many calls more the power is lost then
    int64_t rewrites;  // 0 if what was forgotten is not even written when it is written again, as on a disk that is broken there
    int64_t forgotten; // how many sectors were forgotten
    int64_t missed;    // how many of them a loss of power took back
    char call[128];    // the call at which it ended, or the first that failed
};

// A change of a file's bytes or length.
struct change {
    struct change *earlier, *later;  // of any file
    struct file *file;
    bool is_write, survives;
    off_t offset, size_before, size_after;
    size_t length, length_before;  // of the bytes written, and of those that were there
    char *bytes, *bytes_before;
};

struct file {
    struct file *next;
    dev_t device;
    ino_t number;
    char path[512];
};

// What the disk has, where programs read something else.
struct sector {
    dev_t device;
    ino_t number;
    off_t offset;
    char bytes[SECTOR];
};

enum { MOST_SECTORS = 1 << 17 };
struct sectors {
    int64_t count;
    struct sector all[MOST_SECTORS];
};

// A change of the folder's names, or the making of the folder itself.
struct naming {
    struct naming *earlier, *later;
    enum { MAKE, CREATE, UNLINK, RENAME } kind;
    bool survives;
    char name[512], other[512];
    char shadow[512];  // where the file is that has lost its name; empty for none
};

// What a descriptor is open for. The folder and its parent have marks of their own.
enum { DESCRIPTORS = 1 << 16 };
static struct file folder_mark, parent_mark;
static struct file *opened[DESCRIPTORS];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct control *control;
static struct sectors *forgotten;
static char folder[512], parent[512], shadows[512];
static size_t folder_length;
static int calls = -1;
static struct file *files;
static struct change *oldest, *newest;
static struct naming *oldest_naming, *newest_naming;
static int shadow_count;

static void fail(const char *what) {
    dprintf(2, "kill.c: %s: %s\n", what, strerror(errno));
    _exit(99);
}

static void *map(const char *path, size_t size) {
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || syscall(SYS_ftruncate, file, size) != 0) fail(path);
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) fail(path);
    syscall(SYS_close, file);
    return memory;
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("KILL_FOLDER"), *shadow = getenv("KILL_SHADOW"), *state = getenv("KILL_CONTROL");
    const char *list = getenv("KILL_CALLS"), *sectors = getenv("KILL_FORGOTTEN");
    if (!path || !shadow || !state || !sectors) return;
    snprintf(folder, sizeof folder, "%s", path);
    snprintf(parent, sizeof parent, "%s", path);
    char *slash = strrchr(parent, '/');
    if (!slash || slash == parent) fail("KILL_FOLDER is no absolute path of a folder in another one");
    *slash = 0;
    snprintf(shadows, sizeof shadows, "%s", shadow);
    if (list) {
        calls = (int)syscall(SYS_openat, AT_FDCWD, list, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (calls < 0) fail(list);
    }
    forgotten = map(sectors, sizeof *forgotten);
    control = map(state, sizeof *control);
    folder_length = strlen(folder);
    // Programs that it starts are not meant.
    unsetenv("LD_PRELOAD");
}

// MARK: - What there was

static bool is_inside(const char *path) {
    return folder_length && path && !strncmp(path, folder, folder_length) && path[folder_length] == '/';
}

static struct file *file_at(const char *path) {
    struct stat status;
    if (lstat(path, &status) != 0) return NULL;
    for (struct file *file = files; file; file = file->next)
        if (file->device == status.st_dev && file->number == status.st_ino) return file;
    struct file *file = calloc(1, sizeof *file);
    file->device = status.st_dev;
    file->number = status.st_ino;
    snprintf(file->path, sizeof file->path, "%s", path);
    file->next = files;
    return files = file;
}

static void drop(struct change *change) {
    *(change->earlier ? &change->earlier->later : &oldest) = change->later;
    *(change->later ? &change->later->earlier : &newest) = change->earlier;
    free(change->bytes);
    free(change->bytes_before);
    free(change);
}

// Says that the disk has what programs read, in the sectors from one place on.
static void remember(struct file *file, off_t begin, off_t end) {
    for (int64_t place = forgotten->count - 1; place >= 0; place--) {
        struct sector *sector = &forgotten->all[place];
        if (sector->device != file->device || sector->number != file->number) continue;
        if (sector->offset < end && sector->offset + SECTOR > begin) *sector = forgotten->all[--forgotten->count];
    }
}

static void remember_all(struct file *file) { remember(file, 0, INT64_MAX); }

static void settle(struct file *file) {
    for (struct change *change = oldest, *later; change; change = later) {
        later = change->later;
        if (change->file != file) continue;
        if (!change->is_write) remember(file, change->size_after + SECTOR - 1, INT64_MAX);
        else if (control->rewrites) remember(file, change->offset, change->offset + (off_t)change->length);
        drop(change);
    }
}

// Removes a file that has lost its name. Another may get its number.
static void remove_for_good(const char *path) {
    struct file *file = file_at(path);
    if (!file || syscall(SYS_unlink, path) != 0) fail(path);
    settle(file);
    remember_all(file);
    file->number = 0;
}

static void settle_names(bool of_parent) {
    for (struct naming *naming = oldest_naming, *later; naming; naming = later) {
        later = naming->later;
        if ((naming->kind == MAKE) != of_parent) continue;
        *(naming->earlier ? &naming->earlier->later : &oldest_naming) = later;
        *(later ? &later->earlier : &newest_naming) = naming->earlier;
        if (naming->shadow[0]) remove_for_good(naming->shadow);
        free(naming);
    }
}

static struct naming *name(int kind, const char *name, const char *other) {
    struct naming *naming = calloc(1, sizeof *naming);
    naming->kind = kind;
    snprintf(naming->name, sizeof naming->name, "%s", name);
    snprintf(naming->other, sizeof naming->other, "%s", other);
    naming->earlier = newest_naming;
    *(newest_naming ? &newest_naming->later : &oldest_naming) = naming;
    return newest_naming = naming;
}

static void shadow_path(char path[512]) { snprintf(path, 512, "%s/%d-%d", shadows, (int)getpid(), ++shadow_count); }

// Gives what is about to lose this name another one.
static void shadow(const char *path, char shadow[512]) {
    struct file *file = file_at(path);
    shadow[0] = 0;
    if (!file) return;
    shadow_path(shadow);
    if (syscall(SYS_link, path, shadow) != 0) fail(shadow);
    snprintf(file->path, sizeof file->path, "%s", shadow);
}

static struct change *change(struct file *file, int descriptor, off_t offset, size_t length, bool is_write) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) fail(file->path);
    struct change *change = calloc(1, sizeof *change);
    change->file = file;
    change->is_write = is_write;
    change->offset = offset;
    change->length = length;
    change->size_before = status.st_size;
    off_t end = is_write ? offset + (off_t)length : status.st_size;
    if (end > status.st_size) end = status.st_size;
    if (end > offset) {
        change->length_before = (size_t)(end - offset);
        change->bytes_before = malloc(change->length_before);
        ssize_t read = syscall(SYS_pread64, descriptor, change->bytes_before, change->length_before, offset);
        if (read != (ssize_t)change->length_before) fail(file->path);
    }
    change->earlier = newest;
    *(newest ? &newest->later : &oldest) = change;
    return newest = change;
}

// MARK: - Loss of power

static uint64_t random_state;

static uint64_t random_number(void) {
    uint64_t value = random_state += 0x9E3779B97F4A7C15;
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
}

static bool chance(uint64_t of_hundred) { return random_number() % 100 < of_hundred; }

static void put(int descriptor, const char *bytes, size_t length, off_t offset, const char *path) {
    while (length > 0) {
        ssize_t count = syscall(SYS_pwrite64, descriptor, bytes, length, offset);
        if (count <= 0) fail(path);
        bytes += count, offset += count, length -= (size_t)count;
    }
}

static void resize(int descriptor, off_t size, const char *path) {
    if (syscall(SYS_ftruncate, descriptor, size) != 0) fail(path);
}

static int open_again(struct file *file) {
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, file->path, O_RDWR | O_CLOEXEC, 0);
    if (descriptor < 0) fail(file->path);
    return descriptor;
}

static void undo(struct change *change) {
    int descriptor = open_again(change->file);
    resize(descriptor, change->size_before, change->file->path);
    put(descriptor, change->bytes_before, change->length_before, change->offset, change->file->path);
    syscall(SYS_close, descriptor);
}

static void redo(struct change *change) {
    int descriptor = open_again(change->file);
    const char *path = change->file->path;
    struct stat status;
    if (fstat(descriptor, &status) != 0) fail(path);
    if (!change->survives) {
        control->dropped += 1;
        // The length is not written together with the bytes.
        if (control->keep == SOME && change->size_after > status.st_size && chance(12))
            resize(descriptor, change->size_after, path);
    } else if (!change->is_write) {
        resize(descriptor, change->size_after, path);
    } else if (control->keep == SOME && chance(12)) {
        // Of a write, any sectors.
        for (size_t done = 0, part; done < change->length; done += part) {
            part = SECTOR - (size_t)(change->offset + (off_t)done) % SECTOR;
            if (part > change->length - done) part = change->length - done;
            if (chance(50)) put(descriptor, change->bytes + done, part, change->offset + (off_t)done, path);
        }
    } else {
        put(descriptor, change->bytes, change->length, change->offset, path);
    }
    syscall(SYS_close, descriptor);
}

static bool exists(const char *path) { return syscall(SYS_access, path, F_OK) == 0; }

static void move(const char *from, const char *to) {
    if (exists(from) && syscall(SYS_rename, from, to) != 0) fail(from);
}

static void undo_naming(struct naming *naming) {
    switch (naming->kind) {
    case CREATE:
        shadow_path(naming->shadow);
        move(naming->name, naming->shadow);
        break;
    case UNLINK: move(naming->shadow, naming->name); break;
    case RENAME:
        move(naming->other, naming->name);
        if (naming->shadow[0]) move(naming->shadow, naming->other);
        break;
    case MAKE: break;
    }
}

static void redo_naming(struct naming *naming) {
    if (!naming->survives) {
        control->dropped += 1;
        return;
    }
    switch (naming->kind) {
    case CREATE:
        if (!exists(naming->name)) move(naming->shadow, naming->name);
        break;
    case UNLINK:
        if (exists(naming->name)) move(naming->name, naming->shadow);
        break;
    case RENAME: move(naming->name, naming->other); break;
    case MAKE: break;
    }
}

// Says in the list of calls what becomes of a change that was not synced.
static void tell(const char *fate, const char *what, size_t length) {
    char line[1200];
    int size = snprintf(line, sizeof line, "- %s %s %zu\n", fate, what, length);
    if (calls >= 0) syscall(SYS_write, calls, line, size);
}

static void tell_change(const char *fate, struct change *change) {
    char what[640];
    snprintf(what, sizeof what, "%s %s %ld", change->is_write ? "write" : "length", change->file->path, (long)change->offset);
    tell(fate, what, change->length);
}

// Has programs read what the disk has.
static void miss(struct sector *sector) {
    for (struct file *file = files; file; file = file->next) {
        if (file->device != sector->device || file->number != sector->number) continue;
        int descriptor = open_again(file);
        struct stat status;
        if (fstat(descriptor, &status) != 0) fail(file->path);
        off_t length = status.st_size - sector->offset;
        if (length > SECTOR) length = SECTOR;
        if (length > 0) {
            put(descriptor, sector->bytes, (size_t)length, sector->offset, file->path);
            control->missed += 1;
        }
        syscall(SYS_close, descriptor);
    }
}

static void miss_all(void) {
    if (!forgotten->count) return;
    // Some may have been forgotten before this program began, which has not opened every file.
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        file_at(path);
    }
    if (directory) closedir(directory);
    for (int64_t place = 0; place < forgotten->count; place++) miss(&forgotten->all[place]);
    forgotten->count = 0;
}

static void lose_power(void) {
    random_state = (uint64_t)control->seed;
    int64_t count = 0, place = 0;
    for (struct change *change = oldest; change; change = change->later) count += 1;
    int64_t names = 0;
    for (struct naming *naming = oldest_naming; naming; naming = naming->later) names += 1;
    control->unsynced = count + names;
    // All up to some, or any.
    bool in_order = chance(30), names_in_order = chance(50);
    uint64_t share = (uint64_t[]){10, 50, 90}[random_number() % 3];
    int64_t first = count ? (int64_t)(random_number() % (uint64_t)(count + 1)) : 0;
    int64_t first_names = names ? (int64_t)(random_number() % (uint64_t)(names + 1)) : 0;
    for (struct change *change = oldest; change; change = change->later) {
        bool is_in = in_order ? place++ < first : chance(share);
        change->survives = control->keep == SOME && is_in;
    }
    place = 0;
    for (struct naming *naming = oldest_naming; naming; naming = naming->later) {
        bool is_in = names_in_order ? place++ < first_names : chance(share);
        naming->survives = control->keep == SOME && is_in;
    }

    for (struct change *change = oldest; change; change = change->later) {
        tell_change(change->survives ? "left" : "lost", change);
    }
    for (struct naming *naming = oldest_naming; naming; naming = naming->later) {
        char what[1100];
        const char *kind = (const char *[]){"mkdir", "create", "unlink", "rename"}[naming->kind];
        snprintf(what, sizeof what, "%s %s %s", kind, naming->name, naming->other);
        tell(naming->survives ? "left" : "lost", what, 0);
    }
    // A name that comes back has the bytes that its file has then, so they come first.
    for (struct change *change = newest; change; change = change->earlier) undo(change);
    miss_all();
    for (struct change *change = oldest; change; change = change->later) redo(change);
    for (struct naming *naming = newest_naming; naming; naming = naming->earlier) undo_naming(naming);
    for (struct naming *naming = oldest_naming; naming; naming = naming->later) redo_naming(naming);
    for (struct naming *naming = oldest_naming; naming; naming = naming->later) {
        if (naming->kind != MAKE || naming->survives) continue;
        char lost[512];
        shadow_path(lost);
        move(folder, lost);
    }
}

// MARK: - Forgetting

static struct sector *sector_at(struct file *file, off_t offset) {
    for (int64_t place = 0; place < forgotten->count; place++) {
        struct sector *sector = &forgotten->all[place];
        if (sector->device == file->device && sector->number == file->number && sector->offset == offset) return sector;
    }
    return NULL;
}

// Puts the bytes from `offset` on into a sector, as far as they are in it; zeros if there are none.
static void put_into(struct sector *sector, const char *bytes, off_t offset, size_t length) {
    for (size_t place = 0; place < SECTOR; place++) {
        off_t from = sector->offset + (off_t)place - offset;
        if (from >= 0 && from < (off_t)length) sector->bytes[place] = bytes ? bytes[from] : 0;
    }
}

// Finds out what the disk has there, after a sync that has written the changes that survive.
static void forget_sector(struct file *file, int descriptor, off_t offset) {
    struct sector *sector = sector_at(file, offset);
    if (!sector) {
        if (forgotten->count == MOST_SECTORS) fail("too much is forgotten");
        sector = &forgotten->all[forgotten->count++];
        *sector = (struct sector){.device = file->device, .number = file->number, .offset = offset};
        if (syscall(SYS_pread64, descriptor, sector->bytes, SECTOR, offset) < 0) fail(file->path);
        for (struct change *change = newest; change; change = change->earlier) {
            if (change->file != file) continue;
            put_into(sector, NULL, change->offset, change->length);
            put_into(sector, change->bytes_before, change->offset, change->length_before);
        }
        control->forgotten += 1;
    }
    for (struct change *change = oldest; change; change = change->later) {
        if (change->file == file && change->is_write && change->survives)
            put_into(sector, change->bytes, change->offset, change->length);
    }
}

// Takes what was not synced of a file for written, whether or not it was. Lengths are not forgotten, only bytes: the journal of
// the file system has them.
static void forget(struct file *file) {
    random_state = (uint64_t)control->seed;
    for (struct change *change = oldest; change; change = change->later) {
        if (change->file == file) change->survives = control->keep == SOME && chance(50);
    }
    int descriptor = open_again(file);
    for (struct change *change = oldest; change; change = change->later) {
        if (change->file != file || !change->is_write) continue;
        tell_change(change->survives ? "written" : "forgotten", change);
        off_t end = change->offset + (off_t)change->length;
        for (off_t offset = change->offset / SECTOR * SECTOR; offset < end; offset += SECTOR) {
            // What was written now may have been forgotten before.
            if (!change->survives || sector_at(file, offset)) forget_sector(file, descriptor, offset);
        }
    }
    syscall(SYS_close, descriptor);
    for (struct change *change = oldest, *later; change; change = later) {
        later = change->later;
        if (change->file != file || !change->is_write) continue;
        change->is_write = false;
        change->length = change->length_before = 0;
        if (change->size_after == change->size_before) drop(change);
    }
}

// MARK: - Counting

static __attribute__((noreturn)) void die(void) {
    while (true) syscall(SYS_kill, getpid(), SIGKILL);
}

// Whether the call that was counted last must not be made and fails instead.
static bool is_failing;
// Whether it forgets then.
static bool is_forgetting;

// Counts a call, under the lock. Returns whether it is the one, and dies if it must not be made.
static bool count(const char *call, const char *path, size_t length, bool is_sync) {
    const char *file = is_inside(path) ? path + folder_length + 1 : strcmp(path, folder) ? ".." : ".";
    int64_t number = ++control->count;
    is_failing = is_forgetting = false;
    if (control->moving > 0 && !strcmp(call, "pwrite") && !strcmp(file, "state.sqlite")) {
        control->at = number + control->moving - 1;
        control->moving = 0;
    }
    if (control->commits > 0 && is_sync && !strcmp(file, "state.sqlite-wal") && --control->commits == 0) control->at = number;
    if (control->moved && !strcmp(call, "pwrite") && !strcmp(file, "state.sqlite")) control->moved = 0;
    bool counts = is_sync && !control->moved && (!control->inner || !strcmp(file, "state.sqlite"));
    if (control->failing > 0 && counts && --control->failing == 0) control->at = number;
    if (calls >= 0) {
        char line[256];
        int size = snprintf(line, sizeof line, "%ld %s %s %zu\n", (long)number, call, file, length);
        syscall(SYS_write, calls, line, size);
    }
    if (control->mode == FAIL && control->at > 0 && number >= control->at && number < control->at + control->times) {
        if (number == control->at) snprintf(control->call, sizeof control->call, "%s %s %zu", call, file, length);
        is_failing = true;
    }
    if (number != control->at || control->mode == NEVER || control->mode == FAIL) return false;
    // It may have failed before it ends.
    if (!control->call[0]) snprintf(control->call, sizeof control->call, "%s %s %zu", call, file, length);
    if (control->mode == FORGET) {
        is_failing = is_forgetting = true;
        control->mode = control->left > 0 ? POWER : NEVER;
        control->at = number + control->left;
        return false;
    }
    if (control->mode == BEFORE) die();
    if (control->mode == POWER && is_sync) {
        lose_power();
        die();
    }
    return true;
}

// Dies if the call that was made is the one.
static void end(bool is_it) {
    if (!is_it) return;
    if (control->mode == POWER) lose_power();
    die();
}

static struct file *of(int descriptor) {
    return control && descriptor >= 0 && descriptor < DESCRIPTORS ? opened[descriptor] : NULL;
}

static bool is_folder(struct file *file) { return file == &folder_mark || file == &parent_mark; }

#define LOCKED for (bool locked = (pthread_mutex_lock(&lock), true); locked; locked = (pthread_mutex_unlock(&lock), false))

// MARK: - Names

static int open_at(int directory, const char *path, int flags, mode_t mode) {
    if (!control || directory != AT_FDCWD) return (int)syscall(SYS_openat, directory, path, flags, mode);
    bool is_in = is_inside(path), is_self = !strcmp(path, folder), is_parent = !strcmp(path, parent);
    if (!is_in && !is_self && !is_parent) return (int)syscall(SYS_openat, directory, path, flags, mode);
    int result, error;
    LOCKED {
        bool is_new = is_in && flags & O_CREAT && !exists(path);
        bool is_it = is_new && count("open", path, 0, false);
        struct stat status;
        off_t size = is_in && flags & O_TRUNC && stat(path, &status) == 0 ? status.st_size : 0;
        if (size > 0) fail("a file of the folder is opened with O_TRUNC, which is not provided for");
        bool fails = is_new && is_failing;
        result = fails ? -1 : (int)syscall(SYS_openat, directory, path, flags, mode);
        error = fails ? (int)control->error : errno;
        if (result >= 0 && result < DESCRIPTORS) {
            opened[result] = is_in ? file_at(path) : is_self ? &folder_mark : &parent_mark;
            if (is_new) {
                name(CREATE, path, "");
                // It may have the number of one that is no more.
                remember_all(opened[result]);
            }
        }
        end(is_it);
    }
    errno = error;
    return result;
}

#define WITH_MODE(last)                                                                                                          \
    mode_t mode = 0;                                                                                                             \
    if (flags & (O_CREAT | O_TMPFILE)) {                                                                                         \
        va_list rest;                                                                                                            \
        va_start(rest, last);                                                                                                    \
        mode = va_arg(rest, mode_t);                                                                                             \
        va_end(rest);                                                                                                            \
    }

int open(const char *path, int flags, ...) {
    WITH_MODE(flags)
    return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    WITH_MODE(flags)
    return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...) {
    WITH_MODE(flags)
    return open_at(directory, path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...) {
    WITH_MODE(flags)
    return open_at(directory, path, flags, mode);
}

int creat(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int close(int descriptor) {
    if (of(descriptor)) LOCKED opened[descriptor] = NULL;
    return (int)syscall(SYS_close, descriptor);
}

int mkdir(const char *path, mode_t mode) {
    if (!control || strcmp(path, folder) || exists(path)) return (int)syscall(SYS_mkdir, path, mode);
    int result, error;
    LOCKED {
        bool is_it = count("mkdir", path, 0, false);
        result = is_failing ? -1 : (int)syscall(SYS_mkdir, path, mode);
        error = is_failing ? (int)control->error : errno;
        if (result == 0) name(MAKE, path, "");
        end(is_it);
    }
    errno = error;
    return result;
}

int unlink(const char *path) {
    if (!control || !is_inside(path) || !exists(path)) return (int)syscall(SYS_unlink, path);
    int result, error;
    LOCKED {
        bool is_it = count("unlink", path, 0, false);
        if (is_failing) {
            result = -1, error = (int)control->error;
            continue;
        }
        char kept[512];
        shadow(path, kept);
        result = (int)syscall(SYS_unlink, path);
        error = errno;
        if (result != 0) fail(path);
        snprintf(name(UNLINK, path, "")->shadow, 512, "%s", kept);
        end(is_it);
    }
    errno = error;
    return result;
}

int rename(const char *from, const char *to) {
    if (!control || (!is_inside(from) && !is_inside(to))) return (int)syscall(SYS_rename, from, to);
    int result, error;
    LOCKED {
        bool is_it = count("rename", to, 0, false);
        if (is_failing) {
            result = -1, error = (int)control->error;
            continue;
        }
        struct file *file = file_at(from);
        char kept[512];
        shadow(to, kept);
        result = (int)syscall(SYS_rename, from, to);
        error = errno;
        if (result != 0) fail(from);
        if (file) snprintf(file->path, sizeof file->path, "%s", to);
        snprintf(name(RENAME, from, to)->shadow, 512, "%s", kept);
        end(is_it);
    }
    errno = error;
    return result;
}

// MARK: - Bytes

static ssize_t write_at(const char *call, int descriptor, const void *bytes, size_t length, off_t offset, bool moves) {
    struct file *file = of(descriptor);
    if (!file || is_folder(file)) {
        return moves ? syscall(SYS_write, descriptor, bytes, length) : syscall(SYS_pwrite64, descriptor, bytes, length, offset);
    }
    ssize_t result = -1;
    int error;
    LOCKED {
        bool is_it = count(call, file->path, length, false);
        if (is_failing) {
            error = (int)control->error;
            continue;
        }
        if (moves) offset = lseek(descriptor, 0, SEEK_CUR);
        if (is_it && control->mode == HALF) length /= 2;
        struct change *made = change(file, descriptor, offset, length, true);
        result = moves ? syscall(SYS_write, descriptor, bytes, length) : syscall(SYS_pwrite64, descriptor, bytes, length, offset);
        error = errno;
        if (result != (ssize_t)length) fail(file->path);
        made->bytes = malloc(length ? length : 1);
        memcpy(made->bytes, bytes, length);
        off_t end_of_it = offset + (off_t)length;
        made->size_after = end_of_it > made->size_before ? end_of_it : made->size_before;
        end(is_it);
    }
    errno = error;
    return result;
}

ssize_t write(int descriptor, const void *bytes, size_t length) { return write_at("write", descriptor, bytes, length, 0, true); }

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
    return write_at("pwrite", descriptor, bytes, length, offset, false);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off_t offset) {
    return write_at("pwrite", descriptor, bytes, length, offset, false);
}

static int truncate_to(int descriptor, off_t size) {
    struct file *file = of(descriptor);
    if (!file || is_folder(file)) return (int)syscall(SYS_ftruncate, descriptor, size);
    int result = -1, error;
    LOCKED {
        bool is_it = count("ftruncate", file->path, (size_t)size, false);
        if (is_failing) {
            error = (int)control->error;
            continue;
        }
        struct change *made = change(file, descriptor, size, 0, false);
        // There is no half of it: a file has its new length at once, also after a loss of power.
        made->size_after = size;
        result = (int)syscall(SYS_ftruncate, descriptor, size);
        error = errno;
        if (result != 0) fail(file->path);
        end(is_it);
    }
    errno = error;
    return result;
}

int ftruncate(int descriptor, off_t size) { return truncate_to(descriptor, size); }
int ftruncate64(int descriptor, off_t size) { return truncate_to(descriptor, size); }

static int sync_to(const char *call, long number, int descriptor) {
    struct file *file = of(descriptor);
    if (!file) return (int)syscall(number, descriptor);
    int result = -1, error;
    LOCKED {
        bool is_it = count(call, file == &folder_mark ? folder : file == &parent_mark ? parent : file->path, 0, true);
        // What was not synced now is by the next sync that works, unless it is to be forgotten.
        if (is_failing) {
            if (is_forgetting && !is_folder(file)) forget(file);
            if (is_forgetting && control->left == AT_ONCE) die();
            error = (int)control->error;
            continue;
        }
        // A loss of power is only played, so nothing has to be on this disk; but it takes time.
        usleep(300);
        result = 0, error = 0;
        if (control->syncs) {
            if (is_folder(file)) settle_names(file == &parent_mark);
            else settle(file);
        }
        end(is_it);
    }
    errno = error;
    return result;
}

int fsync(int descriptor) { return sync_to("fsync", SYS_fsync, descriptor); }
int fdatasync(int descriptor) { return sync_to("fdatasync", SYS_fdatasync, descriptor); }

// MARK: - What is not provided for

// What could change a file of the folder unseen says so, so that nothing is left out.
#define REFUSED(call, descriptor)                                                                                                \
    if (of(descriptor)) {                                                                                                        \
        errno = ENOSYS;                                                                                                          \
        fail(call " on a file of the folder is not provided for");                                                               \
    }

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    REFUSED("writev", descriptor)
    return syscall(SYS_writev, descriptor, parts, count);
}

ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
    REFUSED("pwritev", descriptor)
    return syscall(SYS_pwritev, descriptor, parts, count, offset, 0);
}

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
    REFUSED("fallocate", descriptor)
    return (int)syscall(SYS_fallocate, descriptor, mode, offset, length);
}

int posix_fallocate(int descriptor, off_t offset, off_t length) {
    REFUSED("posix_fallocate", descriptor)
    return syscall(SYS_fallocate, descriptor, 0, offset, length) == 0 ? 0 : errno;
}

int posix_fallocate64(int descriptor, off_t offset, off_t length) { return posix_fallocate(descriptor, offset, length); }

int unlinkat(int directory, const char *path, int flags) {
    if (control && is_inside(path)) fail("unlinkat in the folder is not provided for");
    return (int)syscall(SYS_unlinkat, directory, path, flags);
}
