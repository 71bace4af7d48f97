/// One way to say a word: phones, where they are from, and how sure it is.
///
/// ```swift
/// let said = Pronunciation("HH AH L OW", phoneSet: .arpabet, origin: .userDictionary)
/// said.phones   // ["HH", "AH", "L", "OW"]
/// ```
public struct Pronunciation: Sendable, Hashable, Codable {
  /// Where a pronunciation is from.
  public enum Origin: String, Sendable, Hashable, Codable, CaseIterable {
    /// Somebody wrote it into the user dictionary.
    case userDictionary = "user"
    /// The model's dictionary, or what a program added to it.
    case dictionary
    /// Put together from words, letters and endings that are known.
    case derived
    /// Made from the spelling.
    case spelling
  }

  /// The phones, in the order in which they are said.
  public var phones: [String]
  /// What the phones are those of.
  public var phoneSet: PhoneSet
  /// Where it is from.
  public var origin: Origin
  /// How likely somebody says it so, from 0 to 1; 1 for what a dictionary has.
  public var confidence: Double
  /// The words that are said, where they are not the word itself: “three d” for “3D”.
  public var reading: String?

  /// A pronunciation.
  public init(
    phones: [String], phoneSet: PhoneSet, origin: Origin, confidence: Double = 1,
    reading: String? = nil
  ) {
    self.phones = phones
    self.phoneSet = phoneSet
    self.origin = origin
    self.confidence = confidence
    self.reading = reading
  }

  /// A pronunciation with the phones as text, blanks between them.
  public init(_ text: String, phoneSet: PhoneSet, origin: Origin, confidence: Double = 1) {
    self.init(
      phones: text.split(whereSeparator: \.isWhitespace).map(String.init), phoneSet: phoneSet,
      origin: origin, confidence: confidence)
  }

  /// The phones with blanks between them, as dictionaries have them.
  public var text: String { phones.joined(separator: " ") }
}

/// The name of an inventory of phones.
///
/// ```swift
/// let german = PhoneSet(rawValue: "voxforge-de")
/// ```
public struct PhoneSet: RawRepresentable, Sendable, Hashable, Codable {
  /// The name.
  public var rawValue: String

  /// The set of that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The 39 phones of CMUdict, without stress: those of the English model.
  public static let arpabet = PhoneSet(rawValue: "arpabet")
  /// The phones of the model that is asked, whatever they are.
  public static let model = PhoneSet(rawValue: "model")
}
