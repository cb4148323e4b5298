#pragma once

// A stand-in for Darwin's C library: of what our sources use, the declarations as its manual pages and headers give them. With it,
// sources are checked for macOS where there is no SDK. What is not here, somebody has to look up before it is used.

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef long ssize_t;
typedef int32_t pid_t;
typedef uint32_t uid_t;
typedef uint16_t mode_t;
typedef int64_t off_t;
typedef long time_t;
typedef unsigned int nfds_t;
typedef struct __sFILE FILE;

// errno.h
extern int *__error(void);
#define EINTR 4
#define ENOMEM 12
#define EEXIST 17
#define ETIMEDOUT 60

// stdlib.h, string.h, stdio.h
void *malloc(size_t size);
void free(void *memory);
char *getenv(const char *name);
char *realpath(const char *path, char *resolved);
void *memcpy(void *to, const void *from, size_t count);
void *memset(void *memory, int byte, size_t count);
size_t strlen(const char *text);
char *strdup(const char *text);
char *strerror(int number);

// crt_externs.h
extern char ***_NSGetEnviron(void);

// time.h
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
typedef enum { CLOCK_REALTIME = 0, CLOCK_MONOTONIC = 6, CLOCK_PROCESS_CPUTIME_ID = 12, CLOCK_THREAD_CPUTIME_ID = 16 } clockid_t;
int clock_gettime(clockid_t clock, struct timespec *time);
int nanosleep(const struct timespec *length, struct timespec *rest);

// pthread.h
typedef struct _opaque_pthread_t *pthread_t;
typedef struct { long __sig; char __opaque[56]; } pthread_attr_t;
typedef struct { long __sig; char __opaque[56]; } pthread_mutex_t;
typedef struct { long __sig; char __opaque[8]; } pthread_mutexattr_t;
typedef struct { long __sig; char __opaque[40]; } pthread_cond_t;
typedef struct { long __sig; char __opaque[8]; } pthread_condattr_t;
typedef struct { long __sig; char __opaque[8]; } pthread_once_t;
#define PTHREAD_ONCE_INIT {0x30B1BCBA, {0}}
#define PTHREAD_CREATE_DETACHED 2
int pthread_once(pthread_once_t *once, void (*body)(void));
pthread_t pthread_self(void);
int pthread_kill(pthread_t thread, int signal);
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument);
int pthread_attr_init(pthread_attr_t *attributes);
int pthread_attr_destroy(pthread_attr_t *attributes);
int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state);
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size);
int pthread_setname_np(const char *name);
int pthread_getname_np(pthread_t thread, char *name, size_t size);
int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *_Nullable attributes);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int pthread_mutexattr_init(pthread_mutexattr_t *attributes);
int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes);
int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *_Nullable attributes);
int pthread_cond_destroy(pthread_cond_t *condition);
int pthread_cond_broadcast(pthread_cond_t *condition);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int pthread_cond_timedwait_relative_np(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *_Nullable length);
int pthread_condattr_init(pthread_condattr_t *attributes);
int pthread_condattr_destroy(pthread_condattr_t *attributes);

// signal.h
typedef struct {
    int si_signo, si_errno, si_code;
    pid_t si_pid;
    uid_t si_uid;
    int si_status;
    void *si_addr;
} siginfo_t;
struct sigaction {
    union {
        void (*__sa_handler)(int);
        void (*__sa_sigaction)(int, siginfo_t *, void *);
    } __sigaction_u;
    uint32_t sa_mask;
    int sa_flags;
};
#define sa_sigaction __sigaction_u.__sa_sigaction
typedef struct {
    void *ss_sp;
    size_t ss_size;
    int ss_flags;
} stack_t;
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGBUS 10
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGTERM 15
#define SA_ONSTACK 1
#define SA_SIGINFO 0x40
#define SS_DISABLE 4
int sigaction(int signal, const struct sigaction *action, struct sigaction *earlier);
int sigaltstack(const stack_t *stack, stack_t *earlier);
void (*signal(int number, void (*handler)(int)))(int);
int kill(pid_t process, int signal);

// unistd.h, fcntl.h, poll.h, sys/*.h
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_OK 0
#define F_SETFD 2
#define FD_CLOEXEC 1
#define O_WRONLY 1
#define POLLIN 1
#define RLIMIT_CORE 4
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_SHARED 1
#define MAP_NORESERVE 0x40
#define MAP_ANONYMOUS 0x1000
#define MAP_FAILED ((void *)-1)
struct pollfd {
    int fd;
    short events, revents;
};
struct rlimit {
    uint64_t rlim_cur, rlim_max;
};
uid_t geteuid(void);
pid_t getpid(void);
pid_t getppid(void);
pid_t fork(void);
void _exit(int status) __attribute__((noreturn));
int access(const char *path, int mode);
int unlink(const char *path);
int rmdir(const char *path);
int mkdir(const char *path, mode_t mode);
int pipe(int ends[2]);
int dup2(int file, int other);
int close(int file);
ssize_t read(int file, void *bytes, size_t count);
ssize_t write(int file, const void *bytes, size_t count);
int poll(struct pollfd *files, nfds_t count, int milliseconds);
pid_t waitpid(pid_t process, int *status, int options);
int setrlimit(int resource, const struct rlimit *limit);
void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);
int munmap(void *address, size_t size);

// dlfcn.h
typedef struct {
    const char *dli_fname;
    void *dli_fbase;
    const char *dli_sname;
    void *dli_saddr;
} Dl_info;
int dladdr(const void *address, Dl_info *info);

// spawn.h
typedef void *posix_spawn_file_actions_t;
typedef void *posix_spawnattr_t;
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *actions);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *actions);
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *actions, int file, int other);
int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *actions, int file, const char *path, int flags, mode_t mode);
int posix_spawnp(
    pid_t *process, const char *program, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
    char *const *arguments, char *const *environment
);

#if defined(SCENED_C_SOURCES)
int fcntl(int file, int command, ...);
#define errno (*__error())
#endif
