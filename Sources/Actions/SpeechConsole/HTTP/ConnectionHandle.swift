import CMicrohttpd

/// A connection of the HTTP library.
///
/// Unchecked because a connection is only touched in the library's own callbacks, and resumed, which the
/// library allows from any thread.
struct ConnectionHandle: @unchecked Sendable {
  let pointer: OpaquePointer
}

/// Whether the library waits for us with a connection.
///
/// It is to be kept under the lock that says whether there is something for it to do: a connection that is
/// not set aside must not be taken up, and one that is has to be before the library is stopped.
struct SetAside: Sendable {
  private var connection: ConnectionHandle?

  /// Sets the connection aside. Only in the library's callbacks.
  mutating func set(_ handle: ConnectionHandle) {
    guard connection == nil else { return }
    connection = handle
    MHD_suspend_connection(handle.pointer)
  }

  /// Takes it up again, if it is aside.
  mutating func takeUp() {
    guard let handle = connection else { return }
    connection = nil
    MHD_resume_connection(handle.pointer)
  }
}
