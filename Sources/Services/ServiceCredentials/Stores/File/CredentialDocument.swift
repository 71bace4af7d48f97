import Foundation

/// The JSON document of credentials, with a version.
///
/// ```json
/// {
///   "format": "speechkit-credentials",
///   "version": 1,
///   "credentials": [
///     {
///       "credential": {
///         "id": "…", "providerID": "openai", "type": "api_key", "name": "Production Key",
///         "createdAt": "2026-01-31T12:00:00.000Z", "updatedAt": "…", "metadata": {}
///       },
///       "secret": "sk-…"
///     }
///   ]
/// }
/// ```
///
/// Each provider and type occurs once. Dates are in ISO 8601 with fractional seconds. A reader
/// refuses unknown versions, and a writer drops unknown members.
enum CredentialDocument {
  private static let format = "speechkit-credentials"
  private static let version = 1

  private struct Head: Decodable {
    var format: String
    var version: Int
  }

  private struct Body<Item: Codable>: Codable {
    var format = CredentialDocument.format
    var version = CredentialDocument.version
    var credentials: [Item]
  }

  private struct Described: Codable {
    var credential: AICredential
  }

  private struct Secret: Codable {
    var credential: AICredential
    var secret: String
  }

  /// Decodes the descriptions of the secrets, without the secrets.
  static func credentials(in bytes: UnsafeRawBufferPointer, path: String) throws -> [AICredential] {
    try decode(Described.self, from: bytes, path: path).map(\.credential)
  }

  /// Decodes all entries.
  static func entries(in bytes: UnsafeRawBufferPointer, path: String) throws -> [CredentialEntry] {
    try decode(Secret.self, from: bytes, path: path).map { item in
      CredentialEntry(credential: item.credential, value: SecureString(item.secret))
    }
  }

  /// Lends the bytes of a document with these entries; they are zeroed afterwards.
  static func withBytes(
    of entries: [CredentialEntry], _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let items = entries.map { Secret(credential: $0.credential, secret: $0.value.value) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .preciseISO8601
    var data = try encoder.encode(Body(credentials: items))
    data.append(UInt8(ascii: "\n"))
    defer { data.resetBytes(in: data.startIndex..<data.endIndex) }
    try data.withUnsafeBytes(body)
  }

  /// Throws `AICredentialError.corruptFile`, naming the path.
  private static func decode<Item: Codable>(
    _ type: Item.Type, from bytes: UnsafeRawBufferPointer, path: String
  ) throws -> [Item] {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { throw corrupt(path, "it is empty") }
    // The data does not outlive the bytes, because the decoders keep no reference to it.
    let data = Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count,
      deallocator: .none)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .preciseISO8601
    // A decoder's error may quote the file and therefore never becomes part of our errors.
    guard let head = try? decoder.decode(Head.self, from: data), head.format == format else {
      throw corrupt(path, "it is not a credentials file")
    }
    guard head.version == version else {
      throw AICredentialError.corruptFile(
        "“\(path)” has version \(head.version) of the format, and this program only knows version "
          + "\(version). Use the newer program that wrote it.")
    }
    guard let body = try? decoder.decode(Body<Item>.self, from: data) else {
      throw corrupt(path, "a credential in it is damaged")
    }
    return body.credentials
  }

  private static func corrupt(_ path: String, _ reason: String) -> AICredentialError {
    .corruptFile(
      "“\(path)” cannot be used: \(reason). It has not been changed. Repair it, or move it away "
        + "and store the credentials again.")
  }
}

extension JSONEncoder.DateEncodingStrategy {
  /// ISO 8601 with fractions of seconds.
  static var preciseISO8601: Self {
    .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
  }
}

extension JSONDecoder.DateDecodingStrategy {
  /// ISO 8601, with or without fractional seconds.
  static var preciseISO8601: Self {
    .custom { decoder in
      let text = try decoder.singleValueContainer().decode(String.self)
      if let date = try? Date(
        text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
      {
        return date
      }
      return try Date(text, strategy: .iso8601)
    }
  }
}
