import Foundation

extension LanguageModel {
  /// Reads a model from an ARPA file or one in PocketSphinx's binary form, whatever its name.
  ///
  /// - Throws: `LanguageModelError` if it cannot be read or is broken, with the line of an ARPA
  ///   file.
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

  /// Reads a model from the data of such a file.
  ///
  /// - Throws: `LanguageModelError` if it is broken, with the line of an ARPA file.
  package init(_ data: Data, path: String? = nil) throws(LanguageModelError) {
    self =
      BinaryModelReader.isBinary(data)
      ? try BinaryModelReader.model(data, path: path) : try ARPAReader.model(data, path: path)
  }

  /// Writes the model, in PocketSphinx's binary form if the name ends in `.bin`, otherwise as an
  /// ARPA file. An existing file is replaced once the new one is whole.
  ///
  /// The binary form distinguishes 65,536 probabilities of each length; others are rounded to the
  /// nearest.
  /// - Throws: `LanguageModelError` if it cannot be written or is too large for the binary form.
  public func write(to url: URL) throws(LanguageModelError) {
    if url.pathExtension == "bin" {
      try BinaryModelWriter(model: self).write(to: url)
    } else {
      try ARPAWriter(model: self).write(to: url)
    }
  }
}
