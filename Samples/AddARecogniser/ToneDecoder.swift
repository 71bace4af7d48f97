import Foundation
import SpeechKit

/// A recogniser of telephone tones, in which each key is a word.
final class ToneDecoder: SpeechDecoder {
  struct Configuration: Sendable {
    /// The minimum ratio of the power of a key's tones to that of the others.
    var contrast = 6.0
  }

  static let identifier = "com.example.tone-reader"
  static let isAvailable = true

  let format = AudioFormat.recognition
  private let contrast: Double
  private var audio = PCMBuffer(format: .recognition)

  /// The frame size: 20 ms, long enough to distinguish tones that are 70 Hz apart.
  private static let frame = 320
  private static let rows = [697.0, 770, 852, 941]
  private static let columns = [1_209.0, 1_336, 1_477]
  private static let words = [
    ["one", "two", "three"], ["four", "five", "six"], ["seven", "eight", "nine"],
    ["star", "zero", "pound"],
  ]

  init(configuration: Configuration, locale: Locale) throws {
    guard configuration.contrast > 1 else {
      throw SpeechRecognitionError.recognitionFailed(
        "A contrast of \(configuration.contrast) finds keys in any audio. Choose more than 1.")
    }
    contrast = configuration.contrast
  }

  func hear(
    _ input: DecoderInput, partial: @Sendable (String) async -> Void
  ) -> DecoderOutput {
    switch input {
    case .start, .discard: audio.samples = []
    case .audio(let more):
      audio.append(more)
      return DecoderOutput(partialText: Self.text(of: keys))
    case .finish: return DecoderOutput(utterance: reading())
    case .utterance(let whole):
      audio = whole
      return DecoderOutput(utterance: reading())
    case .silence, .keyPhraseExpected, .context, .paused: break
    }
    return DecoderOutput()
  }

  private func reading() -> DecodedUtterance? {
    defer { audio.samples = [] }
    let words = keys
    guard !words.isEmpty else { return nil }
    return DecodedUtterance(text: Self.text(of: words), words: words)
  }

  private static func text(of words: [RecognizedWord]) -> String {
    words.map(\.text).joined(separator: " ")
  }

  /// The keys in the audio so far. A key lasts for at least two frames, which excludes clicks.
  private var keys: [RecognizedWord] {
    var keys: [RecognizedWord] = []
    var (held, length) = (String?.none, 0)
    let count = audio.samples.count / Self.frame
    let seconds = Double(Self.frame) / Double(format.sampleRate)
    for number in 0...count {
      let key = number < count ? key(inFrame: number) : nil
      if key == held {
        length += 1
        continue
      }
      if let held, length >= 2 {
        keys.append(
          RecognizedWord(
            text: held, start: Double(number - length) * seconds, end: Double(number) * seconds,
            confidence: 1))
      }
      (held, length) = (key, 1)
    }
    return keys
  }

  private func key(inFrame number: Int) -> String? {
    let samples = audio.samples[number * Self.frame..<(number + 1) * Self.frame]
    let energy = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
    guard energy / Double(Self.frame) > 10_000 else { return nil }
    let rows = Self.rows.map { power(of: $0, in: samples) }
    let columns = Self.columns.map { power(of: $0, in: samples) }
    guard let row = strongest(of: rows), let column = strongest(of: columns) else { return nil }
    // The two tones contain nearly all of the energy; in speech they contain a small part.
    let share = 2 * (rows[row] + columns[column]) / (Double(Self.frame) * energy)
    return share > 0.6 ? Self.words[row][column] : nil
  }

  private func strongest(of powers: [Double]) -> Int? {
    guard let best = powers.indices.max(by: { powers[$0] < powers[$1] }) else { return nil }
    let others = powers.indices.filter { $0 != best }.map { powers[$0] }.max() ?? 0
    return powers[best] > contrast * others ? best : nil
  }

  /// The power at one frequency, by Goertzel's algorithm.
  private func power(of frequency: Double, in samples: ArraySlice<Int16>) -> Double {
    let factor = 2 * cos(2 * .pi * frequency / Double(format.sampleRate))
    var (last, beforeLast) = (0.0, 0.0)
    for sample in samples {
      (last, beforeLast) = (Double(sample) + factor * last - beforeLast, last)
    }
    return last * last + beforeLast * beforeLast - factor * last * beforeLast
  }
}
