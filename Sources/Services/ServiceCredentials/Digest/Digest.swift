import CGLib
import Foundation

/// Cryptographic digests of bytes, computed by GLib.
package enum Digest {
  /// The SHA-1 digest, which the WebSocket handshake requires.
  package static func sha1(_ data: Data) -> Data {
    let digits = Array(hexadecimal(data, G_CHECKSUM_SHA1).utf8)
    return Data(
      stride(from: 0, to: digits.count - 1, by: 2).compactMap { start in
        UInt8(String(decoding: digits[start..<start + 2], as: UTF8.self), radix: 16)
      })
  }

  /// The SHA-256 digest in hexadecimal digits.
  package static func sha256(_ data: Data) -> String { hexadecimal(data, G_CHECKSUM_SHA256) }

  private static func hexadecimal(_ data: Data, _ type: GChecksumType) -> String {
    data.withUnsafeBytes { bytes in
      let text = g_compute_checksum_for_data(
        type, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), gsize(bytes.count))
      defer { g_free(text) }
      return text.map { String(cString: $0) } ?? ""
    }
  }
}
