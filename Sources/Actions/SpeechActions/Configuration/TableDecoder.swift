import SpeechText

/// Takes values out of a table and notes what is wrong with them, and what nobody asked for.
struct TableDecoder {
  let table: ConfigurationDocument.Table
  private(set) var faults: [ConfigurationFault] = []
  private var asked: [String] = []

  init(_ table: ConfigurationDocument.Table) {
    self.table = table
  }

  mutating func note(_ fault: ConfigurationFault) {
    faults.append(fault)
  }

  mutating func note(_ key: String, _ message: String) {
    let entry = table.entry(key)
    let place = entry?.valuePlace ?? table.place
    faults.append(
      ConfigurationFault(
        line: place.line, column: place.column,
        path: key.isEmpty ? table.name : (table.path + [key]).joined(separator: "."),
        message: message))
  }

  mutating func string(_ key: String) -> String? {
    value(key, "a text between quotation marks") {
      if case .string(let text) = $0 { text } else { nil }
    }
  }

  mutating func bool(_ key: String) -> Bool? {
    value(key, "true or false") { if case .bool(let value) = $0 { value } else { nil } }
  }

  mutating func int(_ key: String, in range: ClosedRange<Int>) -> Int? {
    let number = value(key, "a whole number") {
      if case .int(let number) = $0 { number } else { nil }
    }
    guard let number, !range.contains(number) else { return number }
    note(key, "It has to be from \(range.lowerBound) to \(range.upperBound), and is \(number).")
    return nil
  }

  mutating func number(_ key: String, in range: ClosedRange<Double>) -> Double? {
    let number = value(key, "a number") { value -> Double? in
      switch value {
      case .double(let number): number
      case .int(let number): Double(number)
      default: nil
      }
    }
    guard let number, !range.contains(number) else { return number }
    note(
      key,
      "It has to be from \(Self.shown(range.lowerBound)) to \(Self.shown(range.upperBound)), and is "
        + "\(Self.shown(number)).")
    return nil
  }

  mutating func strings(_ key: String) -> [String]? {
    value(key, "a list of texts, like [\"one\", \"two\"]") { value in
      guard case .array(let elements) = value else { return nil }
      let texts = elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
      return texts.count == elements.count ? texts : nil
    }
  }

  mutating func duration(_ key: String) -> Duration? {
    guard let text = string(key) else { return nil }
    guard let time = DurationText.duration(text), time > .zero else {
      note(key, "“\(text)” is no time. Write it like \"800ms\", \"20s\", \"2m\" or \"1h\".")
      return nil
    }
    return time
  }

  /// One of several words.
  mutating func choice<Word: RawRepresentable<String> & CaseIterable>(
    _ key: String, of _: Word.Type
  ) -> Word? {
    guard let text = string(key) else { return nil }
    if let word = Word(rawValue: text) { return word }
    let words = Word.allCases.map(\.rawValue)
    note(key, "“\(text)” is not known here." + NearestName.advice(on: text, among: words))
    return nil
  }

  /// All entries are texts by names of the user's own.
  mutating func allStrings() -> [String: String] {
    var texts: [String: String] = [:]
    for entry in table.entries { texts[entry.key] = string(entry.key) }
    return texts
  }

  /// Notes what has not been asked for.
  mutating func finish() {
    for entry in table.entries where !asked.contains(entry.key) {
      faults.append(
        ConfigurationFault(
          line: entry.place.line, column: entry.place.column,
          path: (table.path + [entry.key]).joined(separator: "."),
          message: "There is no such setting." + NearestName.advice(on: entry.key, among: asked)))
    }
  }

  private mutating func value<Value>(
    _ key: String, _ wanted: String, _ read: (ConfigurationLiteral) -> Value?
  ) -> Value? {
    asked.append(key)
    guard let entry = table.entry(key) else { return nil }
    guard let value = read(entry.value) else {
      note(key, "It has to be \(wanted), and is \(entry.value.kind).")
      return nil
    }
    return value
  }

  private static func shown(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : "\(number)"
  }
}
