import SpeechText

/// A text with placeholders that are filled in for each run.
///
/// - `{{name}}` is the value of a variable. `{{name|words}}` uses the words if there is no value,
///   or an empty one.
/// - `{{#if name}}…{{else}}…{{/if}}` is the first part if the variable has a value that is not
///   empty, and the second part otherwise. The second part is optional. Conditions can be nested.
/// - `\{{` is two braces, and `\\{{` a backslash before a placeholder. In words after `|`, `\}` is
///   a brace and `\\` a backslash.
///
/// The value of a variable is never read as a template.
package struct PromptTemplate: Sendable, Hashable {
  indirect enum Node: Sendable, Hashable {
    case text(String)
    case gap(name: String, otherwise: String?, at: TextPosition)
    case condition(name: String, at: TextPosition, met: [Node], unmet: [Node])
  }

  /// The variables that every run defines.
  package static let knownVariables = [
    "text", "source_language", "target_language", "locale", "app", "date", "clipboard",
  ]

  static let maximumDepth = 32
  /// The maximum size of a template in bytes.
  static let longest = 256 << 10

  package let source: String
  let nodes: [Node]

  /// - Throws: `ActionError.template` with all syntax errors.
  package init(_ source: String) throws(ActionError) {
    var reader = TemplateReader(source)
    let nodes = reader.read()
    guard reader.diagnostics.isEmpty else {
      throw .template(reader.diagnostics.sorted { $0.place < $1.place })
    }
    self.source = source
    self.nodes = nodes
  }

  package var variables: Set<String> {
    var names: Set<String> = []
    Self.visit(nodes) { name, _ in names.insert(name) }
    return names
  }

  /// True if the value of the variable is inserted somewhere.
  func contains(_ variable: String) -> Bool { Self.contains(variable, nodes) }

  private static func contains(_ variable: String, _ nodes: [Node]) -> Bool {
    nodes.contains { node in
      switch node {
      case .text: false
      case .gap(let name, _, _): name == variable
      case .condition(_, _, let met, let unmet):
        contains(variable, met) || contains(variable, unmet)
      }
    }
  }

  /// Returns errors for variables that are not defined, with the nearest names.
  ///
  /// - Parameter defined: The names of the template's own variables.
  package func unknownVariables(defined: some Sequence<String>) -> [TemplateDiagnostic] {
    let known = Set(Self.knownVariables).union(defined)
    let names = known.sorted()
    var diagnostics: [TemplateDiagnostic] = []
    Self.visit(nodes) { name, place in
      guard !known.contains(name) else { return }
      diagnostics.append(
        TemplateDiagnostic(
          line: place.line, column: place.column,
          message: "There is no variable “\(name)”."
            + NearestName.advice(on: name, among: names)))
    }
    return diagnostics
  }

  /// Returns the text with all placeholders filled in.
  ///
  /// - Throws: `ActionError.template` for unknown variables, and for those without a value.
  package func rendered(with values: TemplateValues) throws(ActionError) -> String {
    let preview = preview(with: values)
    guard preview.diagnostics.isEmpty else { throw .template(preview.diagnostics) }
    return preview.text
  }

  /// Returns the text in pieces with the origins of their values, whatever errors there are.
  package func preview(with values: TemplateValues) -> TemplatePreview {
    var preview = TemplatePreview()
    preview.diagnostics = unknownVariables(defined: values.names)
    let unknown = Set(preview.diagnostics.map(\.place))
    fill(nodes, values, unknown, &preview)
    preview.diagnostics.sort { $0.place < $1.place }
    return preview
  }

  private func fill(
    _ nodes: [Node], _ values: TemplateValues, _ unknown: Set<TextPosition>,
    _ preview: inout TemplatePreview
  ) {
    for node in nodes {
      switch node {
      case .text(let text):
        preview.pieces.append(TemplatePreview.Piece(text: text))
      case .gap(let name, let otherwise, let place):
        let found = values.value(of: name)
        let isEmpty = found?.value.isEmpty ?? true
        if let otherwise, isEmpty {
          preview.pieces.append(
            .init(text: otherwise, variable: name, origin: .words, place: place))
        } else if let found {
          preview.pieces.append(
            .init(text: found.value, variable: name, origin: found.origin, place: place))
        } else {
          preview.pieces.append(.init(text: "", variable: name, origin: .missing, place: place))
          guard !unknown.contains(place) else { continue }
          preview.diagnostics.append(
            TemplateDiagnostic(
              line: place.line, column: place.column,
              message: "The variable “\(name)” has no value. Set one, or write "
                + "{{\(name)|words}} with default words."))
        }
      case .condition(let name, let place, let met, let unmet):
        let isMet = values.value(of: name).map { !$0.value.isEmpty } ?? false
        preview.conditions.append(.init(variable: name, isMet: isMet, place: place))
        fill(isMet ? met : unmet, values, unknown, &preview)
      }
    }
  }

  private static func visit(_ nodes: [Node], _ body: (String, TextPosition) -> Void) {
    for node in nodes {
      switch node {
      case .text: break
      case .gap(let name, _, let place): body(name, place)
      case .condition(let name, let place, let met, let unmet):
        body(name, place)
        visit(met, body)
        visit(unmet, body)
      }
    }
  }
}
