import Foundation
import SpeechActions

extension ConsoleAPI {
  struct FileView: Encodable {
    /// The text in the editor. For a file that does not exist it is that of the default
    /// configuration.
    var text: String
    /// The text of the file, which the page sends back with a change.
    var base: String
    var faults: [APIError.Diagnostic]
  }

  struct FileText: Decodable {
    var text: String
  }

  struct FileChange: Decodable {
    var base: String
    var text: String
  }

  static let exportName = "speechkit-actions.toml"

  func file() async throws -> FileView {
    let base = try await services.configuration.text()
    let text = try base.isEmpty ? ConfigurationText.text(of: ActionConfiguration()) : base
    return FileView(text: text, base: base, faults: Self.faults(in: text))
  }

  func check(_ file: FileText) -> ConsoleResponse {
    .json(["faults": Self.faults(in: file.text)])
  }

  func save(_ change: FileChange) async throws -> ConsoleResponse {
    let saved = try await services.configuration.replaceText(
      change.text, inPlaceOf: change.base)
    return .json(try await view(of: saved))
  }

  /// Exports the file, which contains no keys.
  func export() async throws -> ConsoleResponse {
    var response = ConsoleResponse(
      200, type: "application/toml; charset=utf-8", Data(try await file().text.utf8))
    response.headers.append(
      ("Content-Disposition", "attachment; filename=\"\(Self.exportName)\""))
    return response
  }

  private static func faults(in text: String) -> [APIError.Diagnostic] {
    do {
      _ = try ConfigurationText.configuration(in: text)
      return []
    } catch {
      return APIError(error).faults
    }
  }
}
