import Foundation
import SpeechConcurrency
import SpeechLab
import TestSupport
import Testing

/// Error rates are those of jiwer and kaldialign. Alignments are those of sclite wherever sclite
/// finds the fewest errors.
struct ErrorRateReferenceTests {
  static let peers = ProjectFolder.root.appending(path: "Tests/Support/Peers")
  static let python: String? = [
    ProcessInfo.processInfo.environment["SPEECHKIT_PEERS"],
    ProjectFolder.root.appending(path: ".build/peers/bin/python").path,
  ].compactMap(\.self).first { FileManager.default.isExecutableFile(atPath: $0) }

  /// Sentences from a small vocabulary, so that many words match, and possible results for them.
  private static func pairs(_ count: Int) -> [(said: String, heard: String)] {
    var random = SeededNumbers(seed: 11)
    let words = ["turn", "on", "off", "the", "light", "kitchen", "né", "a", "übung", "it's", "日本"]
    func sentence(_ length: Int) -> [String] {
      (0..<length).map { _ in words[random.next(words.count)] }
    }
    return (0..<count).map { _ in
      let said = sentence(1 + random.next(14))
      var heard = said
      if random.next(4) == 0 {
        heard = sentence(random.next(14))
      } else {
        for _ in 0..<random.next(5) {
          switch random.next(3) {
          case 0: heard.insert(words[random.next(words.count)], at: random.next(heard.count + 1))
          case 1 where !heard.isEmpty: heard.remove(at: random.next(heard.count))
          case 2 where !heard.isEmpty:
            heard[random.next(heard.count)] = words[random.next(words.count)]
          default: break
          }
        }
      }
      return (said.joined(separator: " "), heard.joined(separator: " "))
    }
  }

  @Test(.enabled(if: python != nil || ProcessInfo.processInfo.environment["CI"] != nil))
  func `ten thousand pairs have as many errors as jiwer and kaldialign count`() async throws {
    let python = try #require(Self.python, "Scripts/install-peers installs jiwer and kaldialign.")
    let pairs = Self.pairs(10_000)
    let file = FileManager.default.temporaryDirectory.appending(path: "pairs-\(UUID())")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(pairs.map { "\($0.said)\t\($0.heard)\n" }.joined().utf8).write(to: file)
    let judge = try await FinishedProgram(
      running: python, [Self.peers.appending(path: "word_errors.py").path], input: file)
    try #require(judge.status == 0, "\(judge.errorText)")
    let lines = judge.text.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    try #require(lines.count == pairs.count + 1)
    var all = ErrorRate()
    var different = 0
    var aligned = 0
    for (pair, line) in zip(pairs, lines) {
      var words = ErrorRate()
      words.addWords(said: pair.said, heard: pair.heard, overlooking: .none)
      all.addWords(said: pair.said, heard: pair.heard, overlooking: .none)
      var characters = ErrorRate()
      characters.addCharacters(said: pair.said, heard: pair.heard, overlooking: .none)
      let comparison = WordComparison(said: pair.said, heard: pair.heard, overlooking: .none)
      let isSame =
        words.errors == Int(line[0]) && characters.errors == Int(line[1])
        && words.rate == Double(line[2]) && characters.rate == Double(line[3])
        && comparison.replaced + comparison.missing + comparison.added == words.errors
        && comparison.errorRate == words.rate
        && words.errors == Int(line[4]) && characters.errors == Int(line[5])
        && words.rate == Double(line[6]) && characters.rate == Double(line[7])
      // sclite sometimes accepts more errors to match more words; otherwise the alignments agree.
      let sclite = line[8...].compactMap { Int($0) }
      let isAligned = sclite.reduce(0, +) == words.errors
      if isAligned { aligned += 1 }
      let counts = [comparison.added, comparison.missing, comparison.replaced]
      if !isSame || (isAligned && counts != sclite) {
        different += 1
        if different < 5 { Issue.record("\(pair) \(line) \(words) \(characters)") }
      }
    }
    #expect(different == 0)
    #expect(aligned > 9_500, "\(aligned)")
    #expect(all.errors == Int(lines[pairs.count][0]))
    #expect(all.rate == Double(lines[pairs.count][1]))
  }
}
