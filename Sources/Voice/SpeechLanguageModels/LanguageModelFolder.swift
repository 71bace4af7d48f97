import Foundation

/// A folder with a language model and the dictionary of its words, as `LanguageModelPlan` writes it.
///
/// ```swift
/// var configuration = PocketSphinxConfiguration()
/// configuration.use(try LanguageModelFolder(URL(filePath: "home-model")))
/// ```
public struct LanguageModelFolder: Sendable, Hashable {
  /// The folder.
  public let url: URL
  /// The model in PocketSphinx's binary form.
  public var languageModel: URL { url.appendingPathComponent("model.lm.bin") }
  /// The same as text, for other programs.
  package var text: URL { url.appendingPathComponent("model.lm") }
  /// How the model's words are said.
  public var dictionary: URL { url.appendingPathComponent("model.dict") }

  /// The folder of that name.
  ///
  /// - Throws: `LanguageModelError` if it has no language model and dictionary.
  public init(_ url: URL) throws(LanguageModelError) {
    self.init(checked: url)
    for file in [languageModel, dictionary]
    where !FileManager.default.isReadableFile(atPath: file.path) {
      throw LanguageModelError(
        .unreadable, path: url.path,
        reason: "it has no file “\(file.lastPathComponent)”. Make one with `speechkit model build`."
      )
    }
  }

  private init(checked url: URL) { self.url = url }

  /// Writes a model and its dictionary.
  ///
  /// - Parameter pronunciations: of each word the phones of its pronunciations, the likeliest first.
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
        .unwritable, path: url.path, reason: "it cannot be made: \(error.localizedDescription)")
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
