#pragma once
#include <curl/curl.h>

// Swift cannot call variadic functions such as libcurl's setters and getters, so there is an inline
// function for each type of argument.

typedef size_t (*speechkit_curl_data_callback)(char *, size_t, size_t, void *);
typedef int (*speechkit_curl_seek_callback)(void *, curl_off_t, int);

static inline CURLcode speechkit_curl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode speechkit_curl_set_offset(
    CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode speechkit_curl_set_string(
    CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode speechkit_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode speechkit_curl_set_data_callback(
    CURL *handle, CURLoption option, speechkit_curl_data_callback value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode speechkit_curl_set_seek_callback(
    CURL *handle, speechkit_curl_seek_callback value) {
  return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, value);
}

static inline CURLcode speechkit_curl_set_open_callback(
    CURL *handle, curl_opensocket_callback value) {
  return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode speechkit_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode speechkit_curl_get_private(CURL *handle, void **value) {
  return curl_easy_getinfo(handle, CURLINFO_PRIVATE, (char **)value);
}

static inline CURLcode speechkit_curl_get_string(CURL *handle, CURLINFO info, const char **value) {
  return curl_easy_getinfo(handle, info, (char **)value);
}

static inline CURLcode speechkit_curl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode speechkit_curl_get_socket(CURL *handle, curl_socket_t *value) {
  return curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, value);
}

static inline CURLMcode speechkit_curl_multi_set_long(
    CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode speechkit_curl_multi_set_pointer(
    CURLM *multi, CURLMoption option, void *value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode speechkit_curl_multi_set_socket_callback(
    CURLM *multi, curl_socket_callback value) {
  return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value);
}

static inline CURLMcode speechkit_curl_multi_set_timer_callback(
    CURLM *multi, curl_multi_timer_callback value) {
  return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, value);
}
