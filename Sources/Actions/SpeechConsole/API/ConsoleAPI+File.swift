import Foundation
import SpeechActions

extension ConsoleAPI {
  /// The file as it is edited.
  struct FileView: Encodable {
    /// What is shown; of a file that is not there yet, what it would say.
    var text: String
    /// What is in the file; to be sent back with a change.
    var base: String
    var faults: [APIError.Fault]
  }

  struct FileText: Decodable {
    var text: String
  }

  struct FileChange: Decodable {
    var base: String
    var text: String
  }

  struct FileFaults: Encodable {
    var faults: [APIError.Fault]
  }

  /// The name under which the file is handed out.
  static let exportName = "speechkit-actions.toml"

  func file() async throws -> FileView {
    let base = try await services.configuration.text()
    let text = try base.isEmpty ? ConfigurationText.text(of: ActionConfiguration()) : base
    return FileView(text: text, base: base, faults: Self.faults(in: text))
  }

  func check(_ file: FileText) -> ConsoleResponse {
    .json(FileFaults(faults: Self.faults(in: file.text)))
  }

  func save(_ change: FileChange) async throws -> ConsoleResponse {
    let saved = try await services.configuration.replaceText(
      change.text, inPlaceOf: change.base)
    return .json(try await view(of: saved))
  }

  /// The file, to be kept or given to others. It holds no keys.
  func export() async throws -> ConsoleResponse {
    var response = ConsoleResponse(
      200, type: "application/toml; charset=utf-8", Data(try await file().text.utf8))
    response.headers.append(
      ("Content-Disposition", "attachment; filename=\"\(Self.exportName)\""))
    return response
  }

  private static func faults(in text: String) -> [APIError.Fault] {
    do {
      _ = try ConfigurationText.configuration(in: text)
      return []
    } catch {
      return APIError(error).faults
    }
  }
}
