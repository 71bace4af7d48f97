// The types of libcurl's own functions, without its macros of the same names.
#define CURL_DISABLE_TYPECHECK
#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

#define FUNCTIONS(X) \
  X(global_init) X(easy_init) X(easy_cleanup) X(easy_pause) X(easy_recv) X(easy_send) \
  X(easy_strerror) X(multi_init) X(multi_cleanup) X(multi_add_handle) X(multi_remove_handle) \
  X(multi_perform) X(multi_poll) X(multi_wakeup) X(multi_socket_action) X(multi_info_read) \
  X(slist_append) X(slist_free_all) X(easy_setopt) X(easy_getinfo) X(multi_setopt)

static struct {
  int is_loaded;
#define POINTER(name) __typeof__(curl_##name) *name;
  FUNCTIONS(POINTER)
#undef POINTER
} loaded;

static void load(void) {
  void *file = dlopen(SPEECHKIT_CURL_FILE, RTLD_NOW | RTLD_LOCAL);
  if (file == NULL) return;
  int count = 0, found = 0;
#define FIND(name)                                                             \
  count++;                                                                     \
  loaded.name = (__typeof__(curl_##name) *)dlsym(file, "curl_" #name);         \
  if (loaded.name != NULL) found++;
  FUNCTIONS(FIND)
#undef FIND
  loaded.is_loaded = found == count;
}

static int is_loaded(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return loaded.is_loaded;
}

#define EASY(call) (is_loaded() ? loaded.call : CURLE_FAILED_INIT)
#define MULTI(call) (is_loaded() ? loaded.call : CURLM_INTERNAL_ERROR)

CURLcode speechkit_curl_global_init(long flags) {
  return EASY(global_init(flags));
}

CURL *speechkit_curl_easy_init(void) {
  return is_loaded() ? loaded.easy_init() : NULL;
}

void speechkit_curl_easy_cleanup(CURL *handle) {
  if (is_loaded()) loaded.easy_cleanup(handle);
}

CURLcode speechkit_curl_easy_pause(CURL *handle, int directions) {
  return EASY(easy_pause(handle, directions));
}

CURLcode speechkit_curl_easy_recv(CURL *handle, void *buffer, size_t length, size_t *count) {
  return EASY(easy_recv(handle, buffer, length, count));
}

CURLcode speechkit_curl_easy_send(CURL *handle, const void *buffer, size_t length, size_t *count) {
  return EASY(easy_send(handle, buffer, length, count));
}

const char *speechkit_curl_easy_strerror(CURLcode code) {
  return is_loaded() ? loaded.easy_strerror(code) : "libcurl is not installed";
}

CURLM *speechkit_curl_multi_init(void) {
  return is_loaded() ? loaded.multi_init() : NULL;
}

CURLMcode speechkit_curl_multi_cleanup(CURLM *multi) {
  return MULTI(multi_cleanup(multi));
}

CURLMcode speechkit_curl_multi_add_handle(CURLM *multi, CURL *handle) {
  return MULTI(multi_add_handle(multi, handle));
}

CURLMcode speechkit_curl_multi_remove_handle(CURLM *multi, CURL *handle) {
  return MULTI(multi_remove_handle(multi, handle));
}

CURLMcode speechkit_curl_multi_perform(CURLM *multi, int *running) {
  return MULTI(multi_perform(multi, running));
}

CURLMcode speechkit_curl_multi_poll(
    CURLM *multi, struct curl_waitfd *others, unsigned count, int milliseconds, int *ready) {
  return MULTI(multi_poll(multi, others, count, milliseconds, ready));
}

CURLMcode speechkit_curl_multi_wakeup(CURLM *multi) {
  return MULTI(multi_wakeup(multi));
}

CURLMcode speechkit_curl_multi_socket_action(
    CURLM *multi, curl_socket_t socket, int events, int *running) {
  return MULTI(multi_socket_action(multi, socket, events, running));
}

CURLMsg *speechkit_curl_multi_info_read(CURLM *multi, int *left) {
  return is_loaded() ? loaded.multi_info_read(multi, left) : NULL;
}

struct curl_slist *speechkit_curl_slist_append(struct curl_slist *list, const char *text) {
  return is_loaded() ? loaded.slist_append(list, text) : NULL;
}

void speechkit_curl_slist_free_all(struct curl_slist *list) {
  if (is_loaded()) loaded.slist_free_all(list);
}

CURLcode speechkit_curl_set_long(CURL *handle, CURLoption option, long value) {
  return EASY(easy_setopt(handle, option, value));
}

CURLcode speechkit_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return EASY(easy_setopt(handle, option, value));
}

CURLcode speechkit_curl_set_string(CURL *handle, CURLoption option, const char *value) {
  return EASY(easy_setopt(handle, option, value));
}

CURLcode speechkit_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return EASY(easy_setopt(handle, option, value));
}

CURLcode speechkit_curl_set_data_callback(
    CURL *handle, CURLoption option, speechkit_curl_data_callback value) {
  return EASY(easy_setopt(handle, option, value));
}

CURLcode speechkit_curl_set_seek_callback(CURL *handle, speechkit_curl_seek_callback value) {
  return EASY(easy_setopt(handle, CURLOPT_SEEKFUNCTION, value));
}

CURLcode speechkit_curl_set_open_callback(CURL *handle, curl_opensocket_callback value) {
  return EASY(easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value));
}

CURLcode speechkit_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return EASY(easy_getinfo(handle, info, value));
}

CURLcode speechkit_curl_get_private(CURL *handle, void **value) {
  return EASY(easy_getinfo(handle, CURLINFO_PRIVATE, (char **)value));
}

CURLcode speechkit_curl_get_string(CURL *handle, CURLINFO info, const char **value) {
  return EASY(easy_getinfo(handle, info, (char **)value));
}

CURLcode speechkit_curl_get_long(CURL *handle, CURLINFO info, long *value) {
  return EASY(easy_getinfo(handle, info, value));
}

CURLcode speechkit_curl_get_socket(CURL *handle, curl_socket_t *value) {
  return EASY(easy_getinfo(handle, CURLINFO_ACTIVESOCKET, value));
}

CURLMcode speechkit_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return MULTI(multi_setopt(multi, option, value));
}

CURLMcode speechkit_curl_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
  return MULTI(multi_setopt(multi, option, value));
}

CURLMcode speechkit_curl_multi_set_socket_callback(CURLM *multi, curl_socket_callback value) {
  return MULTI(multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value));
}

CURLMcode speechkit_curl_multi_set_timer_callback(CURLM *multi, curl_multi_timer_callback value) {
  return MULTI(multi_setopt(multi, CURLMOPT_TIMERFUNCTION, value));
}
