import Foundation

/// The user's own pronunciations, which take precedence over all others.
///
/// ```swift
/// configuration.userDictionary = .file(URL(filePath: "names.dict"))
/// ```
public enum UserDictionary: Sendable, Hashable {
  /// No pronunciations of the user.
  case off
  /// Those of the user's account, for the language that is recognised; see `UserPronunciations`.
  case standard
  /// Those in a file, which need not exist yet.
  case file(URL)

  /// The pronunciations for that language; `nil` if they are off, or there is no place for them.
  public func pronunciations(for locale: Locale) -> UserPronunciations? {
    switch self {
    case .off: nil
    // An account without a home folder has none, which must not prevent listening.
    case .standard: try? UserPronunciations(locale: locale)
    case .file(let url): UserPronunciations(file: url)
    }
  }
}
