import Foundation

/// Tells what can be a secret from what cannot.
package enum AICredentialValidator {
  /// The most bytes that a secret may have.
  package static let mostBytes = 64 << 10

  /// The secret without the white space at its ends.
  ///
  /// Keys and tokens travel in header lines, so that they consist of printable ASCII; certificates and other
  /// secrets are text of any kind with line breaks. Nothing else is asked: vendors and gateways change what
  /// their keys look like.
  ///
  /// - Throws: `AICredentialError.invalidFormat`.
  package static func validated(
    _ value: SecureString, type: AICredentialType = .apiKey
  ) throws(AICredentialError) -> SecureString {
    try value.withBytes { bytes throws(AICredentialError) in
      let trimmed = UnsafeRawBufferPointer(rebasing: trimmed(bytes))
      guard !trimmed.isEmpty else {
        throw .invalidFormat("The \(type.noun) is empty. Store it again.")
      }
      guard trimmed.count <= mostBytes else {
        throw .invalidFormat("The \(type.noun) is longer than 64 KiB. Store what it really is.")
      }
      switch type {
      case .apiKey, .oauthToken:
        guard trimmed.allSatisfy({ $0 < 0x80 }) else {
          throw .invalidFormat(
            "The \(type.noun) holds characters that are not ASCII, such as typographic quotes. Copy it "
              + "again, without what is around it.")
        }
        guard trimmed.allSatisfy({ 0x20 <= $0 && $0 != 0x7F }) else {
          throw .invalidFormat(
            "The \(type.noun) holds line breaks or other control characters. Copy it again.")
        }
      case .certificate, .custom:
        guard String(validating: trimmed, as: UTF8.self) != nil, !trimmed.contains(0) else {
          throw .invalidFormat("The \(type.noun) is not text in UTF-8.")
        }
      }
      return SecureString(bytes: trimmed)
    }
  }

  /// What is unusual about a provider's key, in a sentence without the key; `nil` for nothing. A hint for
  /// people, and no reason to refuse it.
  package static func warning(for value: SecureString, providerID: String) -> String? {
    value.withBytes { bytes in
      let key = trimmed(bytes)
      func begins(_ prefix: String) -> Bool { key.starts(with: prefix.utf8) }
      if key.contains(where: { $0 == 0x20 }) {
        return "The key for \(providerID) has spaces in it."
      }
      if let first = key.first, first == key.last, [0x22, 0x27, 0x60].contains(first) {
        return "The key for \(providerID) stands in quotes, which are taken as a part of it."
      }
      switch providerID {
      case "openai" where begins("sk-ant-"):
        return "The key for openai looks like one of Anthropic's."
      case "openai" where !begins("sk-"):
        return "OpenAI's own keys begin with “sk-”; this one does not."
      case "anthropic" where !begins("sk-ant-"):
        return "Anthropic's own keys begin with “sk-ant-”; this one does not."
      case "elevenlabs" where key.count < 32:
        return "ElevenLabs' own keys have at least 32 characters; this one has fewer."
      default:
        return nil
      }
    }
  }

  private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
      let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return bytes[..<bytes.startIndex] }
    return bytes[first...last]
  }
}

extension AICredentialType {
  /// What it is called in a sentence.
  var noun: String {
    switch self {
    case .apiKey: "key"
    case .oauthToken: "token"
    case .certificate: "certificate"
    case .custom: "secret"
    }
  }
}
