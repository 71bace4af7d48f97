import AIServices

extension SendableValue {
  /// The value in TOML notation, which has no tables as values and no null.
  var toml: String {
    switch self {
    case .string(let text): Self.toml(text)
    case .int(let number): String(number)
    case .double(let number): number.isFinite ? "\(number)" : "0.0"
    case .bool(let value): value ? "true" : "false"
    case .array(let elements): "[" + elements.map(\.toml).joined(separator: ", ") + "]"
    case .dictionary, .null: Self.toml(json)
    }
  }

  private static func toml(_ text: String) -> String {
    // Compares scalars, because a quotation mark followed by a combining accent is one character in
    // Swift and two in TOML.
    let scalars = text.unicodeScalars
    let isPlain = scalars.allSatisfy { scalar in
      scalar.value >= 0x20 && scalar.value != 0x7F || scalar == "\t" || scalar == "\n"
    }
    if scalars.contains("\n") {
      // Literal strings keep backslashes, which are frequent in templates.
      let hasMarks = zip(scalars, scalars.dropFirst()).contains { $0 == "'" && $1 == "'" }
      if isPlain, scalars.contains("\\"), !hasMarks, scalars.last != "'" {
        return "'''\n\(text)'''"
      }
      return "\"\"\"\n" + escaped(text, keepsLines: true) + "\"\"\""
    }
    if isPlain, scalars.contains("\\") || scalars.contains("\""), !scalars.contains("'") {
      return "'\(text)'"
    }
    return "\"" + escaped(text, keepsLines: false) + "\""
  }

  private static func escaped(_ text: String, keepsLines: Bool) -> String {
    var result = ""
    var quotes = 0
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      quotes = scalar == "\"" ? quotes + 1 : 0
      switch scalar {
      case "\\": result += "\\\\"
      // Three quotation marks would end the string, as would one at its end.
      case "\"" where !keepsLines || quotes % 3 == 0 || index == scalars.count - 1: result += "\\\""
      case "\n": result += keepsLines ? "\n" : "\\n"
      case "\t": result += "\t"
      case "\r": result += "\\r"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
