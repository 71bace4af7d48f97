import Foundation
import SpeechCore

/// A pronunciation dictionary on disk: lines of a word and its phones.
///
/// The library accepts any file as a dictionary, drops every line that it does not understand, and
/// continues without a single word. Its first words are therefore read here, to look them up
/// afterwards.
struct PronunciationDictionary {
  let url: URL
  /// A word that the library has to know once it has read the file.
  let probe: String

  init(_ url: URL, phones: Set<String>) throws(SpeechRecognitionError) {
    self.url = url
    func broken(_ reason: String) -> SpeechRecognitionError {
      .recognitionFailed(
        "The dictionary “\(url.path)” cannot be used: \(reason). Its lines have to be a word and "
          + "its phones, such as “hello HH AH L OW”.")
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder),
      !isFolder.boolValue
    else { throw broken("there is no such file") }
    guard let file = try? FileHandle(forReadingFrom: url),
      let start = try? file.read(upToCount: 65_536), !start.isEmpty
    else { throw broken("it is empty or cannot be read") }
    try? file.close()
    guard !start.contains(0) else { throw broken("it is not text") }

    var lines = String(decoding: start, as: UTF8.self).split(separator: "\n")
    if start.count == 65_536 { lines = lines.dropLast() }  // cut in the middle
    var understood: [Substring] = []
    var total = 0
    for line in lines where !line.hasPrefix("##") && !line.hasPrefix(";;") {
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard !fields.isEmpty else { continue }
      total += 1
      if fields.count >= 2, fields.dropFirst().allSatisfy({ phones.contains(String($0)) }) {
        understood.append(fields[0])
      }
    }
    guard let first = understood.first else {
      throw broken("none of its first lines has phones of this model")
    }
    guard understood.count * 2 > total else {
      throw broken("most of its first \(total) lines have no phones of this model")
    }
    probe = String(first)
  }
}
