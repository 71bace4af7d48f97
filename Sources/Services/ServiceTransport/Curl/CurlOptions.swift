import CCurl
import Foundation

/// What all transfers of a transport have in common.
struct CurlOptions: Sendable {
  /// The certificates that are trusted in the place of the system's.
  var certificateFile: String?
  var userAgent: String
  /// The most transfers that are under way at once; further ones wait.
  var transfersAtOnce: Int
  /// For how long a connection that nothing uses is kept.
  var connectionLifetime: Duration
}

/// libcurl itself.
enum CurlLibrary {
  /// Made ready once, before anything else of it is used.
  static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// The system's certificates in one file, where libcurl knows of such a file and it can be read.
  ///
  /// libcurl keeps them parsed between connections only if they come from one file, without a folder of
  /// further ones beside it: reading them anew takes longer than all the rest of a TLS handshake.
  static let systemCertificateFile: String? = {
    guard let handle = curl_easy_init() else { return nil }
    defer { curl_easy_cleanup(handle) }
    var path: UnsafePointer<CChar>?
    _ = speechkit_curl_get_string(handle, CURLINFO_CAINFO, &path)
    guard let path, access(path, R_OK) == 0 else { return nil }
    return String(cString: path)
  }()
}
