import Foundation
import SpeechConcurrency

/// The input of a run: a text and its context.
///
/// ```swift
/// let input = ActionInput("Guten Tag", sourceLanguage: "German", targetLanguage: "English")
/// ```
public struct ActionInput: Sendable, Hashable {
  /// The text that the action works on.
  public var text: String
  /// The language of the text, if known.
  public var sourceLanguage: String?
  /// The language of the answer; the action's default if `nil`.
  public var targetLanguage: String?
  /// The user's locale, like `de_DE`.
  public var locale: String
  /// The program that the text comes from.
  public var app: String?
  /// The date that templates show.
  public var date: Date
  /// The content of the clipboard, for templates that use it.
  public var clipboard: String?
  /// Values of the template's own variables.
  public var variables: [String: String]

  /// Creates an input from a text and its context.
  ///
  /// - Parameter date: The date that templates show; the current one if `nil`.
  public init(
    _ text: String, sourceLanguage: String? = nil, targetLanguage: String? = nil,
    locale: String = Locale.current.identifier, app: String? = nil, date: Date? = nil,
    clipboard: String? = nil, variables: [String: String] = [:]
  ) {
    self.text = text
    self.sourceLanguage = sourceLanguage
    self.targetLanguage = targetLanguage
    self.locale = locale
    self.app = app
    // A responder that runs an action reads no clock itself.
    self.date = date ?? HandlerCall.suspended { Date() }
    self.clipboard = clipboard
    self.variables = variables
  }
}
