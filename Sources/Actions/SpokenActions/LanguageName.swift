import Foundation

/// A human language: by the name that a model is told, and by the code that voices go by.
///
/// ```swift
/// LanguageName("es").name        // “Spanish”
/// LanguageName("Spanish").code   // “es”
/// ```
public struct LanguageName: Sendable, Hashable {
  /// In English: “Spanish”, or whatever else was written.
  public let name: String
  /// The code, like `es` or `pt-BR`; `nil` where none is known for the name.
  public let code: String?

  /// The language that is meant by a code, by an English name or by its own, whatever the case.
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

  /// Languages that many people translate into, as they are offered by voice.
  public static let common = [
    "ar", "cs", "da", "de", "el", "en", "es", "fi", "fr", "he", "hi", "hu", "it", "ja", "ko", "nl",
    "no", "pl", "pt", "ro", "ru", "sv", "tr", "uk", "zh",
  ].map { LanguageName($0) }

  private static let english = Locale(identifier: "en")

  /// The name for a tag like `de` or `pt-BR`; `nil` for what is none.
  private static func name(ofTag tag: String) -> String? {
    let parts = tag.split(whereSeparator: { $0 == "-" || $0 == "_" })
    guard let language = parts.first, (2...3).contains(language.count),
      language.allSatisfy({ $0.isASCII && $0.isLetter }),
      isKnown(language.lowercased())
    else { return nil }
    return english.localizedString(forIdentifier: tag)
  }

  private static func isKnown(_ code: String) -> Bool {
    Locale.LanguageCode(code).isISOLanguage
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
