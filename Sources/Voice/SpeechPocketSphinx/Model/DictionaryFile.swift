import Foundation
import SpeechCore
import SpeechText

/// Looks up words in a dictionary on disk one by one, without building a table first.
struct DictionaryFile: Sendable {
  /// The positions of the phones of each word, for many lookups.
  private var places: [String: Int]?
  /// The text between a line break and a zero, so that each word follows a line break.
  private let text: [UInt8]

  private static let lineBreak = UInt8(ascii: "\n")

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  init(_ url: URL) throws(SpeechRecognitionError) {
    do {
      text = [Self.lineBreak] + (try Data(contentsOf: url)) + [0]
    } catch {
      throw .recognitionFailed(
        "The dictionary “\(url.path)” cannot be read: \(error.localizedDescription)")
    }
  }

  /// Returns the same dictionary with a table of its words.
  func indexed() -> DictionaryFile {
    var places: [String: Int] = [:]
    for line in text.dropLast().split(separator: Self.lineBreak) {
      let word = line.prefix { !Self.isBlank($0) }
      guard word.endIndex < line.endIndex else { continue }
      let name = String(decoding: word, as: UTF8.self)
      if places[name] == nil { places[name] = word.endIndex }
    }
    var copy = self
    copy.places = places
    return copy
  }

  /// The pronunciations of the word; empty if it is missing.
  func pronunciations(of word: String) -> [[String]] {
    guard DictionaryWord.isValid(word), let first = phones(of: word) else { return [] }
    var found = [first]
    while found.count < 100, let next = phones(of: "\(word)(\(found.count + 1))") {
      found.append(next)
    }
    return found
  }

  /// The words with that many phones, each with its first pronunciation.
  func words(phones count: ClosedRange<Int>) -> [(word: String, phones: [String])] {
    text.dropLast().split(separator: Self.lineBreak).compactMap { line in
      let fields = line.split(whereSeparator: Self.isBlank)
      guard count.contains(fields.count - 1), fields[0].last != UInt8(ascii: ")") else {
        return nil
      }
      let names = fields.map { String(decoding: $0, as: UTF8.self) }
      return (names[0], Array(names.dropFirst()))
    }
  }

  private func phones(of name: String) -> [String]? {
    if let places {
      return places[name].map { start in
        String(decoding: text[start...].prefix { $0 != Self.lineBreak && $0 != 0 }, as: UTF8.self)
          .split(whereSeparator: \.isWhitespace).map(String.init)
      }
    }
    return text.withUnsafeBufferPointer { bytes -> [String]? in
      bytes.withMemoryRebound(to: CChar.self) { characters -> [String]? in
        guard var place = characters.baseAddress.map({ UnsafePointer($0) }) else { return nil }
        let wanted = "\n" + name
        while let found = strstr(place, wanted) {
          let end = UnsafePointer(found) + wanted.utf8.count
          if Self.isBlank(UInt8(bitPattern: end.pointee)) {
            let line = UnsafeRawBufferPointer(start: end, count: strcspn(end, "\n"))
            return String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
              .map(String.init)
          }
          place = end
        }
        return nil
      }
    }
  }
}
