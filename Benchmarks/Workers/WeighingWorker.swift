import Foundation
import SpeechKit

/// The workers of Scripts/fit-acceptance, which synthesise speech and compute features of
/// utterances.
enum WeighingWorker {
  static let say = "worker-say"
  static let weigh = "worker-weigh"

  /// Synthesises files with Flite. The list has a line for each: file, voice, rate, pitch, text.
  static func say(listed list: String) async throws {
    let engine = FliteEngine()
    for fields in try lines(of: list, fields: 5) {
      let request = VoiceEngineRequest(
        text: fields[4], voiceId: fields[1],
        options: ["rate": fields[2], "pitch": fields[3]])
      let sound = try await engine.render(request, configuration: .default)
      try AudioFile.write(
        try sound.resampled(to: .recognition), to: URL(fileURLWithPath: fields[0]))
    }
  }

  /// A line of the output.
  private struct Row: Encodable {
    struct Word: Encodable {
      var text: String
      var start: Double
      var end: Double
      /// `nil` for words that are too short.
      var features: [Double]?
    }

    var file: String
    var grammar: String
    var text: String
    var confidence: Float
    /// Empty if there is no sentence with features.
    var features: [Double]
    var words: [Word]
  }

  /// Decodes files and prints a line of JSON for each. The list has a line for each: file, grammar.
  static func weigh(listed list: String) throws {
    var decoders: [String: PocketSphinxDecoder] = [:]
    for fields in try lines(of: list, fields: 2) {
      let decoder =
        try decoders[fields[1]]
        ?? PocketSphinxDecoder(
          configuration: PocketSphinxConfiguration(
            search: .grammarFile(URL(fileURLWithPath: fields[1]))),
          locale: Locale(identifier: "en-US"))
      decoders[fields[1]] = decoder
      let sound = try AudioFile.read(URL(fileURLWithPath: fields[0]), as: .recognition)
      let utterance = try decoder.decode(sound)
      let evidence = utterance == nil ? nil : decoder.lastEvidence
      var weighed: [Int: [Double]] = [:]
      for word in evidence?.words ?? [] { weighed[word.firstFrame] = evidence?.features(of: word) }
      let row = Row(
        file: fields[0], grammar: fields[1], text: utterance?.text ?? "",
        confidence: utterance?.confidence ?? 0, features: evidence?.features() ?? [],
        words: (utterance?.words ?? []).map { word in
          Row.Word(
            text: word.text, start: word.start, end: word.end,
            features: weighed[Int((word.start * 100).rounded())])
        })
      print(String(decoding: try JSONEncoder().encode(row), as: UTF8.self))
    }
  }

  private static func lines(of list: String, fields: Int) throws -> [[String]] {
    try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: "\t").map(String.init)
    }
    .filter { $0.count >= fields }
  }
}
