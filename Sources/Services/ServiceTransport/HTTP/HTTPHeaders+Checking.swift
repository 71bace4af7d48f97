extension HTTPHeaders {
  /// Whether all fields may be sent.
  ///
  /// A line break in a header value would begin a header of its own on the wire, so nothing with
  /// control characters gets that far.
  func check() throws(HTTPFailure) {
    for field in fields { try Self.check(field) }
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

  /// Whether names of fields and of protocols may have that character.
  package static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
