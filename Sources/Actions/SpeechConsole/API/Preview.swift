import Foundation
import SpeechActions

/// Rendered templates for the editor.
struct Preview: Encodable, Sendable {
  struct Query: Decodable, Sendable {
    var prompt: String
    var system: String
    var variables: [String: String]
    var text: String
    var sourceLanguage: String?
    var targetLanguage: String?
  }

  struct Filled: Encodable, Sendable {
    var pieces: [TemplatePreview.Piece] = []
    var faults: [APIError.Diagnostic] = []

    init(_ source: String, with values: TemplateValues) {
      do throws(ActionError) {
        let preview = try PromptTemplate(source).preview(with: values)
        pieces = preview.pieces
        faults = preview.diagnostics.map {
          APIError.Diagnostic(line: $0.line, column: $0.column, message: $0.message)
        }
      } catch {
        faults = APIError(error).faults
      }
    }
  }

  var prompt: Filled
  var system: Filled
  /// The note that the text is appended to the prompt; `nil` if a template contains it.
  var note: String?

  init(_ query: Query) {
    let input = ActionInput(
      query.text, sourceLanguage: query.sourceLanguage, targetLanguage: query.targetLanguage)
    let values = TemplateValues(input, variables: query.variables)
    let templates = try? ActionTemplates(prompt: query.prompt, system: query.system)
    prompt = Filled(templates?.prompt.source ?? query.prompt, with: values)
    system = Filled(query.system, with: values)
    note = templates?.appendsText == true ? ActionTemplates.appendingNote : nil
  }
}
