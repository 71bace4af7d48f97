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

  init(_ query: Query) {
    let input = ActionInput(
      query.text, sourceLanguage: query.sourceLanguage, targetLanguage: query.targetLanguage)
    let values = TemplateValues(input, variables: query.variables)
    prompt = Filled(query.prompt, with: values)
    system = Filled(query.system, with: values)
  }
}
