import Foundation

/// What an action is run on.
///
/// ```swift
/// let input = ActionInput("Guten Tag", sourceLanguage: "German", targetLanguage: "English")
/// ```
public struct ActionInput: Sendable, Hashable {
  /// The text.
  public var text: String
  /// The language it is in, if that is known.
  public var sourceLanguage: String?
  /// The language that is asked for.
  public var targetLanguage: String?
  /// The user's locale, like `de_DE`.
  public var locale: String
  /// The program that the text comes from.
  public var app: String?
  /// Today.
  public var date: Date
  /// What is on the clipboard, for templates that ask for it.
  public var clipboard: String?
  /// Values of the template's own variables.
  public var variables: [String: String]

  /// An input.
  public init(
    _ text: String, sourceLanguage: String? = nil, targetLanguage: String? = nil,
    locale: String = Locale.current.identifier, app: String? = nil, date: Date = Date(),
    clipboard: String? = nil, variables: [String: String] = [:]
  ) {
    self.text = text
    self.sourceLanguage = sourceLanguage
    self.targetLanguage = targetLanguage
    self.locale = locale
    self.app = app
    self.date = date
    self.clipboard = clipboard
    self.variables = variables
  }
}
