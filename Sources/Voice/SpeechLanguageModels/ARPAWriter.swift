import Foundation

/// Writes a model as an ARPA file: text with a line for each chain, logarithms to base ten, the decimal point
/// whatever the locale says.
struct ARPAWriter {
  let model: LanguageModel

  func write(to url: URL) throws(LanguageModelError) {
    let output = try FileOutput(url)
    var text = "\\data\\\n"
    for (index, count) in model.counts.enumerated() { text += "ngram \(index + 1)=\(count)\n" }
    for (index, level) in model.levels.enumerated() {
      text += "\n\\\(index + 1)-grams:\n"
      for place in level.keys.indices {
        text += Self.number(level.logProbabilities[place]) + "\t"
        let words = level.keys[place].words(index + 1)
        for (position, word) in words.enumerated() {
          if position > 0 { text += " " }
          text += model.words[Int(word)]
        }
        if index + 1 < model.order { text += "\t" + Self.number(level.backOffs[place]) }
        text += "\n"
        if text.utf8.count > 1 << 18 {
          try output.write(text)
          text = ""
        }
      }
    }
    try output.write(text + "\n\\end\\\n")
    try output.finish()
  }

  /// Seven digits, as all that reads such files takes them.
  static func number(_ value: Float) -> String {
    if value <= NGramLevel.never { return "-99" }
    if value == 0 { return "0" }
    // Swift would write small ones with an exponent, which not everything reads.
    return abs(value) < 1e-4 ? String(format: "%.8f", value) : value.description
  }
}

/// A file that is written piece by piece beside its place, and moved there when it is whole.
final class FileOutput {
  private let url: URL
  private let temporary: URL
  private let handle: FileHandle
  private var isFinished = false

  init(_ url: URL) throws(LanguageModelError) {
    self.url = url
    temporary = url.deletingLastPathComponent().appendingPathComponent(
      ".\(url.lastPathComponent).\(UUID().uuidString)")
    let descriptor = open(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw Self.failed(url, String(cString: strerror(errno)))
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  deinit { if !isFinished { try? FileManager.default.removeItem(at: temporary) } }

  private static func failed(_ url: URL, _ reason: String) -> LanguageModelError {
    LanguageModelError(.unwritable, path: url.path, reason: "it cannot be written: \(reason).")
  }

  func write(_ text: String) throws(LanguageModelError) { try write(Data(text.utf8)) }

  func write(_ data: Data) throws(LanguageModelError) {
    do {
      try handle.write(contentsOf: data)
    } catch {
      throw Self.failed(url, error.localizedDescription)
    }
  }

  func finish() throws(LanguageModelError) {
    do { try handle.close() } catch { throw Self.failed(url, error.localizedDescription) }
    guard rename(temporary.path, url.path) == 0 else {
      throw Self.failed(url, String(cString: strerror(errno)))
    }
    isFinished = true
  }
}
