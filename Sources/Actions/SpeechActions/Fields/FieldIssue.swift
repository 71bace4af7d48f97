import AIServices
import Foundation
import SpeechText

/// An error in a value that concerns more than the type and the limits of one field.
package struct FieldIssue: Sendable {
  var key: String
  /// The name within a field that is a table; `nil` for the field as such.
  var name: String?
  /// The position within a text of several lines; `nil` for the text as such.
  var position: TextPosition?
  var message: String
}

extension FieldTable {
  /// The first error in the settings, with the title of its field; `nil` for none.
  package var firstIssue: String? {
    issues.first.map { "\(Self.field($0.key)?.title ?? $0.key): \($0.message)" }
  }
}

extension Connector {
  package var issues: [FieldIssue] {
    var issues = addressErrors.map { FieldIssue(key: "url", message: $0) }
    if baseURL.isEmpty, kind.name == .azure {
      issues.append(
        FieldIssue(
          key: "kind",
          message: "An Azure connector needs an address: url = \"https://….openai.azure.com\"."))
    }
    if let credential, Self.looksSecret(credential) {
      issues.append(
        FieldIssue(
          key: "credential",
          message:
            "This looks like a key. Store it with `speechkit credentials set`, and enter the name "
            + "that it is stored under."))
    }
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      guard let message = Self.issue(ofHeader: name, value) else { continue }
      issues.append(FieldIssue(key: "headers", name: name, message: message))
    }
    if kind == .llmSocket, topP != nil {
      issues.append(
        FieldIssue(key: "top-p", message: "The LLM socket does not support top-p. Remove it."))
    }
    return issues
  }

  private var addressErrors: [String] {
    guard !baseURL.isEmpty else { return [] }
    let parts = URLComponents(string: baseURL)
    let schemes = kind == .llmSocket ? ["ws", "wss", "http", "https"] : ["http", "https"]
    guard let parts, let scheme = parts.scheme?.lowercased(), schemes.contains(scheme),
      parts.host?.isEmpty == false
    else { return ["“\(baseURL)” is not a valid address. Use for example https://host/v1."] }
    var errors: [String] = []
    if parts.user != nil || parts.password != nil || parts.fragment != nil {
      errors.append(
        "The address must not contain a user, a password or a fragment. Store keys in the "
          + "credential store.")
    }
    if kind == .onDevice, URL(string: baseURL)?.isLoopback != true {
      errors.append(
        "An on-device connector must be on this machine. Use 127.0.0.1, ::1 or localhost.")
    }
    return errors
  }

  private static func issue(ofHeader name: String, _ value: String) -> String? {
    let secrets = [
      "authorization", "proxy-authorization", "cookie", "api-key", "x-api-key", "xi-api-key",
      "x-goog-api-key",
    ]
    if secrets.contains(name.lowercased()) || looksSecret(value) {
      return
        "Keys do not belong in the configuration. Store the key with `speechkit credentials set`, "
        + "and enter its name as the connector's credential."
    }
    let isName = name.utf8.allSatisfy(HTTPHeaders.isTokenCharacter) && !name.isEmpty
    let isValue = value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    return isName && isValue ? nil : "This is not a valid header field. Use plain ASCII characters."
  }

  /// True for a text that looks like a key.
  private static func looksSecret(_ text: String) -> Bool {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return ["sk-", "sk_", "Bearer ", "Basic ", "xox", "ghp_", "AIza"].contains(
      where: text.hasPrefix)
      && text.count >= 16 || text.count > 100
  }
}

extension TextAction {
  package var issues: [FieldIssue] {
    let names = variables.keys.sorted()
    return names.filter { !TemplateReader.isName($0) }.map { name in
      FieldIssue(
        key: "variables", name: name,
        message: "A variable name consists of letters, digits, - and _, and begins with a letter.")
    } + issues(ofTemplate: prompt, "prompt") + issues(ofTemplate: system, "system")
  }

  private func issues(ofTemplate source: String, _ key: String) -> [FieldIssue] {
    var found: [TemplateDiagnostic] = []
    do throws(ActionError) {
      // A run may define other variables, but misspelt ones could not be distinguished from them.
      found = try PromptTemplate(source).unknownVariables(defined: variables.keys.sorted())
    } catch {
      if case .template(let diagnostics) = error { found = diagnostics }
    }
    return found.map { FieldIssue(key: key, position: $0.place, message: $0.message) }
  }
}
