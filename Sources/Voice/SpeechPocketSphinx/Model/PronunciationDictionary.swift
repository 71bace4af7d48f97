import CPhoneScores
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
  private let phones: Set<String>

  init(_ url: URL, phones: Set<String>) throws(SpeechRecognitionError) {
    self.url = url
    self.phones = phones
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

// MARK: - Some of the words

extension PronunciationDictionary {
  /// A line as the library would read it.
  struct Entry: Equatable {
    /// The word, with the number of a further pronunciation, as in “read(2)”.
    var name: String
    var phones: [String]
  }

  /// The entries of these words, in the order of the file, without those that the library drops.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the file cannot be read.
  func entries(of words: Set<String>) throws(SpeechRecognitionError) -> [Entry] {
    guard !words.isEmpty else { return [] }
    var marked = [UInt8](repeating: 0, count: 65_536)
    for word in words {
      let letters = word.utf8.map { CChar(bitPattern: $0) }
      marked[Int(skph_word_hash(letters, letters.count))] = 1
    }
    let lines: [String]
    do {
      // Mapped, so that its three megabytes are not memory of the process for longer than this.
      lines = Self.lines(of: try Data(contentsOf: url, options: .alwaysMapped), marked)
    } catch {
      throw .recognitionFailed(
        "The dictionary “\(url.path)” cannot be read: \(error.localizedDescription)")
    }
    var names: Set<String> = []
    return lines.compactMap { line in
      let fields = line.split(whereSeparator: \.isWhitespace).map(String.init)
      guard fields.count >= 2, let name = fields.first else { return nil }
      let word = Self.word(of: name)
      // A further pronunciation without a first one is no word of the library.
      guard words.contains(word), word == name || names.contains(word),
        fields.dropFirst().allSatisfy(phones.contains), names.insert(name).inserted
      else { return nil }
      return Entry(name: name, phones: Array(fields.dropFirst()))
    }
  }

  /// The pronunciations of a word; empty if it is missing.
  func pronunciations(of word: String) -> [[String]] {
    ((try? entries(of: [word])) ?? []).map(\.phones)
  }

  /// The word without the number of a further pronunciation.
  private static func word(of name: String) -> String {
    guard name.hasSuffix(")"), let open = name.lastIndex(of: "("), open > name.startIndex else {
      return name
    }
    return String(name[..<open])
  }

  private static func lines(of text: Data, _ marked: [UInt8]) -> [String] {
    text.withUnsafeBytes { bytes in
      let characters = bytes.bindMemory(to: CChar.self)
      var lines: [String] = []
      var (offset, length) = (0, 0)
      while true {
        offset = skph_find_line(
          characters.baseAddress, characters.count, offset, marked, &length)
        guard offset < characters.count else { return lines }
        let line = String(decoding: bytes[offset..<offset + length], as: UTF8.self)
        if !line.hasPrefix("##"), !line.hasPrefix(";;") { lines.append(line) }
        offset += length + 1
      }
    }
  }
}
