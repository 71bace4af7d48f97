import Foundation

/// A folder with a language model and the dictionary of its words, as written by
/// `LanguageModelPlan`.
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
  /// - Throws: `LanguageModelError` if it has no language model and dictionary.
  public init(_ url: URL) throws(LanguageModelError) {
    self.init(checked: url)
    for file in [languageModel, dictionary]
    where !FileManager.default.isReadableFile(atPath: file.path) {
      throw LanguageModelError(
        .unreadable, path: url.path,
        reason:
          "it has no file “\(file.lastPathComponent)”. Create one with `speechkit model build`."
      )
    }
  }

  private init(checked url: URL) { self.url = url }

  /// Writes a model and its dictionary.
  ///
  /// - Parameter pronunciations: the pronunciations of each word, as phones, the likeliest first.
  /// - Throws: `LanguageModelError` if it cannot be written.
  @discardableResult
  package static func write(
    _ model: LanguageModel, pronunciations: [String: [[String]]], to url: URL
  ) throws(LanguageModelError) -> LanguageModelFolder {
    let folder = LanguageModelFolder(checked: url)
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw LanguageModelError(
        .unwritable, path: url.path, reason: "it cannot be created: \(error.localizedDescription)")
    }
    try model.write(to: folder.languageModel)
    try model.write(to: folder.text)
    let output = try LanguageModelOutput(folder.dictionary)
    var text = ""
    for word in model.spokenWords.sorted() {
      for (index, phones) in (pronunciations[word] ?? []).enumerated() {
        let name = index == 0 ? word : "\(word)(\(index + 1))"
        text += "\(name) \(phones.joined(separator: " "))\n"
      }
    }
    try output.write(text)
    try output.finish()
    return folder
  }
}
