import CGLib
import Foundation

/// Hashes of bytes.
enum Checksum {
  /// SHA-256 in hexadecimal digits.
  static func sha256(_ data: Data) -> String {
    data.withUnsafeBytes { bytes in
      let hash = g_compute_checksum_for_data(
        G_CHECKSUM_SHA256, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
        gsize(bytes.count))
      defer { g_free(hash) }
      return hash.map { String(cString: $0) } ?? ""
    }
  }
}
