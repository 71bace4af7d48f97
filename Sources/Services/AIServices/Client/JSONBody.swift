/// A typed request body with additional members.
struct JSONBody<Body: Encodable & Sendable>: Encodable, Sendable {
  var body: Body
  var extra: [String: SendableValue] = [:]

  func encode(to encoder: any Encoder) throws {
    try body.encode(to: encoder)
    var container = encoder.container(keyedBy: MemberName.self)
    for (name, value) in extra {
      try container.encode(value, forKey: MemberName(stringValue: name))
    }
  }

  private struct MemberName: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
