import SpeechKit

/// `speechkit voices`: lists what can be spoken with.
struct VoicesCommand: Command {
  static let declaration = CommandDeclaration(
    name: "voices",
    summary: "List the voices that are installed, or those of a service",
    discussion: [
      "A line per voice: the name for `say --voice`, its languages, whose voice it sounds like, and what "
        + "it is called.",
      "A service is asked only when it is named with --provider, and needs its key then.",
      "With --json an array of objects with “voice” (for `say --voice`), “provider”, “id”, “name”, "
        + "“languages”, “gender” and “variants”; a variant is added to the voice: espeak:en-us+f3.",
    ],
    options: [
      language.declaration, provider.declaration, server.declaration, json.declaration,
    ],
    examples: [
      .init("speechkit voices --language de", "The German voices"),
      .init("speechkit voices --json | jq -r '.[].voice'", "Their names only"),
    ],
    exits: [(.unavailable, "There is no such voice, or the engine is not installed.")])

  static let language = ValueOption<String>(
    "language", short: "l", value: "TAG", help: "Only voices of that language: en, de-AT.")
  static let provider = ValueOption<VoiceProviderName>(
    "provider", short: "p", value: "ENGINE", help: "Only voices of that engine.")
  static let server = SayCommand.server
  static let json = Flag("json", help: "Write JSON.")

  private struct Row: Encodable {
    var voice: String
    var provider: String
    var id: String
    var name: String
    var languages: [String]
    var gender: String
    var variants: [String]
  }

  private let language: String
  private let provider: VoiceProviderName?
  private let server: String?
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws {
    language = arguments[Self.language] ?? ""
    provider = arguments[Self.provider]
    server = arguments[Self.server]
    if server != nil, provider != .openai {
      throw UsageError("--server goes with --provider openai.")
    }
    isJSON = arguments[Self.json]
  }

  func run(on terminal: Terminal) async throws {
    let rows = try await rows(on: terminal)
    if isJSON {
      try await terminal.writeJSON(rows)
    } else {
      let table = TextTable(
        rows.map { [$0.voice, $0.languages.joined(separator: ","), $0.gender, $0.name] })
      try await terminal.write(table.text)
    }
    if rows.isEmpty {
      throw CommandFailure(
        .unavailable,
        language.isEmpty
          ? "There are no voices. Install espeak-ng-data and libflite1."
          : "There is no voice for “\(language)”. `speechkit voices` lists all.")
    }
  }

  private func rows(on terminal: Terminal) async throws -> [Row] {
    var rows: [Row] = []
    var failure: (any Error)?
    for provider in provider.map({ [$0] }) ?? VoiceProviderName.allCases.filter(\.isLocal) {
      do {
        let voices = try await voices(of: provider)
        rows += voices.map { voice in
          Row(
            voice: "\(provider.rawValue):\(voice.id)", provider: provider.rawValue, id: voice.id,
            name: voice.name, languages: voice.languages, gender: voice.gender.rawValue,
            variants: voice.variants)
        }
      } catch {
        // One engine that is not installed is no reason to keep silent about the other.
        failure = error
        await terminal.noteFailure(error.localizedDescription)
      }
    }
    if rows.isEmpty, let failure { throw CommandFailure(ExitStatus(failure)) }
    return rows
  }

  private func voices(of provider: VoiceProviderName) async throws -> [Voice] {
    // Those of OpenAI are known without asking.
    if provider == .elevenlabs { try await provider.requireKey(server: server) }
    return switch provider {
    case .espeak:
      try await EspeakEngine().fetchVoices(languageCode: language, configuration: .default)
    case .flite:
      try await FliteEngine().fetchVoices(languageCode: language, configuration: .default)
    case .elevenlabs:
      try await ElevenLabsProvider().fetchVoices(languageCode: language, configuration: .default)
    case .openai:
      try await OpenAITTSProvider(server: server)
        .fetchVoices(languageCode: language, configuration: .default)
    }
  }
}
