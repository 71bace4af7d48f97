import SpeechCommand
import SpeechKit

struct VoicesCommand: Command {
  static let about = CommandDeclaration(
    name: "voices",
    summary: "List the installed voices, or those of a service",
    discussion: """
      Prints a line per voice: the name for `say --voice`, its languages, the gender and the display
      name.

      A service is asked only if you name it with --provider, and then needs its key.

      --json writes an array of objects with “voice” (for `say --voice`), “provider”, “id”, “name”,
      “languages”, “gender” and “variants”; append a variant to the voice: espeak:en-us+f3.
      """,
    examples: [
      "speechkit voices --language de": "List the German voices",
      "speechkit voices --json | jq -r '.[].voice'": "List the names only",
    ],
    exits: [.unavailable: "There is no such voice, or the engine is not installed."])

  @Option("--language", "-l", as: .text("TAG"), help: "List voices of a language: en, de-AT.")
  var languageGiven: String?
  @Option("--provider", "-p", as: .voiceEngine, help: "List the voices of one engine.")
  var provider: VoiceEntry?
  @Option(
    "--server", as: .server,
    help: "The address of a server with OpenAI's interface; for voices and recognisers of openai.")
  var server: URL?
  @Flag("--json", help: "Write JSON.") var isJSON

  func validate() throws { _ = try BackendName(nil, provider: provider, server: server) }

  private var language: String { languageGiven ?? "" }

  private var entries: [VoiceEntry] {
    provider.map { [$0] } ?? SpeechCatalog.current.voices.filter(\.isLocal)
  }

  func run(on terminal: Terminal) async throws {
    let voices = try await voices(on: terminal)
    let table = TextTable(
      voices.map { voice in
        [
          "\(voice.providerId):\(voice.id)", voice.languages.joined(separator: ","),
          voice.gender.rawValue,
          voice.name,
        ]
      })
    let records = voices.map { voice -> JSONRecord in
      [
        "voice": "\(voice.providerId):\(voice.id)", "provider": voice.providerId, "id": voice.id,
        "name": voice.name, "languages": voice.languages, "gender": voice.gender.rawValue,
        "variants": voice.variants,
      ]
    }
    try await terminal.write(table.text, json: records, isJSON: isJSON)
    if voices.isEmpty {
      throw CommandFailure(
        .unavailable,
        language.isEmpty
          ? "There are no voices. Install espeak-ng-data and libflite1."
          : "There is no voice for “\(language)”. `speechkit voices` lists all.")
    }
  }

  private func voices(on terminal: Terminal) async throws -> [Voice] {
    let listing = try await VoiceListing(
      of: entries, languageCode: language, settings: VoiceSettings(server: server))
    // The voices of the other engines are still listed.
    for failure in listing.failures {
      await terminal.noteFailure(failure.error.localizedDescription)
    }
    if listing.voices.isEmpty, let last = listing.failures.last {
      throw CommandFailure(ExitStatus(last.error))
    }
    return listing.voices
  }
}
