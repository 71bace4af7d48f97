import CMicrohttpd

/// A connection of the HTTP library.
///
/// Unchecked because a connection is only used in the library's callbacks, and resumed, which the
/// library allows from any thread.
struct ConnectionHandle: @unchecked Sendable {
  let pointer: OpaquePointer
}

/// The suspension of a connection.
///
/// It is kept under the lock of the pending work: a connection that is not suspended must not be
/// resumed, and a suspended one must be resumed before the library stops.
struct SetAside: Sendable {
  private var connection: ConnectionHandle?

  /// Suspends the connection. Only called in the library's callbacks.
  mutating func set(_ handle: ConnectionHandle) {
    guard connection == nil else { return }
    connection = handle
    MHD_suspend_connection(handle.pointer)
  }

  /// Resumes the connection if it is suspended.
  mutating func takeUp() {
    guard let handle = connection else { return }
    connection = nil
    MHD_resume_connection(handle.pointer)
  }
}
