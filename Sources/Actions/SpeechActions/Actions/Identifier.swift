/// The ids of actions and connectors in files and commands.
enum Identifier {
  private static let longest = 64

  static func isValid(_ id: String) -> Bool {
    !id.isEmpty && id.utf8.count <= longest
      && id.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
          || byte == UInt8(ascii: "_")
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
}
