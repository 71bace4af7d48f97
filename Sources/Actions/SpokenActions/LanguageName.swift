import Foundation

/// A human language, by its English name for models and by its code for voices.
///
/// ```swift
/// LanguageName("es").name        // “Spanish”
/// LanguageName("Spanish").code   // “es”
/// ```
public struct LanguageName: Sendable, Hashable {
  /// The English name, like “Spanish”, or the given text for an unknown language.
  public let name: String
  /// The code, like `es` or `pt-BR`; `nil` for an unknown language.
  public let code: String?

  /// Creates a language from its code, its English name or its own name, ignoring case.
  public init(_ text: String) {
    let wanted = text.trimmingCharacters(in: .whitespaces)
    let lower = wanted.lowercased()
    if let found = Self.byName[lower] {
      self.init(name: found.name, code: found.code)
    } else if let name = Self.name(ofTag: wanted) {
      self.init(name: name, code: wanted.replacingOccurrences(of: "_", with: "-"))
    } else {
      self.init(name: wanted, code: nil)
    }
  }

  private init(name: String, code: String?) {
    self.name = name
    self.code = code
  }

  /// Frequent target languages, which voice commands can name.
  public static let common = [
    "ar", "cs", "da", "de", "el", "en", "es", "fi", "fr", "he", "hi", "hu", "it", "ja", "ko", "nl",
    "no", "pl", "pt", "ro", "ru", "sv", "tr", "uk", "zh",
  ].map { LanguageName($0) }

  private static let english = Locale(identifier: "en")

  /// Returns the name for a tag like `de` or `pt-BR`; `nil` for an unknown tag.
  private static func name(ofTag tag: String) -> String? {
    let parts = tag.split(whereSeparator: { $0 == "-" || $0 == "_" })
    guard let language = parts.first, (2...3).contains(language.count),
      language.allSatisfy({ $0.isASCII && $0.isLetter }),
      Locale.LanguageCode(language.lowercased()).isISOLanguage
    else { return nil }
    return english.localizedString(forIdentifier: tag)
  }

  private static let byName: [String: LanguageName] = {
    var names: [String: LanguageName] = [:]
    for language in Locale.LanguageCode.isoLanguageCodes where language.identifier.count == 2 {
      let code = language.identifier
      guard let name = english.localizedString(forLanguageCode: code), name != code else {
        continue
      }
      let language = LanguageName(name: name, code: code)
      names[name.lowercased()] = language
      if let own = Locale(identifier: code).localizedString(forLanguageCode: code)?.lowercased(),
        names[own] == nil
      {
        names[own] = language
      }
    }
    return names
  }()
}
