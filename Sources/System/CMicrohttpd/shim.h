#pragma once
#include <microhttpd.h>
#include <string.h>
#include <sys/socket.h>

// Swift cannot call variadic functions, and does not import constants that are casts.

// Leaves addresses unchanged: none of ours needs decoding, and a decoded zero would end them.
static inline size_t speechkit_mhd_keep(
    void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

// Rejects requests that are not strictly HTTP. Errors are visible in the responses to clients, and
// are not printed.
static inline struct MHD_Daemon *speechkit_mhd_start(
    int listening, MHD_AccessHandlerCallback access, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback connection, void *context, unsigned int connections,
    size_t memory, unsigned int seconds) {
  return MHD_start_daemon(
      MHD_USE_AUTO_INTERNAL_THREAD | MHD_USE_SUSPEND_RESUME, 0, NULL, NULL, access, context,
      MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listening,
      MHD_OPTION_STRICT_FOR_CLIENT, (int)1,
      MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
      MHD_OPTION_CONNECTION_TIMEOUT, seconds,
      MHD_OPTION_UNESCAPE_CALLBACK, speechkit_mhd_keep, NULL,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_NOTIFY_CONNECTION, connection, context,
      MHD_OPTION_END);
}

static inline int speechkit_mhd_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

static inline void *speechkit_mhd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

static const ssize_t speechkit_mhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const uint64_t speechkit_mhd_size_unknown = MHD_SIZE_UNKNOWN;

// The socket types are an enumeration that Swift does not find in optimised builds of a module that
// imports both libcurl's header and the system's.
static inline int speechkit_tcp_socket(int family) {
  return socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
}
