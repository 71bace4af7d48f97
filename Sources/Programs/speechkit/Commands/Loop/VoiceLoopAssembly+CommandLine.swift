import SpeechCommand
import SpeechKit

extension VoiceLoopAssembly {
  /// Creates the parts of a conversation, and checks its models, so that missing parts are reported
  /// before anything is spoken.
  init(_ settings: ConversationSettings, voice name: BackendName?) async throws {
    var settings = settings
    if let name { settings.voice = name.text }
    if let voice = settings.voice {
      _ = try await AnyVoice(try BackendName(voice: voice, in: .current), in: .current)
    }
    try await self.init(settings)
    do {
      try await checkAccess()
    } catch let error as SpeechRecognitionError {
      throw CommandFailure(.unavailable, error.localizedDescription)
    }
  }

  /// Creates the loop's recognition with the check of its words that the settings choose.
  @MainActor func makeRecognition(
    on devices: VoiceLoopDevices
  ) -> any SpeechRecognitionProvider {
    recogniser.checkedInCatalog(by: settings.check).makeProvider(input: devices.microphone)
  }
}
