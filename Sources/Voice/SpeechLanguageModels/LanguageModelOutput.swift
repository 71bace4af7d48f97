import Foundation
import SpeechFiles

/// A file of a language model that is written in parts and replaces the old one when it is whole.
final class LanguageModelOutput {
  private let path: String
  private var replacement: FileReplacement

  init(_ url: URL) throws(LanguageModelError) {
    path = url.path
    replacement = try Self.writing(url.path) { () throws(SystemFailure) in
      try FileReplacement(url.path, mode: 0o666, isExact: false)
    }
  }

  func write(_ text: String) throws(LanguageModelError) { try write(Data(text.utf8)) }

  func write(_ data: Data) throws(LanguageModelError) {
    try Self.writing(path) { () throws(SystemFailure) in try replacement.write(data) }
  }

  func finish() throws(LanguageModelError) {
    try Self.writing(path) { () throws(SystemFailure) in try replacement.commit() }
  }

  private static func writing<Result: ~Copyable>(
    _ path: String, _ body: () throws(SystemFailure) -> Result
  ) throws(LanguageModelError) -> Result {
    do throws(SystemFailure) {
      return try body()
    } catch {
      throw LanguageModelError(.unwritable, path: path, reason: "it cannot be written: \(error).")
    }
  }
}
