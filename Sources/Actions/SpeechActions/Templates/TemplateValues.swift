import Foundation

/// The values of a template's variables.
///
/// The input of a run takes precedence over the action's own variables.
package struct TemplateValues: Sendable, Hashable {
  private var ofInput: [String: String]
  private let ofAction: [String: String]

  /// - Parameter variables: The action's own variables.
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
    let day = Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day()
    ofInput["date"] = ofInput["date"] ?? input.date.formatted(day)
    ofAction = variables
  }

  var names: [String] { Set(ofInput.keys).union(ofAction.keys).sorted() }

  func value(of name: String) -> (value: String, origin: TemplatePreview.Origin)? {
    if let value = ofInput[name] { return (value, .input) }
    return ofAction[name].map { ($0, .action) }
  }
}
