import Foundation

/// A name that a catalogue cannot turn into a recogniser or a voice.
public enum SpeechCatalogError: Error, Sendable, Equatable {
  /// The catalogue has no recogniser or voice engine of that name.
  case unknownName(String, nearest: String?, known: [String])
  /// No voice engine has a voice of that name.
  case unknownVoice(String, nearest: String?)
  /// The backend has no such model or preset.
  case unknownVariant(String, of: String, nearest: String?)
  /// The backend does not support a setting; others do.
  case unsupported(String, by: String, others: [String])
  /// The recogniser of that name needs the name of a model at another server than its own.
  case modelRequired(by: String)
  /// The text after “@” is not an address.
  case invalidServer(String)
}

extension SpeechCatalogError: LocalizedError {
  /// The description of the error and its remedy.
  public var errorDescription: String? {
    switch self {
    case .unknownName(let name, let nearest, let known):
      let list =
        known.count > 1
        ? known.dropLast().joined(separator: ", ") + " and \(known[known.count - 1])"
        : known.joined()
      return "“\(name)” is not available; choose from \(list)." + Self.hint(nearest)
    case .unknownVoice(let name, let nearest):
      return "There is no voice “\(name)”." + Self.hint(nearest)
    case .unknownVariant(let variant, let name, let nearest):
      return "\(name) has no “\(variant)”." + Self.hint(nearest)
    case .unsupported(let feature, let name, let others):
      guard !others.isEmpty else { return "\(name) does not support \(feature)." }
      return "\(name) does not support \(feature). Choose \(others.joined(separator: " or "))."
    case .modelRequired(let name):
      return "A server of your own needs the name of a model. Write \(name):MODEL@URL."
    case .invalidServer(let address):
      return
        "“\(address)” is not the address of a server. Use for example http://localhost:8000/v1."
    }
  }

  private static func hint(_ nearest: String?) -> String {
    nearest.map { " Did you mean “\($0)”?" } ?? ""
  }
}
