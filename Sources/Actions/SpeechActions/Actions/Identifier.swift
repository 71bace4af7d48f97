import SpeechText

/// The ids of actions and connectors in files and commands.
enum Identifier {
  private static let longest = 64

  static func isValid(_ id: String) -> Bool {
    !id.isEmpty && id.utf8.count <= longest
      && id.unicodeScalars.allSatisfy { scalar in
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
          || scalar == "-" || scalar == "_"
      }
  }

  static func check(_ id: String) throws(ActionError) {
    guard isValid(id) else {
      throw .invalidName(
        "“\(id)” is not a valid id. Use up to \(longest) letters, digits, - and _, like "
          + "“\(made(from: id))”.")
    }
  }

  /// Returns a valid id that resembles a name.
  static func made(from name: String) -> String {
    let words = name.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let id = String(words.joined(separator: "-").prefix(longest - 4))
    return id.isEmpty ? "unnamed" : id
  }

  /// Returns a valid id that resembles a name and is not in use.
  static func free(for name: String, besides used: [String]) -> String {
    let (base, used) = (made(from: name), Set(used))
    guard used.contains(base) else { return base }
    return (2...).lazy.map { "\(base)-\($0)" }.first { !used.contains($0) } ?? base
  }

  /// Returns the index of the entry with an id or, ignoring case, with a name.
  static func index(
    of name: String, in entries: [(id: String, name: String)], noun: String
  ) throws(ActionError) -> Int {
    let lower = name.lowercased()
    let index =
      entries.firstIndex { $0.id == name } ?? entries.firstIndex { $0.name.lowercased() == lower }
    guard let index else {
      throw .notFound(
        "There is no \(noun) “\(name)”." + NearestName.advice(on: name, among: entries.map(\.id)))
    }
    return index
  }
}
