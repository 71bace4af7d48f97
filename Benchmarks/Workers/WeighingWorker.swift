import Foundation
import SpeechKit

/// What Scripts/fit-acceptance is fed with: speech, and what speaks for and against its sentences.
enum WeighingWorker {
  static let say = "worker-say"
  static let weigh = "worker-weigh"

  /// Makes files with Flite. The list has a line for each: file, voice, rate, pitch, text.
  static func say(listed list: String) async throws {
    let engine = FliteEngine()
    for fields in try lines(of: list, fields: 5) {
      let request = VoiceEngineRequest(
        text: fields[4], voiceId: fields[1],
        options: [FliteEngine.rateOption: fields[2], FliteEngine.pitchOption: fields[3]])
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
      /// `nil` for words that are too short to be weighed.
      var features: [Double]?
      var ratio: Double?
      var phones: [Double]?
      var lengths: [Int]?
      var cost: Double?
    }
    var margin: Double?
    var unexplained: Double?

    var file: String
    var grammar: String
    var text: String
    var confidence: Float
    /// Empty if there is no sentence that could be weighed.
    var features: [Double]
    var words: [Word]
  }

  /// Decodes files. The list has a line for each: file, grammar. A line of JSON comes for each.
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
      var raw: [Int: AcceptanceEvidence.Word] = [:]
      for word in evidence?.words ?? [] { raw[word.firstFrame] = word }
      for word in evidence?.words ?? [] { weighed[word.firstFrame] = evidence?.features(of: word) }
      let row = Row(
        margin: evidence?.margin, unexplained: evidence?.unexplained,
        file: fields[0], grammar: fields[1], text: utterance?.text ?? "",
        confidence: utterance?.confidence ?? 0, features: evidence?.features() ?? [],
        words: (utterance?.words ?? []).map { word in
          let f = Int((word.start * 100).rounded())
          return Row.Word(
            text: word.text, start: word.start, end: word.end,
            features: weighed[f], ratio: raw[f]?.likelihoodRatio, phones: raw[f]?.phoneRatios,
            lengths: raw[f]?.phoneLengths, cost: raw[f]?.cost)
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
