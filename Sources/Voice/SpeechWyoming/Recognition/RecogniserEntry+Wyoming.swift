import Foundation
import SpeechCore

extension RecogniserEntry {
  /// Recognisers of the Wyoming protocol, such as faster-whisper. The variant is the address:
  /// `wyoming:localhost:10300`, `wyoming:unix:PATH` or `wyoming:exec:COMMAND`.
  public static let wyoming = RecogniserEntry(
    "wyoming", of: WyomingDecoder.self, displayName: "Wyoming", isLocal: false,
    remedy: "Start a Wyoming engine, and name its address: wyoming:localhost:10300.",
    access: { settings, locale in
      do {
        let engine = WyomingEngine(try WyomingAddress(settings.variant))
        guard let info = try await engine.check() else { return }
        _ = try WyomingMessage.Transcribe(
          to: engine.address, with: info, language: locale.identifier(.bcp47))
      } catch let error as WyomingError {
        throw SpeechRecognitionError(error)
      }
    }
  ) { settings in
    var configuration = WyomingConfiguration(engine: settings.variant)
    configuration.reportsPartials = settings.reportsPartials
    return configuration
  }
}
