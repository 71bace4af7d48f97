import Foundation

/// Evaluates arithmetic such as `12 * (3 + 4)`.
struct Arithmetic {
  private var rest: Substring
  private var depth = 0

  /// The value of the text if all of it is an expression with at least one operation.
  static func value(of text: String) -> Double? {
    var reader = Arithmetic(rest: Substring(inSymbols(text)))
    guard reader.rest.contains(where: { "+-*/^".contains($0) }),
      let value = reader.sum(), reader.isAtEnd, value.isFinite
    else { return nil }
    return value
  }

  /// Replaces spoken and typographic operators by the four signs.
  private static func inSymbols(_ text: String) -> String {
    let words = [
      (" plus ", "+"), (" minus ", "-"), (" times ", "*"), (" multiplied by ", "*"),
      (" divided by ", "/"), (" over ", "/"), (" to the power of ", "^"), ("×", "*"), ("·", "*"),
      ("÷", "/"), ("−", "-"), ("**", "^"),
    ]
    return words.reduce(text.lowercased()) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }

  private var isAtEnd: Bool { rest.allSatisfy(\.isWhitespace) }

  private mutating func sum() -> Double? {
    guard var value = product() else { return nil }
    while let sign = take("+-") {
      guard let next = product() else { return nil }
      value = sign == "+" ? value + next : value - next
    }
    return value
  }

  private mutating func product() -> Double? {
    guard var value = power() else { return nil }
    while let sign = take("*/") {
      guard let next = power() else { return nil }
      value = sign == "*" ? value * next : value / next
    }
    return value
  }

  private mutating func power() -> Double? {
    guard let base = term() else { return nil }
    guard take("^") != nil else { return base }
    return deeper { $0.power() }.map { pow(base, $0) }
  }

  private mutating func term() -> Double? {
    if take("-") != nil { return deeper { $0.term() }.map { -$0 } }
    if take("(") != nil {
      let value = deeper { $0.sum() }
      return take(")") == nil ? nil : value
    }
    rest = rest.drop(while: \.isWhitespace)
    let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    rest = rest.dropFirst(digits.count)
    return Double(digits)
  }

  /// Parses a nested expression with a limit on the depth, because the input is not trusted.
  private mutating func deeper(_ read: (inout Arithmetic) -> Double?) -> Double? {
    guard depth < 100 else { return nil }
    depth += 1
    defer { depth -= 1 }
    return read(&self)
  }

  private mutating func take(_ signs: String) -> Character? {
    let trimmed = rest.drop(while: \.isWhitespace)
    guard let first = trimmed.first, signs.contains(first) else { return nil }
    rest = trimmed.dropFirst()
    return first
  }
}
