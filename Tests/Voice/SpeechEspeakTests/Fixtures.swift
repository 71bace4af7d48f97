#if Espeak
import Foundation
import SpeechAudio
import SpeechCore
import SpeechEspeak

let engine = EspeakEngine()

/// The complete result of a request.
struct Spoken {
  var audio = PCMBuffer(format: AudioFormat(sampleRate: 22_050))
  var positions: [SpeechPosition] = []
  var chunks = 0

  var seconds: Double { Double(audio.frameCount) / Double(audio.format.sampleRate) }

  var words: [SpeechPosition] { positions.filter { $0.kind == .word } }

  func marks(_ text: String) -> [(name: String, time: Double)] {
    positions.compactMap { position in
      guard case .mark(let name) = position.kind else { return nil }
      return (name, position.audioOffset / .seconds(1))
    }
  }

  /// The part of the text that a position covers.
  static func covered(_ position: SpeechPosition, in text: String) -> String {
    let scalars = Array(text.unicodeScalars)[position.textRange]
    return scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
  }
}

func speak(
  _ text: String, voice: String = "", _ configuration: EspeakConfiguration = .default,
  ssml: Bool = false, options: [String: String] = [:]
) async throws -> Spoken {
  var options = options
  if ssml { options["ssml"] = "true" }
  let request = engine.makeRequest(text: text, voiceId: voice, options: options)
  var spoken = Spoken()
  for try await chunk in engine.streamAudio(request: request, configuration: configuration) {
    spoken.audio.append(chunk.audio)
    spoken.positions += chunk.positions
    spoken.chunks += 1
  }
  return spoken
}

/// The level of each 20 ms in decibels, to compare audio that differs in phase only.
func envelope(_ samples: [Int16]) -> [Double] {
  stride(from: 0, to: samples.count - 441, by: 441).map { start in
    var sum = 0.0
    for sample in samples[start..<start + 441] { sum += Double(sample) * Double(sample) }
    return 10 * log10(sum / 441 + 100)
  }
}

/// The similarity of two recordings, as the correlation of their envelopes.
func likeness(_ one: [Int16], _ other: [Int16]) -> Double {
  let first = envelope(one)
  let second = envelope(other)
  let count = min(first.count, second.count)
  guard count > 1 else { return 0 }
  let meanOne = first.prefix(count).reduce(0, +) / Double(count)
  let meanOther = second.prefix(count).reduce(0, +) / Double(count)
  var product = 0.0
  var squareOne = 0.0
  var squareOther = 0.0
  for index in 0..<count {
    let a = first[index] - meanOne
    let b = second[index] - meanOther
    product += a * b
    squareOne += a * a
    squareOther += b * b
  }
  return product / max((squareOne * squareOther).squareRoot(), 1e-9)
}

func error(
  _ body: () async throws -> some Any
) async -> SpeechSynthesisProviderError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? SpeechSynthesisProviderError
  }
}
#endif
