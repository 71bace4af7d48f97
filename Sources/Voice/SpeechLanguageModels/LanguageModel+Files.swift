import Foundation

extension LanguageModel {
  /// The model in a file: an ARPA file or one in PocketSphinx's binary form, whatever its name.
  ///
  /// - Throws: `LanguageModelError` if it cannot be read or is broken, with the line of an ARPA file.
  public init(contentsOf url: URL) throws(LanguageModelError) {
    let data: Data
    do {
      data = try Data(contentsOf: url)
    } catch {
      throw LanguageModelError(
        .unreadable, path: url.path,
        reason: "it cannot be read: \(error.localizedDescription)")
    }
    try self.init(data, path: url.path)
  }

  /// The model in the data of such a file.
  ///
  /// - Throws: `LanguageModelError` if it is broken, with the line of an ARPA file.
  package init(_ data: Data, path: String? = nil) throws(LanguageModelError) {
    self =
      BinaryModelReader.isBinary(data)
      ? try BinaryModelReader.model(data, path: path) : try ARPAReader.model(data, path: path)
  }

  /// Writes it: in PocketSphinx's binary form if the name ends in `.bin`, otherwise as an ARPA file. A file that
  /// is there is replaced when the new one is whole.
  ///
  /// The binary form tells 65,536 likelihoods of each length apart; where there are more, the nearest is taken.
  /// - Throws: `LanguageModelError` if it cannot be written or is too large for the binary form.
  public func write(to url: URL) throws(LanguageModelError) {
    if url.pathExtension == "bin" {
      try BinaryModelWriter(model: self).write(to: url)
    } else {
      try ARPAWriter(model: self).write(to: url)
    }
  }
}
