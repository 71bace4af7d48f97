import Foundation
import SpeechCore

extension RecogniserEntry {
  /// Recognisers of the Wyoming protocol, such as faster-whisper, and detectors of wake words, such
  /// as openWakeWord. The variant is the address: `wyoming:localhost:10300`, `wyoming:unix:PATH` or
  /// `wyoming:exec:COMMAND`.
  public static let wyoming = RecogniserEntry(
    "wyoming", of: WyomingDecoder.self, displayName: "Wyoming", isLocal: false,
    features: [.keyPhrases],
    remedy: "Start a Wyoming engine, and name its address: wyoming:localhost:10300.",
    access: { settings, locale in
      do {
        let engine = WyomingEngine(try WyomingAddress(settings.variant))
        guard let info = try await engine.check() else { return }
        let phrases = try settings.keyPhrases
        if phrases.isEmpty {
          _ = try WyomingMessage.Transcribe(
            to: engine.address, with: info, language: locale.identifier(.bcp47))
        } else {
          try WyomingDetection.models(for: phrases, at: engine.address, in: info)
        }
      } catch let error as WyomingError {
        throw SpeechRecognitionError(error)
      }
    }
  ) { settings in
    var configuration = WyomingConfiguration(
      engine: settings.variant, keyPhrases: try settings.keyPhrases)
    configuration.reportsPartials = settings.reportsPartials
    return configuration
  }
}

extension RecogniserSettings {
  /// The phrases to wait for; empty for speech.
  ///
  /// - Throws: `SpeechRecognitionError` for phrases with thresholds, which the protocol does not
  ///   have.
  fileprivate var keyPhrases: [String] {
    get throws(SpeechRecognitionError) {
      guard case .keyPhrases(let lines) = search else { return [] }
      if let line = lines.first(where: { $0.contains("/") }) {
        throw .recognitionFailed(
          "The key phrase “\(line)” has a threshold, which engines of the Wyoming protocol are "
            + "started with, as openWakeWord with --threshold. Leave it out here.")
      }
      return lines
    }
  }
}
