import Foundation
import SpeechKit

/// The words of the English dictionary on which pronunciations are tested. Nothing is learnt from
/// them: Scripts/pronunciation-table leaves out the same words.
struct HeldOutWords {
  /// All words with their pronunciations.
  let dictionary: [String: [[String]]]
  /// 1,000 random words of the dictionary.
  let words: [String]
  private let lines: [Substring]

  init() throws {
    let url = try PocketSphinxModel.find(for: Locale(identifier: "en-US")).dictionary
    let text = try String(contentsOf: url, encoding: .utf8)
    lines = text.split(separator: "\n")
    var dictionary: [String: [[String]]] = [:]
    for line in lines {
      let fields = line.split(separator: " ").map(String.init)
      guard fields.count > 1 else { continue }
      dictionary[Self.word(fields[0]), default: []].append(Array(fields.dropFirst()))
    }
    self.dictionary = dictionary
    let plain = dictionary.keys.filter { word in
      word.utf8.count >= 2 && word.utf8.allSatisfy { ($0 >= 0x61) && ($0 <= 0x7A) }
    }.sorted()
    guard plain.count > 10_000 else {
      throw SkippedBenchmark("the English dictionary has only \(plain.count) words")
    }
    var state: UInt64 = 4
    var chosen: [String] = []
    var seen: Set<String> = []
    while chosen.count < 1000 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      let word = plain[Int((mixed ^ (mixed >> 31)) % UInt64(plain.count))]
      if seen.insert(word).inserted { chosen.append(word) }
    }
    words = chosen
  }

  private static func word(_ name: String) -> String {
    name.prefix { $0 != "(" }.isEmpty ? name : String(name.prefix { $0 != "(" })
  }

  /// Writes the dictionary without some words.
  func writeDictionary(without words: some Sequence<String>, to url: URL) throws {
    let left = Set(words)
    let kept = lines.filter { line in
      !left.contains(Self.word(String(line.prefix { $0 != " " })))
    }
    try Data((kept.joined(separator: "\n") + "\n").utf8).write(to: url)
  }
}
