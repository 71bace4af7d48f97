import Foundation
import SpeechCore
import SpeechLanguageModels
import TestSupport
import Testing

@testable import SpeechPocketSphinx

/// Binary language models with errors. Those that pass the check are given to the library, which
/// would end the process: so the process is another one.
@Suite @DecodingQueue struct LanguageModelDamageTests {
  @Test(.enabled(if: Recordings.hasAlsa, "\(Recordings.alsaReason)"))
  func `a damaged binary model is refused or decodes`() async {
    await #expect(processExitsWith: .success) {
      var models = DamagedModels()
      try models.load(Endurance.count(full: 10_000, short: 300))
    }
  }

  @Test func `the model of the distribution and models of every order pass`() throws {
    let folder = try TemporaryModels()
    for order in 1...4 { try LanguageModelCheck.check(try folder.write(order: order)) }
    for name in ["en-us.lm.bin", "en-us-phone.lm.bin"] {
      try LanguageModelCheck.check(ModelFixture.original.appendingPathComponent(name))
    }
  }

  @Test func `a byte more or less anywhere is found by the length`() throws {
    let folder = try TemporaryModels()
    let bytes = try [UInt8](Data(contentsOf: folder.write(order: 3)))
    var random = SplitMix(seed: 5)
    for _ in 0..<40 {
      let place = random.next(bytes.count)
      var more = bytes
      more.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
      var less = bytes
      less.remove(at: place)
      for damaged in [more, less] {
        let url = try folder.write(damaged)
        #expect(refusal { try LanguageModelCheck.check(url) } != nil, "at \(place)")
      }
    }
  }
}

/// A folder for language models of a few words, which is removed with the value.
private struct TemporaryModels: ~Copyable {
  let url = FileManager.default.temporaryDirectory.appending(path: "damage-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes an undamaged model.
  func write(order: Int) throws -> URL {
    var builder = LanguageModelBuilder(locale: Locale(identifier: "en_US"), order: order)
    for sentence in [
      "front center", "front left", "front right", "rear center", "rear left", "rear right",
      "side left", "side right", "center of the front", "left of the center at the rear",
    ] {
      builder.add(sentence)
    }
    let file = url.appending(path: "model-\(order).lm.bin")
    try builder.build().write(to: file)
    return file
  }

  /// Writes a damaged model, as another file than the one before.
  func write(_ bytes: [UInt8]) throws -> URL {
    let file = url.appending(path: "damaged.lm.bin")
    try Data(bytes).write(to: file, options: .atomic)
    return file
  }

  func writeDictionary() throws -> URL {
    let file = url.appending(path: "model.dict")
    let words = """
      at AE T
      center S EH N T ER
      front F R AH N T
      left L EH F T
      of AH V
      rear R IH R
      right R AY T
      side S AY D
      the DH AH

      """
    try Data(words.utf8).write(to: file)
    return file
  }
}

/// Loads damaged models into one decoder, and decodes a phrase with each that passes the check.
private struct DamagedModels {
  private struct Outcome: Error {
    var message: String
  }

  private var random = SplitMix(seed: 2_511)

  mutating func load(_ count: Int) throws {
    let folder = try TemporaryModels()
    let models = try (1...4).map { try [UInt8](Data(contentsOf: folder.write(order: $0))) }
    let handle = try PocketSphinxHandle(options: [
      "-hmm", ModelFixture.original.appending(path: "en-us").path,
      "-dict", try folder.writeDictionary().path,
    ])
    let speech = try Recordings.alsa("Front_Center").samples
    var decoded = 0
    var refused = 0
    for round in 0..<count {
      // Most with three words, as they are built by default.
      let model = models[round % 2 == 0 ? 2 : random.next(4)]
      let file = try folder.write(damaged(model))
      do throws(SpeechRecognitionError) {
        try LanguageModelCheck.check(file)
        try handle.use(languageModel: file.path)
        try handle.start()
        try handle.process(speech[...])
        try handle.end()
        _ = (handle.hypothesis, handle.segments)
        decoded += 1
      } catch .recognitionFailed {
        refused += 1
      } catch {
        throw Outcome(message: error.localizedDescription)
      }
    }
    // Otherwise one half of the test is without content.
    guard decoded > count / 50, refused > count / 50 else {
      throw Outcome(message: "\(decoded) decoded, \(refused) refused")
    }
  }

  /// A model with one to three errors. Most of a model are tables of numbers, so half of the errors
  /// are put before or after them.
  private mutating func damaged(_ model: [UInt8]) -> [UInt8] {
    var bytes = model
    let tables = [0, 1, 3, 5][Int(model[19]) - 1] * 4 * 65_536
    for _ in 0...random.next(3) {
      let place =
        switch random.next(4) {
        case 0: random.next(min(40, bytes.count))
        case 1: random.next(bytes.count)
        default: min(36 + tables + random.next(max(bytes.count - tables - 36, 1)), bytes.count - 1)
        }
      switch random.next(6) {
      case 0: bytes[place] ^= 1 << UInt8(random.next(8))
      case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
      case 3: bytes.remove(at: place)
      case 4 where random.next(8) == 0: bytes.removeSubrange(place...)
      default:
        let numbers: [UInt32] = [0, .max, 0x7FFF_FFFF, 0x7F80_0000, 0x7FC0_0000, 0x4E80_0000]
        withUnsafeBytes(of: numbers[random.next(numbers.count)].littleEndian) { number in
          for (index, byte) in number.enumerated() where place + index < bytes.count {
            bytes[place + index] = byte
          }
        }
      }
      guard bytes.count > 20 else { break }
    }
    return bytes
  }
}
