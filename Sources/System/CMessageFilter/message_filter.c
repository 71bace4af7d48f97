#define _GNU_SOURCE
#include "CMessageFilter.h"

#include <stdbool.h>
#include <stdio.h>

#ifdef __GLIBC__

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static const char *dropped_prefix;
static bool is_installed;

// The stream is unbuffered, so one call of `fprintf` arrives as one write.
static ssize_t pass_on(void *cookie, const char *text, size_t size) {
  (void)cookie;
  size_t length = strlen(dropped_prefix);
  if (size >= length && memcmp(text, dropped_prefix, length) == 0) return (ssize_t)size;
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
  if (!dropped_prefix) {
    dropped_prefix = prefix;
    install();
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
