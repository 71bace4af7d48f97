#pragma once
#include <curl/curl.h>

// libcurl is loaded at its first use: with its thirty libraries it takes some milliseconds and six
// megabytes, and most programs that can use a service do not. Each function does the same as that
// of libcurl. Without the library, those that return a pointer return NULL, and others an error.

/// The file of the library.
#if defined(__APPLE__)
#define SPEECHKIT_CURL_FILE "libcurl.4.dylib"
#else
#define SPEECHKIT_CURL_FILE "libcurl.so.4"
#endif

CURLcode speechkit_curl_global_init(long flags);
CURL *speechkit_curl_easy_init(void);
void speechkit_curl_easy_cleanup(CURL *handle);
CURLcode speechkit_curl_easy_pause(CURL *handle, int directions);
CURLcode speechkit_curl_easy_recv(CURL *handle, void *buffer, size_t length, size_t *count);
CURLcode speechkit_curl_easy_send(CURL *handle, const void *buffer, size_t length, size_t *count);
const char *speechkit_curl_easy_strerror(CURLcode code);
CURLM *speechkit_curl_multi_init(void);
CURLMcode speechkit_curl_multi_cleanup(CURLM *multi);
CURLMcode speechkit_curl_multi_add_handle(CURLM *multi, CURL *handle);
CURLMcode speechkit_curl_multi_remove_handle(CURLM *multi, CURL *handle);
CURLMcode speechkit_curl_multi_perform(CURLM *multi, int *running);
CURLMcode speechkit_curl_multi_poll(
    CURLM *multi, struct curl_waitfd *others, unsigned count, int milliseconds, int *ready);
CURLMcode speechkit_curl_multi_wakeup(CURLM *multi);
CURLMcode speechkit_curl_multi_socket_action(
    CURLM *multi, curl_socket_t socket, int events, int *running);
CURLMsg *speechkit_curl_multi_info_read(CURLM *multi, int *left);
struct curl_slist *speechkit_curl_slist_append(struct curl_slist *list, const char *text);
void speechkit_curl_slist_free_all(struct curl_slist *list);

// Swift cannot call variadic functions such as libcurl's setters and getters, so there is a
// function for each type of argument.

typedef size_t (*speechkit_curl_data_callback)(char *, size_t, size_t, void *);
typedef int (*speechkit_curl_seek_callback)(void *, curl_off_t, int);

CURLcode speechkit_curl_set_long(CURL *handle, CURLoption option, long value);
CURLcode speechkit_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value);
CURLcode speechkit_curl_set_string(CURL *handle, CURLoption option, const char *value);
CURLcode speechkit_curl_set_pointer(CURL *handle, CURLoption option, void *value);
CURLcode speechkit_curl_set_data_callback(
    CURL *handle, CURLoption option, speechkit_curl_data_callback value);
CURLcode speechkit_curl_set_seek_callback(CURL *handle, speechkit_curl_seek_callback value);
CURLcode speechkit_curl_set_open_callback(CURL *handle, curl_opensocket_callback value);
CURLcode speechkit_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value);
CURLcode speechkit_curl_get_private(CURL *handle, void **value);
CURLcode speechkit_curl_get_string(CURL *handle, CURLINFO info, const char **value);
CURLcode speechkit_curl_get_long(CURL *handle, CURLINFO info, long *value);
CURLcode speechkit_curl_get_socket(CURL *handle, curl_socket_t *value);
CURLMcode speechkit_curl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode speechkit_curl_multi_set_pointer(CURLM *multi, CURLMoption option, void *value);
CURLMcode speechkit_curl_multi_set_socket_callback(CURLM *multi, curl_socket_callback value);
CURLMcode speechkit_curl_multi_set_timer_callback(CURLM *multi, curl_multi_timer_callback value);
