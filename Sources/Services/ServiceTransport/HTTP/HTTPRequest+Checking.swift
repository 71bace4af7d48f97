import Foundation

extension HTTPRequest {
  /// Checks that the request may be sent, and returns its host.
  package func checkedHost() throws(HTTPFailure) -> String {
    let address = url.absoluteString
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
      throw .invalidRequest("The address must begin with http:// or https://.")
    }
    guard let host = url.host(), !host.isEmpty else {
      throw .invalidRequest("The address has no host.")
    }
    guard url.user() == nil, url.password() == nil else {
      throw .invalidRequest(
        "The address contains a user name or a password. Remove it; keys are sent in a header.")
    }
    guard url.fragment() == nil else {
      throw .invalidRequest("The address has a fragment (#), which is never sent. Remove it.")
    }
    guard address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .invalidRequest("The address contains characters that must be escaped.")
    }
    try headers.check()
    return host
  }
}
