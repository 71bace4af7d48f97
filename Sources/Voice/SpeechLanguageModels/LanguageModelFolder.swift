import Foundation
import SpeechFiles

/// A folder with a language model and the dictionary of its words, as written by
/// `LanguageModelPlan`.
///
/// Its `manifest.json` has the length and a checksum of each file, so that files of different
/// models are noticed.
///
/// ```swift
/// var configuration = PocketSphinxConfiguration()
/// configuration.use(try LanguageModelFolder(URL(filePath: "home-model")))
/// ```
public struct LanguageModelFolder: Sendable, Hashable {
  /// The location of the folder.
  public let url: URL
  /// The model in PocketSphinx's binary form.
  public var languageModel: URL { url.appendingPathComponent("model.lm.bin") }
  /// The model as text, for other programs.
  package var text: URL { url.appendingPathComponent("model.lm") }
  /// The pronunciations of the model's words.
  public var dictionary: URL { url.appendingPathComponent("model.dict") }

  /// Opens an existing folder.
  ///
  /// - Throws: `LanguageModelError` if it has no language model and dictionary, or these do not
  ///   belong together.
  public init(_ url: URL) throws(LanguageModelError) {
    self.init(checked: url)
    let manifest = try Self.belonging(url) { () throws(FileSet.Mismatch) in
      try FileSet.manifest(of: url.path)
    }
    for file in [languageModel, dictionary]
    where !FileManager.default.isReadableFile(atPath: file.path) {
      throw LanguageModelError(
        .unreadable, path: url.path,
        reason:
          "it has no file “\(file.lastPathComponent)”. Create one with `speechkit model build`."
      )
    }
    try Self.belonging(url) { () throws(FileSet.Mismatch) in try manifest?.check(in: url.path) }
  }

  private init(checked url: URL) { self.url = url }

  private static func belonging<Result>(
    _ url: URL, _ body: () throws(FileSet.Mismatch) -> Result
  ) throws(LanguageModelError) -> Result {
    do throws(FileSet.Mismatch) {
      return try body()
    } catch {
      throw LanguageModelError(
        path: url.path,
        reason: "“\(error.file)” does not belong to the other files of the model, or is damaged. "
          + "Build the model again with `speechkit model build`.")
    }
  }

  /// Writes a model and its dictionary. A model in the folder is replaced as a whole, even if the
  /// program is killed.
  ///
  /// - Parameter pronunciations: the pronunciations of each word, as phones, the likeliest first.
  /// - Throws: `LanguageModelError` if it cannot be written.
  @discardableResult
  package static func write(
    _ model: LanguageModel, pronunciations: [String: [[String]]], to url: URL
  ) throws(LanguageModelError) -> LanguageModelFolder {
    var replacement = try unlessRefused(url) { () throws(SystemFailure) in
      try FileSetReplacement(url.path)
    }
    let draft = LanguageModelFolder(checked: URL(filePath: replacement.draft))
    try model.write(to: draft.languageModel)
    try model.write(to: draft.text)
    let output = try LanguageModelOutput(draft.dictionary)
    var text = ""
    for word in model.spokenWords.sorted() {
      for (index, phones) in (pronunciations[word] ?? []).enumerated() {
        let name = index == 0 ? word : "\(word)(\(index + 1))"
        text += "\(name) \(phones.joined(separator: " "))\n"
      }
    }
    try output.write(text)
    try output.finish()
    try unlessRefused(url) { () throws(SystemFailure) in try replacement.commit() }
    return LanguageModelFolder(checked: url)
  }

  private static func unlessRefused<Result: ~Copyable>(
    _ url: URL, _ body: () throws(SystemFailure) -> Result
  ) throws(LanguageModelError) -> Result {
    do throws(SystemFailure) {
      return try body()
    } catch {
      throw LanguageModelError(
        .unwritable, path: url.path, reason: "it cannot be written: \(error).")
    }
  }
}
