import Foundation

extension HTTPRequest {
  /// The host that the request is for, if everything in it may be sent.
  package func checkedHost() throws(HTTPFailure) -> String {
    let address = url.absoluteString
    guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
      throw .invalidRequest("The address has to begin with http:// or https://.")
    }
    guard let host = url.host(), !host.isEmpty else {
      throw .invalidRequest("The address names no host.")
    }
    guard url.user() == nil, url.password() == nil else {
      throw .invalidRequest(
        "The address holds a user name or a password. Take it out; keys go into a header.")
    }
    guard url.fragment() == nil else {
      throw .invalidRequest("The address has a fragment (#), which is never sent. Take it out.")
    }
    guard address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .invalidRequest("The address holds characters that have to be escaped.")
    }
    try headers.check()
    return host
  }
}
