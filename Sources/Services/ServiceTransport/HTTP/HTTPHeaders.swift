import ServiceCredentials

/// The header fields of a request or a response, in order. Names are case-insensitive.
///
/// A field may hold a secret, which is sent on the wire and shown as `••••` everywhere else.
public struct HTTPHeaders: Sendable {
  /// A header field with its name and value.
  public struct Field: Sendable {
    /// The name in its original spelling.
    public let name: String
    let content: Content

    /// The value; `••••` for a secret.
    public var value: String {
      switch content {
      case .plain(let text): text
      case .secret: SecureString.mask
      }
    }
  }

  enum Content: Sendable {
    case plain(String)
    /// The text before the secret on the wire (`"Bearer "`), and the secret.
    case secret(prefix: String, SecureString)
  }

  /// All fields in order.
  public private(set) var fields: [Field] = []

  /// Creates a list without fields.
  public init() {}

  /// The first value with that name, or `nil` if there is none. Setting it replaces all fields of
  /// that name.
  public subscript(name: String) -> String? {
    get { fields.first { Self.isSame($0.name, name) }?.value }
    set {
      remove(name)
      if let newValue { append(name, newValue) }
    }
  }

  /// Adds a field at the end.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, content: .plain(value)))
  }

  /// Sets a field to a secret value.
  ///
  /// - Parameter prefix: the text before the secret, such as `"Bearer "`.
  public mutating func setSecret(_ name: String, _ secret: SecureString, prefix: String = "") {
    remove(name)
    fields.append(Field(name: name, content: .secret(prefix: prefix, secret)))
  }

  /// Removes all fields of that name.
  public mutating func remove(_ name: String) {
    fields.removeAll { Self.isSame($0.name, name) }
  }

  /// The secret values of all fields.
  package var secrets: [SecureString] {
    fields.compactMap { if case .secret(_, let secret) = $0.content { secret } else { nil } }
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    one.lowercased() == other.lowercased()
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral, CustomStringConvertible {
  /// Creates the fields of a dictionary literal, in its order.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }

  /// One line per field, with secrets masked.
  public var description: String {
    fields.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
  }
}
