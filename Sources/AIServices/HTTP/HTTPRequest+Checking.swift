import Foundation

extension HTTPRequest {
  /// The host that the request is for, if everything in it may be sent.
  ///
  /// A line break in a header value would begin a header of its own on the wire, so nothing with
  /// control characters gets that far.
  func checkedHost() throws(HTTPFailure) -> String {
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
    for field in headers.fields { try Self.check(field) }
    return host
  }

  private static func check(_ field: HTTPHeaders.Field) throws(HTTPFailure) {
    guard !field.name.isEmpty, field.name.utf8.allSatisfy(isTokenCharacter) else {
      throw .invalidRequest("A header's name is empty or holds characters that no name may have.")
    }
    guard !["content-length", "transfer-encoding"].contains(field.name.lowercased()) else {
      throw .invalidRequest("The header \(field.name) follows from the body and is not to be set.")
    }
    let isClean =
      switch field.content {
      case .plain(let text): text.utf8.allSatisfy(isValueCharacter)
      case .secret(let prefix, let secret):
        prefix.utf8.allSatisfy(isValueCharacter)
          && secret.withBytes { $0.allSatisfy(isValueCharacter) }
      }
    guard isClean else {
      throw .invalidRequest(
        "The value of the header \(field.name) holds control characters, or some outside ASCII.")
    }
  }

  private static func isValueCharacter(_ byte: UInt8) -> Bool {
    (0x20...0x7E).contains(byte) || byte == UInt8(ascii: "\t")
  }

  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
