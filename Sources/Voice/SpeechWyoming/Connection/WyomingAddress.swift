import Foundation

/// The place of an engine: a port, a socket in the file system, or a program to be started.
///
/// As text it is `HOST:PORT`, `unix:PATH` or `exec:COMMAND`, each optionally with the name of a
/// model or a voice: `HOST:PORT#NAME`.
struct WyomingAddress: Sendable, Hashable {
  enum Place: Sendable, Hashable {
    case host(String, port: Int)
    case socket(String)
    /// A program and its arguments. It is found in `PATH`.
    case program([String])
  }

  let place: Place
  /// True for a program to be started.
  var isProgram: Bool { if case .program = place { true } else { false } }
  /// The name of a model or a voice; `nil` for the engine's default.
  let name: String?
  /// The text without the name.
  let description: String

  /// - Throws: `WyomingError.invalidAddress`.
  init(_ text: String) throws(WyomingError) {
    let parts = text.split(separator: "#", omittingEmptySubsequences: false)
    var address = text
    var name: String?
    // In a command, only the last word can be the name.
    if parts.count > 1, let last = parts.last, !last.isEmpty, !last.contains(" ") {
      address = String(text.dropLast(last.count + 1))
      name = String(last)
    }
    guard let place = Self.place(address) else { throw .invalidAddress(text) }
    self.place = place
    self.name = name
    description = address.trimmingCharacters(in: .whitespaces)
  }

  private static func place(_ text: String) -> Place? {
    func rest(after prefix: String) -> String? {
      guard text.hasPrefix(prefix) else { return nil }
      let rest = text.dropFirst(prefix.count).trimmingCharacters(in: .whitespaces)
      return rest.isEmpty ? nil : rest
    }
    if let path = rest(after: "unix:") { return .socket(path) }
    if text.hasPrefix("exec:") {
      guard let words = rest(after: "exec:").flatMap(words), !words.isEmpty else { return nil }
      return .program(words)
    }
    // An address of IPv6 is in brackets.
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
      port > 0
    else { return nil }
    let host = text[..<colon].trimmingCharacters(in: ["[", "]"])
    let isBare = !host.contains(":") || text.hasPrefix("[")
    guard !host.isEmpty, isBare, !host.contains(where: { $0.isWhitespace || $0 == "/" }) else {
      return nil
    }
    return .host(host, port: Int(port))
  }

  /// The words of a command; those in single or double quotation marks may contain blanks. Nothing
  /// else has a meaning, because no shell is involved.
  ///
  /// - Returns: `nil` if a quotation mark is not closed.
  private static func words(_ command: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in command {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "\"" || character == "'" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character.isWhitespace {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return quote == nil ? words : nil
  }
}
