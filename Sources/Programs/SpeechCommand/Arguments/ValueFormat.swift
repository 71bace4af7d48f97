import SpeechPocketSphinx
import SpeechText

/// The format of an option's value: its name in the help, its completion, and how it is read from
/// text.
package struct ValueFormat<Value: Sendable>: Sendable {
  /// The word for the value in the help.
  package let name: String
  package let hint: ValueHint
  package let read: @Sendable (_ text: String, _ option: String) throws -> Value

  /// - Parameter read: Makes the value from its text; the second parameter is the option, as in
  ///   `--rate`. Errors are reported as mistakes in the command line.
  package init(
    _ name: String, _ hint: ValueHint = .nothing,
    read: @escaping @Sendable (_ text: String, _ option: String) throws -> Value
  ) {
    (self.name, self.hint, self.read) = (name, hint, read)
  }
}

extension ValueFormat where Value == String {
  /// Text that is not empty.
  package static func text(_ name: String, _ hint: ValueHint = .nothing) -> Self {
    Self(name, hint) { text, option in
      guard !text.isEmpty else { throw UsageError("\(option) needs a value that is not empty") }
      return text
    }
  }
}

extension ValueFormat where Value == Double {
  package static func number(_ name: String, in range: ClosedRange<Double>) -> Self {
    Self(name) { text, option in
      guard let number = Double(text), range.contains(number) else {
        let bounds = "\(range.lowerBound.brief) to \(range.upperBound.brief)"
        throw UsageError("\(option) takes a number from \(bounds), not “\(text)”")
      }
      return number
    }
  }
}

extension ValueFormat where Value == Int {
  package static func count(_ name: String = "COUNT", in range: ClosedRange<Int>) -> Self {
    Self(name) { text, option in
      guard let number = Int(text), range.contains(number) else {
        let bounds = "\(range.lowerBound) to \(range.upperBound)"
        throw UsageError("\(option) takes a whole number from \(bounds), not “\(text)”")
      }
      return number
    }
  }
}

extension ValueFormat where Value == UInt64 {
  /// The seed of random numbers.
  package static var seed: Self {
    Self("NUMBER") { text, option in
      guard let seed = UInt64(text) else {
        throw UsageError("\(option) takes a whole number from 0 on, not “\(text)”")
      }
      return seed
    }
  }
}

extension ValueFormat where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the names of the type's cases.
  package static func choice(_ name: String) -> Self {
    let choices = Value.allCases.map(\.rawValue)
    return Self(name, .choices(choices)) { text, option in
      guard let value = Value(rawValue: text) else {
        let nearest = NearestName.of(text, among: choices).map { " Did you mean “\($0)”?" } ?? ""
        throw UsageError(
          "\(option) takes \(choices.joined(separator: ", ")), not “\(text)”.\(nearest)")
      }
      return value
    }
  }
}

/// A name with its value, as `NAME=VALUE` on the command line.
package struct NamedValue: Sendable, Equatable {
  package var name: String
  package var value: String
}

extension ValueFormat where Value == NamedValue {
  /// A name with its value: `NAME=VALUE`.
  package static var pair: Self {
    Self("NAME=VALUE") { text, option in
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw UsageError("\(option) takes NAME=VALUE, not “\(text)”")
      }
      return NamedValue(name: String(parts[0]), value: String(parts[1]))
    }
  }
}

extension ValueFormat where Value == PocketSphinxAcceptance {
  package static var acceptance: Self {
    Self("CONFIDENCE", .choices(["recommended", "off"])) { text, option in
      switch text {
      case "recommended": return .recommended
      case "off": return .off
      default:
        guard let number = Float(text), (0...1).contains(number) else {
          throw UsageError(
            "\(option) takes “recommended”, “off” or a number from 0 to 1, not “\(text)”")
        }
        return .atLeast(number)
      }
    }
  }
}

extension ValueFormat where Value == KeyPhrase {
  package static var keyPhrase: Self {
    Self("PHRASE") { text, option in
      do {
        return try KeyPhrase(line: text)
      } catch {
        throw UsageError("\(option): \(error.localizedDescription)")
      }
    }
  }
}
