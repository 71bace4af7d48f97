#define _GNU_SOURCE
#include "CHostCalls.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static _Thread_local skhc_thread current_thread;
static _Atomic(skhc_observer) current_observer;

skhc_thread *skhc_current_thread(void) { return &current_thread; }

void skhc_observe(skhc_observer observer) { atomic_store(&current_observer, observer); }

// Defined in Swift, in the module that uses this one.
extern void speechkit_install_world_executors(void);

// Before `main`, because the executors of a process can be chosen only before they are first used.
__attribute__((constructor)) static void install(void) { speechkit_install_world_executors(); }

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SKHC_SANITIZED 1
#endif
#endif

#ifdef SKHC_SANITIZED

int skhc_is_watching(void) { return 0; }

#else

int skhc_is_watching(void) { return 1; }

static void report(const char *function, const char *path) {
  if (current_thread.world == 0 || current_thread.permitted != 0) return;
  skhc_observer observer = atomic_load(&current_observer);
  if (!observer) return;
  // The receiver may itself read the clock.
  current_thread.permitted++;
  observer(function, path);
  current_thread.permitted--;
}

// The C library's own function of that name. Looked up once; two threads find the same.
#define ORIGINAL(name)                                                \
  static _Atomic(void *) found;                                       \
  void *symbol = atomic_load_explicit(&found, memory_order_relaxed); \
  if (!symbol) {                                                      \
    symbol = dlsym(RTLD_NEXT, #name);                                 \
    atomic_store_explicit(&found, symbol, memory_order_relaxed);      \
  }                                                                   \
  __typeof__(&name) original = (__typeof__(&name))symbol

int clock_gettime(clockid_t clock, struct timespec *time) {
  ORIGINAL(clock_gettime);
  report("clock_gettime", NULL);
  return original(clock, time);
}

// Not `gettimeofday`, which loggers call for their time stamps.
time_t time(time_t *result) {
  ORIGINAL(time);
  report("time", NULL);
  return original(result);
}

int nanosleep(const struct timespec *duration, struct timespec *rest) {
  ORIGINAL(nanosleep);
  report("nanosleep", NULL);
  return original(duration, rest);
}

int clock_nanosleep(
    clockid_t clock, int flags, const struct timespec *duration, struct timespec *rest) {
  ORIGINAL(clock_nanosleep);
  report("clock_nanosleep", NULL);
  return original(clock, flags, duration, rest);
}

int usleep(useconds_t duration) {
  ORIGINAL(usleep);
  report("usleep", NULL);
  return original(duration);
}

unsigned sleep(unsigned seconds) {
  ORIGINAL(sleep);
  report("sleep", NULL);
  return original(seconds);
}

int timerfd_create(int clock, int flags) {
  ORIGINAL(timerfd_create);
  report("timerfd_create", NULL);
  return original(clock, flags);
}

int socket(int domain, int type, int protocol) {
  ORIGINAL(socket);
  report("socket", NULL);
  return original(domain, type, protocol);
}

int connect(int descriptor, const struct sockaddr *address, socklen_t length) {
  ORIGINAL(connect);
  report("connect", NULL);
  return original(descriptor, address, length);
}

int getaddrinfo(
    const char *restrict node, const char *restrict service, const struct addrinfo *restrict hints,
    struct addrinfo **restrict result) {
  ORIGINAL(getaddrinfo);
  report("getaddrinfo", NULL);
  return original(node, service, hints, result);
}

int posix_spawn(
    pid_t *restrict pid, const char *restrict path, const posix_spawn_file_actions_t *actions,
    const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
    char *const environment[restrict]) {
  ORIGINAL(posix_spawn);
  report("posix_spawn", NULL);
  return original(pid, path, actions, attributes, arguments, environment);
}

pid_t fork(void) {
  ORIGINAL(fork);
  report("fork", NULL);
  return original();
}

// The mode is read only where the flags say that there is one, as the C library does it.
#define READ_MODE(flags)                                           \
  mode_t mode = 0;                                                 \
  if (((flags) & O_CREAT) || ((flags) & O_TMPFILE) == O_TMPFILE) { \
    va_list arguments;                                             \
    va_start(arguments, flags);                                    \
    mode = va_arg(arguments, mode_t);                              \
    va_end(arguments);                                             \
  }

int open(const char *path, int flags, ...) {
  ORIGINAL(open);
  READ_MODE(flags);
  report("open", path);
  return original(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  ORIGINAL(open64);
  READ_MODE(flags);
  report("open", path);
  return original(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  ORIGINAL(openat);
  READ_MODE(flags);
  report("openat", path);
  return original(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
  ORIGINAL(openat64);
  READ_MODE(flags);
  report("openat", path);
  return original(folder, path, flags, mode);
}

FILE *fopen(const char *restrict path, const char *restrict mode) {
  ORIGINAL(fopen);
  report("fopen", path);
  return original(path, mode);
}

FILE *fopen64(const char *restrict path, const char *restrict mode) {
  ORIGINAL(fopen64);
  report("fopen", path);
  return original(path, mode);
}

#endif
