#define _GNU_SOURCE
#include "CMessageFilter.h"

#include <stdbool.h>
#include <stdio.h>

#ifdef __GLIBC__

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

// Prefixes are added before they are counted, so that a writer never sees half of one.
static const char *dropped_prefixes[8];
static _Atomic size_t dropped_count;
static bool is_installed;

// The stream is unbuffered, so one call of `fprintf` arrives as one write.
static ssize_t pass_on(void *cookie, const char *text, size_t size) {
  (void)cookie;
  for (size_t i = 0; i < dropped_count; i++) {
    size_t length = strlen(dropped_prefixes[i]);
    if (size >= length && memcmp(text, dropped_prefixes[i], length) == 0) return (ssize_t)size;
  }
  size_t written = 0;
  while (written < size) {
    ssize_t count = write(STDERR_FILENO, text + written, size - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    written += (size_t)count;
  }
  // Such a stream reports a failure by zero.
  return (ssize_t)written;
}

static void install(void) {
  cookie_io_functions_t functions = {.write = pass_on};
  FILE *stream = fopencookie(NULL, "w", functions);
  if (!stream) return;
  setvbuf(stream, NULL, _IONBF, 0);
  stderr = stream;
  is_installed = true;
}

_Bool message_filter_drop(const char *prefix) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  if (!is_installed) install();
  if (dropped_count < sizeof dropped_prefixes / sizeof *dropped_prefixes) {
    dropped_prefixes[dropped_count] = prefix;
    dropped_count++;
  }
  pthread_mutex_unlock(&lock);
  return is_installed;
}

#else

_Bool message_filter_drop(const char *prefix) {
  (void)prefix;
  return false;
}

#endif
