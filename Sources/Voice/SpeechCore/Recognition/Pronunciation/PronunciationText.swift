import Foundation
import SpeechText

/// An error in a file of pronunciations, with its position.
package struct PronunciationFileError: Error, Sendable, Equatable, LocalizedError {
  package enum Kind: Sendable, Equatable {
    /// The contents of the file, or an entry that was to be written.
    case content
    /// The file cannot be read.
    case unreadable
    /// The file cannot be written.
    case unwritable
  }

  package var kind: Kind
  package var path: String
  /// The line, counted from one; `nil` if it concerns the whole file.
  package var line: Int?
  /// The reason and the remedy.
  package var reason: String

  package init(_ kind: Kind = .content, path: String, line: Int? = nil, reason: String) {
    self.kind = kind
    self.path = path
    self.line = line
    self.reason = reason
  }

  package var errorDescription: String? {
    "“\(path)”" + (line.map { ", line \($0)" } ?? "") + ": " + reason
  }
}

/// The text of a pronunciation dictionary in the format of CMUdict: lines of a word and its phones.
///
/// ```
/// ;;; a comment
/// speechkit  S P IY CH K IH T
/// read       R IY D
/// read(2)    R EH D
/// ```
/// Comments begin with `;;;` at the start of a line, or with `#` after the phones.
struct PronunciationText: Sendable, Equatable {
  /// A line that is neither empty nor a comment.
  struct Entry: Sendable, Equatable {
    var word: String
    var phones: [String]
  }

  /// The entries in the order of the file.
  var entries: [Entry] = []
  /// The comments before the first word, which are kept when the file is written.
  var head: [String] = []

  /// The maximum size; larger files are not written by users.
  static let mostBytes = 16 << 20

  init() {}

  /// - Throws: `PronunciationFileError` with the first line that is wrong.
  init(_ data: Data, path: String) throws(PronunciationFileError) {
    func wrong(_ reason: String, _ line: Int? = nil) -> PronunciationFileError {
      PronunciationFileError(path: path, line: line, reason: reason)
    }
    guard data.count <= Self.mostBytes else {
      throw wrong("the file is larger than \(Self.mostBytes >> 20) MiB. Give a smaller one.")
    }
    var number = 0
    for bytes in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      guard let line = String(validating: bytes, as: UTF8.self) else {
        throw wrong("it is not UTF-8 text. Convert it.", number)
      }
      if line.utf8.starts(with: ";;;".utf8) || line.utf8.starts(with: "##".utf8) {
        if entries.isEmpty {
          head.append(String(String.UnicodeScalarView(line.unicodeScalars.filter { $0 != "\r" })))
        }
        continue
      }
      // By scalars, because a combining mark after a space forms one character with it.
      let fields = line.unicodeScalars.prefix { $0 != "#" }
        .split { $0.properties.isWhitespace }.map { String($0) }
      guard let first = fields.first else { continue }
      let entry = Entry(word: Self.plain(first), phones: Array(fields.dropFirst()))
      if let reason = entry.reasonForRefusal { throw wrong(reason, number) }
      entries.append(entry)
    }
  }

  /// The word without the number of a further pronunciation.
  private static func plain(_ word: String) -> String {
    guard word.hasSuffix(")"), let open = word.lastIndex(of: "("), open > word.startIndex else {
      return word
    }
    let number = word[word.index(after: open)...].dropLast()
    let isNumber = !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isNumber }
    return isNumber ? String(word[..<open]) : word
  }

  /// Each word with its pronunciations, in their order.
  var pronunciations: [String: [[String]]] {
    var found: [String: [[String]]] = [:]
    for entry in entries where found[entry.word]?.contains(entry.phones) != true {
      found[entry.word, default: []].append(entry.phones)
    }
    return found
  }

  /// The text of the file, sorted by word, with numbers.
  var text: String {
    var lines = head.isEmpty ? [";;; Pronunciations of SpeechKit, in the format of CMUdict."] : head
    for (word, all) in pronunciations.sorted(by: { $0.key < $1.key }) {
      for (index, phones) in all.enumerated() {
        let name = index == 0 ? word : "\(word)(\(index + 1))"
        lines.append("\(name)  \(phones.joined(separator: " "))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension PronunciationText.Entry {
  private static let mostPhones = 100

  /// The reason why the word or its phones cannot be in a dictionary; `nil` if they can.
  var reasonForRefusal: String? {
    guard DictionaryWord.isValid(word) else {
      return "“\(word.prefix(40))” cannot be a word: it has to be without blanks and marks such as "
        + "( ) < > | / + #."
    }
    guard (1...Self.mostPhones).contains(phones.count) else {
      return phones.isEmpty
        ? "the word “\(word)” has no phones. Write them after it, such as “HH AH L OW”."
        : "the word “\(word)” has \(phones.count) phones. Give at most \(Self.mostPhones)."
    }
    let isPhone = { (phone: String) in
      phone.utf8.count <= 32
        && phone.unicodeScalars.allSatisfy {
          !$0.properties.isWhitespace && $0.properties.generalCategory != .control && $0 != ";"
            && $0 != "#"
        }
    }
    return phones.first { !isPhone($0) }.map { "“\($0.prefix(40))” cannot be a phone." }
  }
}
