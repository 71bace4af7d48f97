import Foundation
import SpeechAudio

/// Audio and files generated for tests.
enum SoundFixtures {
  /// A sine of that frequency, by default at half of full scale.
  static func tone(
    _ hertz: Double = 440, seconds: Double = 1, rate: Int = 16_000, amplitude: Double = 0.5
  ) -> PCMBuffer {
    let samples = (0..<Int(seconds * Double(rate))).map { index in
      Int16((sin(2 * .pi * hertz * Double(index) / Double(rate)) * amplitude * 32_767).rounded())
    }
    return PCMBuffer(samples: samples, format: AudioFormat(sampleRate: rate))
  }

  /// White noise of that level in decibels below full scale, the same each time.
  static func noise(
    seconds: Double, decibels: Double = -20, rate: Int = 16_000, seed: UInt64 = 1
  ) -> PCMBuffer {
    var numbers = RepeatableNumbers(seed: seed)
    // An even distribution has a third of its peak's square as its mean square.
    let peak = pow(10, decibels / 20) * 3.0.squareRoot() * 32_768
    let samples = (0..<Int(seconds * Double(rate))).map { _ in
      Int16(clamping: Int(Double.random(in: -peak...peak, using: &numbers).rounded()))
    }
    return PCMBuffer(samples: samples, format: AudioFormat(sampleRate: rate))
  }

  /// The bytes of a WAV file: header fields as given, samples as given, chunks before the sound.
  static func wave(
    tag: Int = 1, channels: Int = 1, rate: Int = 16_000, bits: Int = 16, data: [UInt8],
    declared: Int? = nil, alignment: Int? = nil, extraFormat: [UInt8] = [], before: [UInt8] = [],
    after: [UInt8] = [], riffLength: Int? = nil
  ) -> Data {
    let align = alignment ?? channels * bits / 8
    let format =
      little(tag, 2) + little(channels, 2) + little(rate, 4) + little(rate &* align, 4)
      + little(align, 2) + little(bits, 2) + extraFormat
    let body =
      Array("WAVE".utf8) + before + Array("fmt ".utf8) + little(format.count, 4) + format
      + Array("data".utf8) + little(declared ?? data.count, 4) + data + after
    return Data(Array("RIFF".utf8) + little(riffLength ?? body.count, 4) + body)
  }

  /// The rest of an extensible header after the sixteen bytes of the plain one.
  static func extensible(tag: Int, validBits: Int) -> [UInt8] {
    little(22, 2) + little(validBits, 2) + little(4, 4) + little(tag, 2)
      + [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
  }

  /// A chunk of that name, padded to an even length.
  static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little(bytes.count, 4) + bytes + (bytes.count % 2 == 0 ? [] : [0])
  }

  /// A number in that many bytes, lowest first.
  static func little(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// The samples as bytes.
  static func bytes(_ samples: [Int16]) -> [UInt8] {
    samples.flatMap { little(Int($0), 2) }
  }

  /// Runs the closure with a folder of its own, which is removed afterwards.
  static func inFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "sound-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer {
      chmod(folder.path, 0o755)
      try? FileManager.default.removeItem(at: folder)
    }
    return try body(folder)
  }

  /// The bytes in a pipe, written by a thread of its own, for the reading end.
  static func inPipe<Result>(_ data: Data, _ body: (Int32) throws -> Result) throws -> Result {
    // A refused pipe is closed early, while the thread still writes.
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    let (reading, writing) = (ends[0], ends[1])
    let writer = Thread {
      var rest = data[...]
      while !rest.isEmpty {
        // Pieces of an odd size, as a pipe may cut anywhere.
        let count = rest.withUnsafeBytes { write(writing, $0.baseAddress, min($0.count, 4_097)) }
        if count <= 0 { break }
        rest = rest.dropFirst(count)
      }
      close(writing)
    }
    writer.start()
    defer { close(reading) }
    return try body(reading)
  }
}

/// Numbers that look random and are the same each time.
struct RepeatableNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
