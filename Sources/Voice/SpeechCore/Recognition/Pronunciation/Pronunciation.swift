/// A pronunciation of a word: its phones, its origin and its confidence.
///
/// ```swift
/// let said = Pronunciation("HH AH L OW", phoneSet: .arpabet, origin: .userDictionary)
/// said.phones   // ["HH", "AH", "L", "OW"]
/// ```
public struct Pronunciation: Sendable, Hashable, Codable {
  /// The origin of a pronunciation.
  public enum Origin: String, Sendable, Hashable, Codable, CaseIterable {
    /// The user's own dictionary.
    case userDictionary = "user"
    /// The model's dictionary, or an addition of the program to it.
    case dictionary
    /// Composed of known words, letters and endings.
    case derived
    /// Derived from the spelling.
    case spelling
  }

  /// The phones in their order.
  public var phones: [String]
  /// The inventory of the phones.
  public var phoneSet: PhoneSet
  /// The origin of the pronunciation.
  public var origin: Origin
  /// The likelihood of the pronunciation, from 0 to 1; 1 for entries of a dictionary.
  public var confidence: Double
  /// The words that are spoken, if they are not the word itself: “three d” for “3D”.
  public var reading: String?

  /// Creates a pronunciation from a list of phones.
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

  /// Creates a pronunciation from phones separated by spaces.
  public init(_ text: String, phoneSet: PhoneSet, origin: Origin, confidence: Double = 1) {
    self.init(
      phones: text.split(whereSeparator: \.isWhitespace).map(String.init), phoneSet: phoneSet,
      origin: origin, confidence: confidence)
  }

  /// The phones separated by spaces, as in dictionaries.
  public var text: String { phones.joined(separator: " ") }
}

/// The name of an inventory of phones.
///
/// ```swift
/// let german = PhoneSet(rawValue: "voxforge-de")
/// ```
public struct PhoneSet: RawRepresentable, Sendable, Hashable, Codable {
  /// The name of the inventory.
  public var rawValue: String

  /// Creates the set of that name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The 39 phones of CMUdict, without stress: those of the English model.
  public static let arpabet = PhoneSet(rawValue: "arpabet")
  /// The phones of the model in use, whatever they are.
  public static let model = PhoneSet(rawValue: "model")
}
