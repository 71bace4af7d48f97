import SpeechCommand
import SpeechKit

struct SayCommand: Command {
  static let about = CommandDeclaration(
    name: "say",
    summary: "Speak a text",
    discussion: """
      Speaks TEXT, the text of --file, or with “-” the text of standard input, on the loudspeakers
      or with -o to a file. The command ends when the last audio has been played.

      Ctrl-C stops it; a file keeps what was spoken so far.
      """,
    examples: [
      "speechkit say \"Good morning.\"": "Speak with the default voice",
      "speechkit say -v espeak:de+f3 \"Guten Morgen.\"": "Speak German with a woman's voice",
      "speechkit say --language auto \"Bonjour à tous.\"":
        "Speak with a voice of the text's language",
      "speechkit say --file letter.txt -o letter.ogg": "Write an audio file of a letter",
      "date | speechkit say --rate 0.4 -": "Speak the output of a program, slowly",
      "speechkit say -p elevenlabs Hello": "Speak with a service's voice",
      "speechkit say Hello -o - | aplay": "Pass the audio to another program as WAV",
    ],
    exits: [
      .badData: "There is nothing to speak, or the SSML is not valid.",
      .noInput: "The text file is missing or cannot be read.",
      .unavailable: "There is no such voice, or no loudspeaker.",
      .cannotCreate: "The audio file cannot be written.",
    ])

  @Argument("TEXT", help: "The text to speak; “-” for standard input.") var text: String?
  @Option("--file", "-f", as: .text("FILE", .input), help: "Speak the text of a file.")
  var file: String?
  @Option(
    "--output", "-o", as: .text("FILE", .output(.sound(orStandardOutput: true))),
    help:
      "Write an audio file instead of playing: .wav, .flac, .ogg, .opus or .mp3; “-” writes WAV to "
      + "standard output.")
  var output: String?
  @Option(
    "--voice", "-v", as: .voice(in: .current),
    help: "The voice: a language (en-gb), a name, or ENGINE:NAME. See `speechkit voices`.")
  var voice: BackendName?
  @Option(
    "--language", "-l", as: .text("TAG"),
    help: "The language of the text, instead of --voice; “auto” detects it.")
  var language: String?
  @Option("--provider", "-p", as: .voiceEngine, help: "The engine that speaks.")
  var provider: VoiceEntry?
  @Option(
    "--server", as: .server,
    help: "The address of a server with OpenAI's interface; for voices and recognisers of openai.")
  var server: URL?
  @Option("--rate", "-r", as: .number("0…1", in: 0...1), help: "The pace. Default: 0.5.")
  var rate = 0.5
  @Option("--pitch", as: .number("0.5…2", in: 0.5...2), help: "The pitch. Default: 1.")
  var pitch = 1.0
  @Option("--volume", as: .number("0…1", in: 0...1), help: "The volume. Default: 1, full volume.")
  var volume = 1.0
  @Flag("--ssml", help: "The text is SSML, the speech synthesis markup language.") var isSSML
  @Option(
    "--device", "-d", as: .text("DEVICE"),
    help: "The loudspeaker: its name or number. See `speechkit devices`.")
  var device: String?

  func validate() throws {
    _ = try source
    _ = try name
    if output != nil, device != nil {
      throw UsageError("Give either --output or --device: the audio goes to one of them.")
    }
  }

  private var source: TextSource {
    get throws(UsageError) {
      switch (text, file) {
      case ("-"?, nil): .standardInput
      case (nil, let path?): TextSource(path: path)
      case (let text?, nil): .text(text)
      case (nil, nil): throw UsageError("There is nothing to say: give TEXT, --file FILE, or - ")
      case (_?, _?): throw UsageError("Give either TEXT or --file, not both.")
      }
    }
  }

  private var name: BackendName {
    get throws(UsageError) {
      var name = voice
      if let language {
        guard voice == nil else {
          throw UsageError("Give either --voice or --language: a voice has its language.")
        }
        name = BackendName(entry: provider?.name ?? "", variant: language)
      }
      return try BackendName(name, provider: provider, server: server)
    }
  }

  private var style: SpeakingStyle {
    SpeakingStyle(rate: Float(rate), pitchMultiplier: Float(pitch), volume: Float(volume))
  }

  func run(on terminal: Terminal) async throws {
    let text = try await TextInput().read(source)
    guard !text.allSatisfy(\.isWhitespace) else { throw SpeechSynthesisProviderError.invalidText }
    let name = try name
    let voice = try await AnyVoice(name, in: .current, style: style, isSSML: isSSML)
    try await voice.checkAccess()
    if let output {
      try await voice.write(text, to: OutputPlace(output), on: terminal)
    } else {
      let speaker = PortAudioSpeaker(device: AudioDeviceSelector(device ?? ""))
      let provider = voice.makeProvider(output: speaker)
      try await SpeechSynthesisEngine(provider: provider).speak(text: text, voice: voice.voice)
    }
  }
}
