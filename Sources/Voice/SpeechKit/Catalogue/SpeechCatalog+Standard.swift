import SpeechCore
import SpeechFlite
import SpeechPocketSphinx
import SpeechWhisper
import SpeechWyoming

#if Cloud
import SpeechCloud
#endif
#if Espeak
import SpeechEspeak
#endif

extension SpeechCatalog {
  /// The backends of this package, a line each.
  public static let standard = SpeechCatalog(
    voices: standardVoices, recognisers: standardRecognisers)

  private static var standardVoices: [VoiceEntry] {
    var entries: [VoiceEntry] = []
    #if Espeak
    entries.append(.espeak)
    #endif
    entries.append(.flite)
    entries.append(.wyoming)
    #if Cloud
    entries.append(.elevenLabs)
    entries.append(.openAI)
    #endif
    return entries
  }

  private static var standardRecognisers: [RecogniserEntry] {
    var entries: [RecogniserEntry] = []
    entries.append(.pocketSphinx)
    entries.append(.whisper)
    entries.append(.wyoming)
    #if Cloud
    entries.append(.openAI)
    entries.append(.openAILive)
    #endif
    return entries
  }
}
