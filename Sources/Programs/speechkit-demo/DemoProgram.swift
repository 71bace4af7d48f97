import SpeechCommand
import SpeechCore
import SpeechDemo
import SpeechFlite
import SpeechPocketSphinx

#if Espeak
import SpeechEspeak
#endif

/// The program `speechkit-demo`: `speechkit demo` alone, which builds quickly.
@main
struct DemoProgram {
  @MainActor
  static func main() async {
    await CommandLineTool.run([.command(DemoCommand<LocalCatalog>.self)]) {
      ["demo"] + (try GivenArguments.read())
    }
  }
}

/// The backends that need no service.
enum LocalCatalog: CatalogSource {
  static let catalog = SpeechCatalog(voices: voices, recognisers: [.pocketSphinx])

  private static var voices: [VoiceEntry] {
    var entries: [VoiceEntry] = []
    #if Espeak
    entries.append(.espeak)
    #endif
    entries.append(.flite)
    return entries
  }
}
