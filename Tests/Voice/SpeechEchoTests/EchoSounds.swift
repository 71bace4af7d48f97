import Foundation
import SpeechAudio
import TestSupport

/// Audio for these tests.
enum EchoSounds {
  /// Noise that swells four times a second, like speech.
  static func babble(
    _ duration: Duration, format: AudioFormat = .recognition, level: Double = -20, seed: UInt64 = 1
  ) -> PCMBuffer {
    var random = SplitMix(seed: seed)
    let samples = (0..<format.frames(in: duration)).map { index -> Int16 in
      let swell = abs(sin(Double(index) / Double(format.sampleRate) * 4 * .pi))
      return Int16(Double.random(in: -8_000...8_000, using: &random) * swell)
    }
    let sound = PCMBuffer(samples: samples, format: format)
    return sound.amplified(byDecibels: level - sound.level)
  }

  /// Noise of constant loudness.
  static func hiss(_ duration: Duration, level: Double) -> PCMBuffer {
    var random = SplitMix(seed: 9)
    let samples = (0..<AudioFormat.recognition.frames(in: duration)).map { _ in
      Int16.random(in: -8_000...8_000, using: &random)
    }
    let sound = PCMBuffer(samples: samples, format: .recognition)
    return sound.amplified(byDecibels: level - sound.level)
  }
}

extension AudioCapture {
  /// All events until the end.
  func events() async throws -> [AudioCaptureEvent] {
    var events: [AudioCaptureEvent] = []
    while let event = try await read() { events.append(event) }
    return events
  }
}

extension [AudioCaptureEvent] {
  /// All audio in one piece.
  func sound(_ format: AudioFormat = .recognition) -> PCMBuffer {
    reduce(into: PCMBuffer(format: format)) { whole, event in
      if case .audio(let sound) = event { whole.append(sound) }
    }
  }
}
