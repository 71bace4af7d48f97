import Foundation

extension CommandMatch {
  /// Decodes the match as a value of the app's own type.
  ///
  /// The properties of a structure are decoded from the slots with their names, in `camelCase` or
  /// unchanged, and its property `intent` from the intent. An array receives all values of a slot.
  /// The case of an enumeration with associated values is chosen by the intent, and those values
  /// are decoded from the slots. Enumerations of values are decoded from their codes.
  ///
  /// ```swift
  /// enum Command: Decodable {
  ///   case switchLight(room: Room, state: State)   // intent “switch_light”
  ///   case wakeMe(at: SpokenTime)
  /// }
  /// let command = try match.decode(Command.self)
  /// ```
  ///
  /// - Parameters:
  ///   - now: the moment that spoken days and times are relative to, for properties of type `Date`.
  ///   - calendar: the calendar for such properties.
  /// - Throws: `DecodingError` if a required slot is missing or has another type.
  public func decode<Command: Decodable>(
    _ type: Command.Type, now: Date = Date(), calendar: Calendar = .current
  ) throws -> Command {
    try Command(
      from: MatchDecoder(content: .match(self), codingPath: [], now: now, calendar: calendar))
  }
}

/// Decodes a match, or the values of one slot.
private struct MatchDecoder: Decoder {
  enum Content {
    case match(CommandMatch)
    /// The associated values of the intent's case.
    case slots(CommandMatch)
    case values([SlotMatch])
    case text(String)
  }

  let content: Content
  let codingPath: [any CodingKey]
  let now: Date
  let calendar: Calendar

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    switch content {
    case .match(let match):
      KeyedDecodingContainer(KeyedContainer(decoder: self, match: match, mayBeIntent: true))
    case .slots(let match):
      KeyedDecodingContainer(KeyedContainer(decoder: self, match: match, mayBeIntent: false))
    case .values, .text: throw mismatch(type, "A slot has no parts.")
    }
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .values(let values) = content else {
      throw mismatch([Any].self, "The match is no list.")
    }
    return ListContainer(decoder: self, values: values)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    switch content {
    case .match(let match): ValueContainer(decoder: with(.text(match.intent), at: nil))
    default: ValueContainer(decoder: self)
    }
  }

  func with(_ content: Content, at key: (any CodingKey)?) -> MatchDecoder {
    MatchDecoder(
      content: content, codingPath: codingPath + (key.map { [$0] } ?? []), now: now,
      calendar: calendar)
  }

  func mismatch(_ type: Any.Type, _ text: String) -> DecodingError {
    .typeMismatch(type, .init(codingPath: codingPath, debugDescription: text))
  }

  func missing(_ type: Any.Type) -> DecodingError {
    .valueNotFound(type, .init(codingPath: codingPath, debugDescription: "Nothing was said there."))
  }

  /// Decodes the content as that type. Types that a slot stands for are not decoded member by
  /// member.
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard case .values(let values) = content else { return try T(from: self) }
    if let first = values.first, let known = known(type, first) as? T { return known }
    if [Duration.self, Date.self, DateComponents.self, SpokenTime.self, SpokenDate.self]
      .contains(where: { $0 == type })
    {
      guard let first = values.first else { throw missing(type) }
      throw mismatch(type, "“\(first.text)” is none.")
    }
    return try T(from: self)
  }

  private func known(_ type: Any.Type, _ slot: SlotMatch) -> Any? {
    if type == Duration.self { return slot.duration }
    if type == SpokenTime.self { return slot.time }
    if type == SpokenDate.self { return slot.date }
    if type == DateComponents.self {
      return slot.time?.components ?? slot.date?.components(from: now, calendar: calendar)
    }
    if type == Date.self {
      return slot.time?.next(after: now, calendar: calendar)
        ?? slot.date?.date(from: now, calendar: calendar)
    }
    return nil
  }
}

private struct KeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: MatchDecoder
  let match: CommandMatch
  let mayBeIntent: Bool

  var codingPath: [any CodingKey] { decoder.codingPath }

  /// The intent's key if there is one, so that an enumeration finds its case; otherwise the keys of
  /// the slots.
  var allKeys: [Key] {
    if mayBeIntent, let key = Self.key(match.intent) { return [key] }
    var names: Set<String> = []
    return match.slots.filter { names.insert($0.name).inserted }.compactMap { Self.key($0.name) }
  }

  private static func key(_ name: String) -> Key? {
    Key(stringValue: name) ?? Key(stringValue: WrittenWord.camelCase(name))
  }

  private func isNamed(_ name: String, _ key: Key) -> Bool {
    name == key.stringValue || WrittenWord.camelCase(name) == key.stringValue
  }

  private func content(_ key: Key) -> MatchDecoder.Content? {
    let values = match.slots.filter { isNamed($0.name, key) }
    if !values.isEmpty { return .values(values) }
    return key.stringValue == "intent" ? .text(match.intent) : nil
  }

  func contains(_ key: Key) -> Bool { content(key) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    // A missing slot is an empty list, for properties that are arrays.
    try decoder.with(content(key) ?? .values([]), at: key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    guard mayBeIntent, isNamed(match.intent, key) else {
      throw decoder.mismatch(type, "A slot has no parts.")
    }
    return try decoder.with(.slots(match), at: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.with(content(key) ?? .values([]), at: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { decoder }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    decoder.with(content(key) ?? .values([]), at: key)
  }
}

private struct ListContainer: UnkeyedDecodingContainer {
  let decoder: MatchDecoder
  let values: [SlotMatch]
  var currentIndex = 0

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { values.count }
  var isAtEnd: Bool { currentIndex >= values.count }

  mutating func decodeNil() throws -> Bool { false }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    guard !isAtEnd else { throw decoder.missing(type) }
    let value = try decoder.with(.values([values[currentIndex]]), at: nil).decode(type)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    throw decoder.mismatch(type, "A slot has no parts.")
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw decoder.mismatch([Any].self, "A slot has no parts.")
  }

  mutating func superDecoder() throws -> any Decoder { decoder }
}

private struct ValueContainer: SingleValueDecodingContainer {
  let decoder: MatchDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool {
    if case .values(let values) = decoder.content { return values.isEmpty }
    return false
  }

  private func slot(_ type: Any.Type) throws -> SlotMatch {
    guard case .values(let values) = decoder.content else {
      throw decoder.mismatch(type, "The intent is a text.")
    }
    guard let first = values.first else { throw decoder.missing(type) }
    return first
  }

  func decode(_ type: String.Type) throws -> String {
    if case .text(let text) = decoder.content { return text }
    let slot = try slot(type)
    return slot.code ?? slot.text
  }

  func decode(_ type: Bool.Type) throws -> Bool {
    let slot = try slot(type)
    switch slot.code?.lowercased() {
    case "true", "yes", "on", "1": return true
    case "false", "no", "off", "0": return false
    default: throw decoder.mismatch(type, "“\(slot.text)” is neither true nor false.")
    }
  }

  func decode(_ type: Double.Type) throws -> Double {
    let slot = try slot(type)
    if let number = slot.integer.map(Double.init) ?? slot.code.flatMap(Double.init) {
      return number
    }
    if let duration = slot.duration { return duration / .seconds(1) }
    throw decoder.mismatch(type, "“\(slot.text)” is no number.")
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

  private func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
    let slot = try slot(type)
    guard let number = slot.integer, let value = T(exactly: number) else {
      throw decoder.mismatch(type, "“\(slot.text)” is no such number.")
    }
    return value
  }

  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoder.decode(type) }
}
