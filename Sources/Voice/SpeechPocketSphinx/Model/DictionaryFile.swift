import Foundation
import SpeechCore
import SpeechText

/// Looks up words in a dictionary on disk one by one, without building a table first.
struct DictionaryFile: Sendable {
  /// The positions of the phones of each word, for many lookups.
  private var places: [String: Int]?
  /// The text between a line break and a zero, so that each word follows a line break.
  private let text: [UInt8]

  init(_ url: URL) throws(SpeechRecognitionError) {
    do {
      text = [UInt8(ascii: "\n")] + (try Data(contentsOf: url)) + [0]
    } catch {
      throw .recognitionFailed(
        "The dictionary “\(url.path)” cannot be read: \(error.localizedDescription)")
    }
  }

  /// Returns the same dictionary with a table of its words.
  func indexed() -> DictionaryFile {
    var places: [String: Int] = [:]
    text.withUnsafeBufferPointer { bytes in
      var start = 1
      while start < bytes.count {
        var end = start
        while bytes[end] != UInt8(ascii: "\n"), bytes[end] != 0 { end += 1 }
        var stop = start
        while stop < end, bytes[stop] != UInt8(ascii: " "), bytes[stop] != UInt8(ascii: "\t") {
          stop += 1
        }
        if stop < end {
          let word = String(decoding: bytes[start..<stop], as: UTF8.self)
          if places[word] == nil { places[word] = stop }
        }
        start = end + 1
      }
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
    let (blank, tab) = (UInt8(ascii: " "), UInt8(ascii: "\t"))
    return text.dropLast().split(separator: UInt8(ascii: "\n")).compactMap { line in
      let fields = line.split { $0 == blank || $0 == tab }
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
        String(
          decoding: text[start...].prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }, as: UTF8.self
        )
        .split(whereSeparator: \.isWhitespace).map(String.init)
      }
    }
    return text.withUnsafeBufferPointer { bytes -> [String]? in
      bytes.withMemoryRebound(to: CChar.self) { characters -> [String]? in
        guard var place = characters.baseAddress.map({ UnsafePointer($0) }) else { return nil }
        let wanted = "\n" + name
        while let found = strstr(place, wanted) {
          let end = UnsafePointer(found) + wanted.utf8.count
          let next = UInt8(bitPattern: end.pointee)
          if next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") {
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
