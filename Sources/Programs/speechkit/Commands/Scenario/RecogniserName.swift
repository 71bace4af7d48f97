import Foundation
import SpeechKit
import SpeechTesting
import SpeechText

/// A recogniser as the command line names it: `fast`, `openai:whisper-1`, `openai@http://localhost:8000/v1`.
enum RecogniserName: Sendable, Equatable {
  case pocketSphinx(PocketSphinxPreset)
  /// OpenAI, or a server that writes down as it does.
  case openAI(model: String?, server: URL?)

  /// - Throws: `UsageError`.
  init(_ text: String) throws(UsageError) {
    if let preset = PocketSphinxPreset(rawValue: text) {
      self = .pocketSphinx(preset)
      return
    }
    var name = text
    var server: URL?
    // Models have an “@” in their names here and there, but none before an address.
    if let place = ["@http://", "@https://"].lazy.compactMap({ text.range(of: $0) }).first {
      name = String(text[..<place.lowerBound])
      let address = String(text[text.index(after: place.lowerBound)...])
      guard let url = URL(string: address), url.host() != nil else {
        throw UsageError("“\(address)” is no address of a server, such as http://localhost:8000/v1")
      }
      server = url
    }
    let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.first == "openai" else {
      let names = PocketSphinxPreset.allCases.map(\.rawValue) + ["openai"]
      let nearest =
        NearestName.of(parts.first ?? name, among: names).map { " Did you mean “\($0)”?" } ?? ""
      throw UsageError(
        "--recognisers takes \(names.dropLast().joined(separator: ", ")) and openai[:MODEL][@URL], not "
          + "“\(text)”.\(nearest)")
    }
    self = .openAI(model: parts.count == 2 && !parts[1].isEmpty ? parts[1] : nil, server: server)
  }

  /// Whether it hears somewhere else than on this machine, or at least beyond this program.
  var isService: Bool {
    if case .openAI = self { true } else { false }
  }

  /// It, on the bench.
  ///
  /// - Parameters:
  ///   - search: what it listens for, if it can be told.
  ///   - server: where services are asked that name no server of their own.
  func ear(listeningFor search: PocketSphinxSearch, server: URL?) -> RecognitionLab.Ear {
    switch self {
    case .pocketSphinx(let preset):
      .pocketSphinx(
        "pocketsphinx:\(preset.rawValue)",
        configuration: PocketSphinxConfiguration(search: search, preset: preset))
    case .openAI(let model, let own):
      RecognitionLab.Ear(
        ["openai", model].compactMap(\.self).joined(separator: ":")
          + ((own ?? server).map { "@\($0.withoutSecrets)" } ?? ""),
        of: OpenAITranscriptionDecoder.self,
        configuration: .init(
          service: OpenAIProvider(server: (own ?? server)?.absoluteString), model: model,
          wantsPartials: false),
        count: 4)
    }
  }
}
