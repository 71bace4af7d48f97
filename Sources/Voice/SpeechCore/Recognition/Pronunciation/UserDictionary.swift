import Foundation

/// Whose pronunciations go before all others.
///
/// ```swift
/// configuration.userDictionary = .file(URL(filePath: "names.dict"))
/// ```
public enum UserDictionary: Sendable, Hashable {
  /// Nobody's.
  case off
  /// Those of the user's account, for the language that is recognised; see `UserPronunciations`.
  case standard
  /// Those in a file, which need not be there yet.
  case file(URL)

  /// The pronunciations for that language; `nil` if there are to be none, or no place for them.
  public func pronunciations(for locale: Locale) -> UserPronunciations? {
    switch self {
    case .off: nil
    // An account without a home has none, and can be listened to all the same.
    case .standard: try? UserPronunciations(locale: locale)
    case .file(let url): UserPronunciations(file: url)
    }
  }
}
