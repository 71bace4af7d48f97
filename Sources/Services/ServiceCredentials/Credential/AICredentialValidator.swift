import Foundation

/// Checks the format of secrets.
package enum AICredentialValidator {
  /// The maximum size of a secret in bytes.
  package static let sizeLimit = 64 << 10

  /// Returns the secret without white space at its ends.
  ///
  /// Keys and tokens are sent in header lines and must be printable ASCII; certificates and other
  /// secrets are any text with line breaks. Nothing else is checked, because vendors and gateways
  /// change the format of their keys.
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
      guard trimmed.count <= sizeLimit else {
        throw .invalidFormat("The \(type.noun) is longer than 64 KiB. Check what you stored.")
      }
      switch type {
      case .apiKey, .oauthToken:
        guard trimmed.allSatisfy({ $0 < 0x80 }) else {
          throw .invalidFormat(
            "The \(type.noun) contains characters that are not ASCII, such as typographic quotes. "
              + "Copy it again, without the text around it.")
        }
        guard trimmed.allSatisfy({ 0x20 <= $0 && $0 != 0x7F }) else {
          throw .invalidFormat(
            "The \(type.noun) contains line breaks or other control characters. Copy it again.")
        }
      case .certificate, .custom:
        guard String(validating: trimmed, as: UTF8.self) != nil, !trimmed.contains(0) else {
          throw .invalidFormat("The \(type.noun) is not text in UTF-8.")
        }
      }
      return SecureString(bytes: trimmed)
    }
  }

  /// A sentence about an unexpected format of a provider's key, without the key; `nil` if there is
  /// nothing to report. It is a hint and no reason to refuse the key.
  package static func warning(for value: SecureString, providerID: String) -> String? {
    value.withBytes { bytes in
      let key = trimmed(bytes)
      func begins(_ prefix: String) -> Bool { key.starts(with: prefix.utf8) }
      if key.contains(where: { $0 == 0x20 }) {
        return "The key for \(providerID) contains spaces."
      }
      if let first = key.first, first == key.last, [0x22, 0x27, 0x60].contains(first) {
        return "The key for \(providerID) is in quotes, which become part of it."
      }
      switch providerID {
      case "openai" where begins("sk-ant-"):
        return "The key for openai looks like a key of Anthropic."
      case "openai" where !begins("sk-"):
        return "Keys of OpenAI begin with “sk-”; this one does not."
      case "anthropic" where !begins("sk-ant-"):
        return "Keys of Anthropic begin with “sk-ant-”; this one does not."
      case "elevenlabs" where key.count < 32:
        return "Keys of ElevenLabs have at least 32 characters; this one has fewer."
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
  /// The noun for this kind of secret in messages.
  var noun: String {
    switch self {
    case .apiKey: "key"
    case .oauthToken: "token"
    case .certificate: "certificate"
    case .custom: "secret"
    }
  }
}
