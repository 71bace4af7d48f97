import Foundation
import SpeechAudio
import SpeechCore

@testable import SpeechPocketSphinx

/// Recorded speech for the tests, as 16 kHz audio.
enum Recordings {
  /// The test recordings of alsa-utils: short phrases such as “front center”, 48 kHz.
  static let alsaFolder = URL(fileURLWithPath: "/usr/share/sounds/alsa")

  static let hasAlsa = FileManager.default.fileExists(
    atPath: alsaFolder.appendingPathComponent("Front_Center.wav").path)

  /// The corpus of recordings that word error rates are measured on.
  static let corpusFolder = ProcessInfo.processInfo.environment["SPEECHKIT_CORPUS"].map {
    URL(fileURLWithPath: $0)
  }

  static let hasCorpus =
    corpusFolder.map {
      FileManager.default.fileExists(atPath: $0.appendingPathComponent("manifest.tsv").path)
    } ?? false

  static let corpusReason: String =
    "SPEECHKIT_CORPUS names no folder with recordings and a manifest.tsv"
  static let alsaReason = "the recordings of the package alsa-utils are not installed"

  /// Soft noise, the same each time.
  static func noise(_ length: Int) -> PCMBuffer {
    var bits: UInt32 = 2_463_534_242
    let samples = (0..<length).map { _ in
      bits ^= bits << 13
      bits ^= bits >> 17
      bits ^= bits << 5
      return Int16(truncatingIfNeeded: Int(bits % 1_000) - 500)
    }
    return PCMBuffer(samples: samples, format: .recognition)
  }

  /// One of the phrases, such as `Front_Center`.
  static func alsa(_ name: String) throws -> PCMBuffer {
    try read(alsaFolder.appendingPathComponent("\(name).wav"))
  }

  static func corpus(_ file: String) throws -> PCMBuffer {
    guard let corpusFolder else { throw CocoaError(.fileNoSuchFile) }
    return try read(corpusFolder.appendingPathComponent(file))
  }

  /// Reads the first channel of a WAV file with 16-bit samples; 48 kHz are converted to 16.
  private static func read(_ url: URL) throws -> PCMBuffer {
    let bytes = [UInt8](try Data(contentsOf: url))
    func number(_ offset: Int, _ length: Int) -> Int {
      bytes[offset..<offset + length].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    var offset = 12
    var channels = 1
    var rate = 16_000
    while offset + 8 <= bytes.count {
      let name = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
      let length = min(number(offset + 4, 4), bytes.count - offset - 8)
      if name == "fmt " {
        channels = number(offset + 10, 2)
        rate = number(offset + 12, 4)
      } else if name == "data" {
        let samples = stride(from: offset + 8, to: offset + 8 + length - 1, by: 2 * channels).map {
          Int16(truncatingIfNeeded: number($0, 2))
        }
        return PCMBuffer(
          samples: rate == 48_000 ? thirdOfRate(samples) : samples, format: .recognition)
      }
      offset += 8 + length + length % 2
    }
    throw CocoaError(.fileReadCorruptFile)
  }

  /// Every third sample after a windowed sinc filter of 61 taps with a limit of 7.5 kHz.
  private static func thirdOfRate(_ samples: [Int16]) -> [Int16] {
    let reach = 30
    let taps = (-reach...reach).map { tap -> Double in
      let x = Double(tap) * 2 * 7500 / 48_000
      let sinc = tap == 0 ? 1 : sin(.pi * x) / (.pi * x)
      return sinc * (0.54 + 0.46 * cos(.pi * Double(tap) / Double(reach)))
    }
    let sum = taps.reduce(0, +)
    return stride(from: 0, to: samples.count, by: 3).map { middle in
      var value = 0.0
      for (index, tap) in taps.enumerated() {
        let place = middle + index - reach
        if samples.indices.contains(place) { value += tap * Double(samples[place]) }
      }
      return Int16(clamping: Int((value / sum).rounded()))
    }
  }
}

extension PocketSphinxDecoder {
  /// Decodes the sound as it would be spoken, in blocks of that many frames.
  func hear(_ sound: PCMBuffer, in frames: Int = 480) throws -> DecodedUtterance? {
    try startUtterance()
    for start in stride(from: 0, to: sound.frameCount, by: frames) {
      _ = try process(sound.slice(start..<start + frames))
    }
    return try finishUtterance()
  }
}
