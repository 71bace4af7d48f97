import ServiceCredentials

/// The header fields of a request or a response, in order, with names that ignore case.
///
/// A field may hold a secret; such a value goes out on the wire and shows as `••••` everywhere else.
public struct HTTPHeaders: Sendable {
  /// One field.
  public struct Field: Sendable {
    /// The name as it was given.
    public let name: String
    let content: Content

    /// The value; a secret one reads `••••`.
    public var value: String {
      switch content {
      case .plain(let text): text
      case .secret: SecureString.mask
      }
    }
  }

  enum Content: Sendable {
    case plain(String)
    /// What goes before the secret on the wire (`"Bearer "`), and the secret.
    case secret(prefix: String, SecureString)
  }

  /// All fields in order.
  public private(set) var fields: [Field] = []

  /// No fields.
  public init() {}

  /// The first value of that name, `nil` if there is none; setting replaces all of that name.
  public subscript(name: String) -> String? {
    get { fields.first { Self.isSame($0.name, name) }?.value }
    set {
      remove(name)
      if let newValue { append(name, newValue) }
    }
  }

  /// Adds a field behind the others.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, content: .plain(value)))
  }

  /// Sets a field whose value must not be seen.
  ///
  /// - Parameter prefix: what goes before the secret, like `"Bearer "`.
  public mutating func setSecret(_ name: String, _ secret: SecureString, prefix: String = "") {
    remove(name)
    fields.append(Field(name: name, content: .secret(prefix: prefix, secret)))
  }

  /// Removes all fields of that name.
  public mutating func remove(_ name: String) {
    fields.removeAll { Self.isSame($0.name, name) }
  }

  /// All that must not be seen.
  package var secrets: [SecureString] {
    fields.compactMap { if case .secret(_, let secret) = $0.content { secret } else { nil } }
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.lowercased() == other.lowercased()
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral, CustomStringConvertible {
  /// The fields as written.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }

  /// A line for each field, with secrets masked.
  public var description: String {
    fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
  }
}
