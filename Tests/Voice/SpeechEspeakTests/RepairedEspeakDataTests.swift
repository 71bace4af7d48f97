#if Espeak
import Foundation
import SpeechCore
import TestSupport
import Testing

@testable import SpeechEspeak

struct RepairedEspeakDataTests {
  /// A dictionary with these words and rules.
  private func dictionary(words: [[UInt8]] = [], rules: [UInt8]) -> [UInt8] {
    var list: [UInt8] = []
    for word in words {
      list.append(UInt8(word.count + 1))
      list += word
    }
    list += [UInt8](repeating: 0, count: 1024)
    let start = 8 + list.count
    let header: [UInt8] = [0, 4, 0, 0, UInt8(start & 0xFF), UInt8(start >> 8), 0, 0]
    return header + list + rules
  }

  private static let emptyDefault: [UInt8] = [6, 0, 7]
  private static let groupA: [UInt8] = [6, 0x61, 0, 3, 40, 0, 7]

  @Test func `a dictionary without rules for all other letters gets empty ones`() {
    #expect(
      EspeakDictionary.repaired(dictionary(rules: Self.groupA + [0]))
        == dictionary(rules: Self.groupA + Self.emptyDefault + [0]))
    #expect(
      EspeakDictionary.repaired(dictionary(rules: [7, 0]))
        == dictionary(rules: Self.emptyDefault + [0]))
  }

  @Test func `a complete dictionary is unchanged`() {
    let empty = dictionary(rules: Self.emptyDefault + [0])
    #expect(EspeakDictionary.repaired(empty) == empty)
    let whole = dictionary(
      words: [[1, 0x62, 21, 0], [1, 0x63, 21, 0x65, 0x6E, 0], [0x81, 0x64, 21, 22]],
      rules: [6, 18, 0x41, 0x61, 0, 7] + Self.groupA + Self.emptyDefault + [0])
    #expect(EspeakDictionary.repaired(whole) == whole)
  }

  @Test func `words and rules switch to no language but English`() throws {
    let foreign: [UInt8] = [1, 0x62, 21, 0x66, 0x72, 0]
    let rules: [UInt8] = [6, 0x61, 0, 3, 21, 0x64, 0x65, 0, 2, 0x62, 3, 21, 0x71, 0x79, 0x61, 0, 7]
    let repaired = try #require(
      EspeakDictionary.repaired(
        dictionary(words: [foreign], rules: rules + Self.emptyDefault + [0])))
    var removed = foreign
    removed[0] |= 0x7F
    #expect(
      repaired
        == dictionary(
          words: [removed],
          rules: [6, 0x61, 0, 3, 21, 0x65, 0x6E, 0, 2, 0x62, 2, 3, 21, 0x65, 0x6E, 0, 7]
            + Self.emptyDefault + [0]))
  }

  @Test func `a word is replaced only by a text that exists`() throws {
    let rules = Self.emptyDefault + [0]
    let good: [[UInt8]] = [[1, 0x62, 0x68, 0x69, 0, 29], [0x81, 0x62, 28], [0x81, 0x62, 81, 29]]
    let whole = dictionary(words: good, rules: rules)
    #expect(EspeakDictionary.repaired(whole) == whole)
    #expect(
      EspeakDictionary.repaired(
        dictionary(words: [[0x81, 0x62, 28, 29], [1, 0x62, 0, 29]], rules: rules))
        == dictionary(words: [[0xFF, 0x62, 28, 29], [0x7F, 0x62, 0, 29]], rules: rules))
  }

  @Test func `thousands are composed if their own form is too long`() {
    let rules = Self.emptyDefault + [0]
    func word(_ text: String, sounds: Int) -> [UInt8] {
      [UInt8(text.utf8.count)] + Array(text.utf8) + [UInt8](repeating: 40, count: sounds) + [0]
    }
    let good = [word("_4M1", sounds: 19), word("_4M2", sounds: 20), word("_M1", sounds: 20)]
    let whole = dictionary(words: good, rules: rules)
    #expect(EspeakDictionary.repaired(whole) == whole)
    for text in ["_4M1", "_12M1x"] {
      let long = word(text, sounds: 20)
      var removed = long
      removed[0] |= 0x7F
      #expect(
        EspeakDictionary.repaired(dictionary(words: [long], rules: rules))
          == dictionary(words: [removed], rules: rules))
    }
  }

  @Test func `a file that is not a dictionary is rejected`() {
    let whole = dictionary(words: [[1, 0x62, 21, 0x66, 0x72, 0]], rules: Self.groupA + [0])
    for length in 0..<whole.count - 1 {
      #expect(EspeakDictionary.repaired(Array(whole.prefix(length))) == nil, "\(length)")
    }
    var random = SplitMix(seed: 7)
    for _ in 0..<2000 {
      var broken = whole
      for _ in 0..<3 { broken[random.next(broken.count)] = UInt8(random.next(256)) }
      _ = EspeakDictionary.repaired(broken)
    }
  }

  @Test func `all installed dictionaries are parsed, and repaired ones need no further repair`()
    throws
  {
    let folder = try #require(EspeakData.folder())
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    var mendedOnes: Set<String> = []
    for name in names where name.hasSuffix("_dict") {
      let bytes = try #require(FileManager.default.contents(atPath: folder + "/" + name))
      let repaired = try #require(EspeakDictionary.repaired(Array(bytes)), "\(name)")
      #expect(EspeakDictionary.repaired(repaired) == repaired, "\(name)")
      if repaired != Array(bytes) { mendedOnes.insert(String(name.dropLast(5))) }
    }
    // Dictionaries known to lack a group for all other letters, to switch to French and German, or
    // to contain words without their replacement texts.
    #expect(
      mendedOnes.isSuperset(of: ["uk", "hi", "ja", "he", "it", "hr", "sjn", "si", "my", "ar", "tn"])
    )
    #expect(mendedOnes.isDisjoint(with: ["en", "es", "ru"]))
  }

  @Test func `a voice names the language of its dictionary first if the alphabet belongs to one`() {
    let text = "name Somebody\nlanguage hyw\nlanguage hy-arevmda\n\ndictionary hy\n"
    #expect(
      EspeakVoiceFile.repaired(text)
        == "name Somebody\nlanguage hy-arevmda\nlanguage hyw\n\ndictionary hy\n")
    #expect(EspeakVoiceFile.repaired("language hy\ndictionary hy\n") == nil)
    let unknown = "name Konkani\nlanguage kok\n"
    let known = "name Konkani\nlanguage hi-kok 20\nlanguage kok\n\nphonemes kok\ndictionary kok\n"
    #expect(EspeakVoiceFile.repaired(unknown) == known)
    #expect(EspeakVoiceFile.repaired(known) == nil)
    #expect(EspeakVoiceFile.repaired("language nb\nlanguage no\ndictionary no\n") == nil)
  }

  @Test func `the folder is created once, and completed again`() throws {
    let files = FileManager.default
    let parent = files.temporaryDirectory.path + "/repaired-" + UUID().uuidString
    defer { try? files.removeItem(atPath: parent) }
    let source = try #require(EspeakData.folder())
    let data = RepairedEspeakData(source: source, parent: parent)
    let folder = try data.folder()
    let dictionary = folder + "/uk_dict"
    let original = try #require(files.contents(atPath: source + "/uk_dict"))
    #expect(files.contents(atPath: dictionary)?.count == original.count + 3)
    #expect(try files.destinationOfSymbolicLink(atPath: folder + "/en_dict") == source + "/en_dict")
    let voice = try String(contentsOfFile: folder + "/lang/ine/hyw", encoding: .utf8)
    #expect(EspeakVoiceFile.repaired(voice) == nil)
    let made = try files.attributesOfItem(atPath: dictionary)[.systemFileNumber] as? Int
    #expect(try data.folder() == folder)
    #expect(try files.attributesOfItem(atPath: dictionary)[.systemFileNumber] as? Int == made)
    try files.removeItem(atPath: dictionary)
    // The draft of a killed process.
    let draft = (folder as NSString).deletingLastPathComponent + "-left/espeak-ng-data"
    try files.createDirectory(atPath: draft, withIntermediateDirectories: true)
    #expect(try data.folder() == folder)
    #expect(files.isReadableFile(atPath: dictionary))
    #expect(try files.contentsOfDirectory(atPath: parent).count == 1)
  }

  /// A folder for temporary files.
  private func withTemporaryFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/repaired-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  @Test func `without a folder for caches the same temporary one is used each time`() throws {
    let files = FileManager.default
    let source = try #require(EspeakData.folder())
    try withTemporaryFolder { temporary in
      let data = RepairedEspeakData(source: source, parent: "/dev/null", temporary: temporary)
      let folder = try data.folder()
      let made = try files.attributesOfItem(atPath: folder + "/uk_dict")[.systemFileNumber] as? Int
      #expect(made != nil)
      #expect(try data.folder() == folder)
      #expect(
        try files.attributesOfItem(atPath: folder + "/uk_dict")[.systemFileNumber] as? Int == made)
      let parent = temporary + "/speechkit-\(geteuid())"
      #expect(folder.hasPrefix(parent + "/"))
      #expect(try files.contentsOfDirectory(atPath: temporary).count == 1)
      #expect(try files.contentsOfDirectory(atPath: parent).count == 1)
      #expect(try files.attributesOfItem(atPath: parent)[.posixPermissions] as? Int == 0o700)
    }
  }

  @Test(arguments: ["link", "open", "file"])
  func `a temporary folder that other users may have filled is not used`(_ trap: String) throws {
    let files = FileManager.default
    let source = try #require(EspeakData.folder())
    try withTemporaryFolder { temporary in
      let parent = temporary + "/speechkit-\(geteuid())"
      let elsewhere = temporary + "/elsewhere"
      try files.createDirectory(
        atPath: elsewhere, withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700])
      switch trap {
      case "link": try files.createSymbolicLink(atPath: parent, withDestinationPath: elsewhere)
      case "open":
        try files.createDirectory(
          atPath: parent, withIntermediateDirectories: false,
          attributes: [.posixPermissions: 0o750])
      default: try Data().write(to: URL(fileURLWithPath: parent))
      }
      let data = RepairedEspeakData(source: source, parent: nil, temporary: temporary)
      #expect { try data.folder() } throws: { error in
        guard case SpeechSynthesisProviderError.initializationFailed(let text) = error else {
          return false
        }
        return text.contains(parent) && text.contains("folder for caches")
      }
      #expect(try files.contentsOfDirectory(atPath: elsewhere).isEmpty)
      if trap == "open" { #expect(try files.contentsOfDirectory(atPath: parent).isEmpty) }
    }
  }

  @Test func `a folder that cannot be written to is reported with the reason`() throws {
    let source = try #require(EspeakData.folder())
    let data = RepairedEspeakData(source: source, parent: "/dev/null", temporary: "/dev/null")
    #expect {
      try data.folder()
    } throws: { error in
      error.localizedDescription.contains("“/dev/null/speechkit-\(geteuid())”: Not a directory.")
    }
  }

  @Test func `a damaged dictionary is an error that names it`() throws {
    let files = FileManager.default
    let folder = files.temporaryDirectory.path + "/damaged-" + UUID().uuidString
    defer { try? files.removeItem(atPath: folder) }
    try files.createDirectory(atPath: folder + "/data", withIntermediateDirectories: true)
    try Data("nonsense".utf8).write(to: URL(fileURLWithPath: folder + "/data/xx_dict"))
    #expect {
      try RepairedEspeakData(source: folder + "/data", parent: folder + "/cache", temporary: folder)
        .folder()
    } throws: { error in
      guard case SpeechSynthesisProviderError.initializationFailed(let reason) = error else {
        return false
      }
      return reason.contains("data/xx_dict")
    }
    #expect(!files.fileExists(atPath: folder + "/cache"))
  }
}
#endif
