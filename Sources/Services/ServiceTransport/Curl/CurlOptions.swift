import CCurl
import Foundation

/// The options shared by all transfers of a transport.
struct CurlOptions: Sendable {
  /// The certificates that are trusted instead of the system's.
  var certificateFile: String?
  var userAgent: String
  /// The maximum number of simultaneous transfers; further ones wait.
  var transfersAtOnce: Int
  /// The time for which an idle connection is kept.
  var connectionLifetime: Duration
}

/// The global state of libcurl.
enum CurlLibrary {
  /// Initialises libcurl once, before any other use.
  static let isReady: Bool = speechkit_curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// The system's certificates in one file, if libcurl knows such a file and it can be read.
  ///
  /// libcurl caches parsed certificates only if they come from a single file without an additional
  /// folder. Parsing them again takes longer than the rest of a TLS handshake.
  static let systemCertificateFile: String? = {
    guard let handle = speechkit_curl_easy_init() else { return nil }
    defer { speechkit_curl_easy_cleanup(handle) }
    var path: UnsafePointer<CChar>?
    _ = speechkit_curl_get_string(handle, CURLINFO_CAINFO, &path)
    guard let path, access(path, R_OK) == 0 else { return nil }
    return String(cString: path)
  }()
}
