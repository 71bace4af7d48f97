import SpeechText

/// A text with gaps that are filled in when an action is run.
///
/// - `{{name}}` is the value of a variable, `{{name|words}}` the words where it has none or an empty one.
/// - `{{#if name}}…{{else}}…{{/if}}` is the first part where the variable has a value that is not empty,
///   otherwise the second, which may be left out. Conditions may stand within conditions.
/// - `\{{` is two braces, `\\{{` a backslash before a gap; within words after `|`, `\}` is a brace and `\\` a
///   backslash.
///
/// What a variable brings in is text and is never read as a template.
///
/// ```swift
/// let template = try PromptTemplate("Translate into {{target_language|English}}:\n{{text}}")
/// let prompt = try template.rendered(with: TemplateValues(ActionInput("Guten Tag")))
/// ```
package struct PromptTemplate: Sendable, Hashable {
  indirect enum Node: Sendable, Hashable {
    case text(String)
    case gap(name: String, otherwise: String?, at: TextPosition)
    case condition(name: String, at: TextPosition, met: [Node], unmet: [Node])
  }

  /// The variables that every run knows of.
  package static let knownVariables = [
    "text", "source_language", "target_language", "locale", "app", "date", "clipboard",
  ]

  /// How deep conditions may stand within conditions.
  static let deepest = 32
  /// The most bytes of a template.
  static let longest = 256 << 10

  /// The template as it was written.
  package let source: String
  let nodes: [Node]

  /// Reads a template.
  ///
  /// - Throws: `ActionError.template` with every fault of its form.
  package init(_ source: String) throws(ActionError) {
    var reader = TemplateReader(source)
    let nodes = reader.read()
    guard reader.diagnostics.isEmpty else {
      throw .template(reader.diagnostics.sorted { $0.place < $1.place })
    }
    self.source = source
    self.nodes = nodes
  }

  /// The names of all variables that it asks for.
  package var variables: Set<String> {
    var names: Set<String> = []
    Self.visit(nodes) { name, _ in names.insert(name) }
    return names
  }

  /// The variables that are neither known nor among the given ones, with what may have been meant.
  ///
  /// - Parameter defined: names of variables of the template's own.
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

  /// The text with all gaps filled in.
  ///
  /// - Throws: `ActionError.template` naming unknown variables, and those without a value.
  package func rendered(with values: TemplateValues) throws(ActionError) -> String {
    let preview = preview(with: values)
    guard preview.diagnostics.isEmpty else { throw .template(preview.diagnostics) }
    return preview.text
  }

  /// How the gaps are filled in, piece by piece, whatever is wrong.
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
              message: "The variable “\(name)” has no value here. Give it one, or write "
                + "{{\(name)|words}} with the words to use then."))
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
