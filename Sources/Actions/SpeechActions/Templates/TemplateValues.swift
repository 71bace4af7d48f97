import Foundation

/// The values of a template's variables.
///
/// The input of a run takes precedence over the action's own variables.
package struct TemplateValues: Sendable, Hashable {
  private var ofInput: [String: String]
  private let ofAction: [String: String]

  /// Creates values from an input and an action's variables.
  ///
  /// - Parameters:
  ///   - input: The input of the run.
  ///   - variables: The action's own variables.
  ///   - timeZone: The time zone for the current date.
  package init(
    _ input: ActionInput, variables: [String: String] = [:], timeZone: TimeZone = .current
  ) {
    ofInput = input.variables
    ofInput["text"] = input.text
    for (name, value) in [
      ("source_language", input.sourceLanguage), ("target_language", input.targetLanguage),
      ("locale", input.locale), ("app", input.app), ("clipboard", input.clipboard),
    ] {
      if let value { ofInput[name] = value }
    }
    ofInput["date"] = ofInput["date"] ?? Self.day(of: input.date, in: timeZone)
    ofAction = variables
  }

  /// The names that have a value.
  var names: [String] { Set(ofInput.keys).union(ofAction.keys).sorted() }

  func value(of name: String) -> (value: String, origin: TemplatePreview.Origin)? {
    if let value = ofInput[name] { return (value, .input) }
    return ofAction[name].map { ($0, .action) }
  }

  /// The date in ISO 8601 format.
  private static func day(of date: Date, in timeZone: TimeZone) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
  }
}
