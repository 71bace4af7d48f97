import CGLib

/// A cryptographic digest of bytes that arrive in pieces, computed by GLib.
package struct DigestStream: ~Copyable {
  package enum Kind: Sendable {
    case sha1
    case sha256
  }

  private let checksum: OpaquePointer

  package init(_ kind: Kind) {
    guard let checksum = g_checksum_new(kind == .sha1 ? G_CHECKSUM_SHA1 : G_CHECKSUM_SHA256) else {
      preconditionFailure("GLib has both kinds since version 2.16")
    }
    self.checksum = checksum
  }

  deinit { g_checksum_free(checksum) }

  /// Adds bytes. Not possible after `hexadecimal`.
  package func add(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    g_checksum_update(checksum, start.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// The digest of all bytes, in hexadecimal digits.
  package var hexadecimal: String { String(cString: g_checksum_get_string(checksum)) }
}
