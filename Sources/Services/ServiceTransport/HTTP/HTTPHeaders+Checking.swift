extension HTTPHeaders {
  /// Checks that all fields may be sent.
  ///
  /// A line break in a value would start another header on the wire, so control characters are
  /// refused here.
  func check() throws(HTTPFailure) {
    for field in fields { try Self.check(field) }
  }

  private static func check(_ field: HTTPHeaders.Field) throws(HTTPFailure) {
    guard !field.name.isEmpty, field.name.utf8.allSatisfy(isTokenCharacter) else {
      throw .invalidRequest("A header name is empty or contains invalid characters.")
    }
    guard !["content-length", "transfer-encoding"].contains(field.name.lowercased()) else {
      throw .invalidRequest("The header \(field.name) is derived from the body. Do not set it.")
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
        "The value of the header \(field.name) contains control or non-ASCII characters.")
    }
  }

  private static func isValueCharacter(_ byte: UInt8) -> Bool {
    (0x20...0x7E).contains(byte) || byte == UInt8(ascii: "\t")
  }

  /// True if names of fields and protocols may contain the character.
  package static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
