import Foundation
import SpeechFiles

/// A file of a language model that is written in parts and replaces the old one when it is whole.
final class LanguageModelOutput {
  private let path: String
  private var replacement: FileReplacement

  init(_ url: URL) throws(LanguageModelError) {
    path = url.path
    do throws(SystemFailure) {
      replacement = try FileReplacement(url.path, mode: 0o666, isExact: false)
    } catch {
      throw Self.error(error, url.path)
    }
  }

  func write(_ text: String) throws(LanguageModelError) { try write(Data(text.utf8)) }

  func write(_ data: Data) throws(LanguageModelError) {
    do throws(SystemFailure) {
      try replacement.write(data)
    } catch {
      throw Self.error(error, path)
    }
  }

  func finish() throws(LanguageModelError) {
    do throws(SystemFailure) {
      try replacement.commit()
    } catch {
      throw Self.error(error, path)
    }
  }

  private static func error(_ failure: SystemFailure, _ path: String) -> LanguageModelError {
    LanguageModelError(.unwritable, path: path, reason: "it cannot be written: \(failure).")
  }
}
