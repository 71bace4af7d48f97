import Foundation
import SpeechKit

/// `speechkit say`: speaks a text to the speakers or into a file.
struct SayCommand: Command {
  static let declaration = CommandDeclaration(
    name: "say",
    summary: "Speak a text",
    discussion: [
      "Speaks TEXT, the text of --file, or with “-” the text that comes through standard input; to the "
        + "speakers, or with -o into a file. It ends when the last sound has been heard.",
      "Ctrl-C ends it; a file keeps what was spoken until then.",
    ],
    positionals: [
      PositionalDeclaration(
        name: "TEXT", count: .optional, help: "What to say; “-” for standard input.",
        hint: .nothing)
    ],
    options: [
      file.declaration, output.declaration, voice.declaration, provider.declaration,
      server.declaration,
      rate.declaration, pitch.declaration, volume.declaration, ssml.declaration,
      device.declaration,
    ],
    examples: [
      .init("speechkit say \"Good morning.\"", "Speak with the usual voice"),
      .init("speechkit say -v espeak:de+f3 \"Guten Morgen.\"", "Speak German with a woman's voice"),
      .init("speechkit say --file letter.txt -o letter.ogg", "Make a sound file of a letter"),
      .init("date | speechkit say --rate 0.4 -", "Speak the output of a program, slowly"),
      .init("speechkit say -p elevenlabs Hello", "Speak with a service's voice"),
      .init("speechkit say Hello -o - | aplay", "Give the sound to another program, as WAV"),
    ],
    exits: [
      (.badData, "There is nothing to speak, or the text or its SSML is broken."),
      (.noInput, "The text file is missing or must not be read."),
      (.unavailable, "There is no such voice, or no loudspeaker."),
      (.cannotCreate, "The sound file cannot be written."),
    ])

  static let file = ValueOption<String>(
    "file", short: "f", value: "FILE", help: "Speak the text of a file.", hint: .input)
  static let output = ValueOption<String>(
    "output", short: "o", value: "FILE",
    help:
      "Write a sound file instead of playing: .wav, .flac, .ogg, .opus or .mp3; “-” writes WAV to "
      + "standard output.", hint: .output(.sound(orStandardOutput: true)))
  static let voice = ValueOption<VoiceName>(
    "voice", short: "v", value: "VOICE",
    help: "The voice: a language (en-gb), a name, or ENGINE:NAME. See `speechkit voices`."
  ) { text throws(UsageError) in try VoiceName(text) }
  static let provider = ValueOption<VoiceProviderName>(
    "provider", short: "p", value: "ENGINE", help: "The engine that speaks.")
  static let server = ValueOption<String>(
    "server", value: "URL",
    help: "The address of a server that speaks as OpenAI's does; with --provider openai.")
  static let rate = ValueOption<Double>(
    "rate", short: "r", value: "0…1", in: 0...1, help: "The pace; 0.5 is the voice's own.")
  static let pitch = ValueOption<Double>(
    "pitch", value: "0.5…2", in: 0.5...2, help: "The pitch; 1 is the voice's own.")
  static let volume = ValueOption<Double>(
    "volume", value: "0…1", in: 0...1, help: "The volume; 1 is full.")
  static let ssml = Flag("ssml", help: "The text is SSML, the speech synthesis markup language.")
  static let device = ValueOption<String>(
    "device", short: "d", value: "DEVICE",
    help: "The loudspeaker: its name or number. See `speechkit devices`.")

  private enum Source {
    case text(String)
    case file(String)
    case standardInput
  }

  private let source: Source
  private let place: OutputPlace?
  private let name: VoiceName
  private let style: SpeakingStyle
  private let isSSML: Bool
  private let server: String?
  private let deviceName: String?

  init(_ arguments: ParsedArguments) throws {
    switch (arguments.positionals.first, arguments[Self.file]) {
    case (nil, "-"?), ("-"?, nil): source = .standardInput
    case (nil, let path?): source = .file(path)
    case (let text?, nil): source = .text(text)
    case (nil, nil): throw UsageError("There is nothing to say: give TEXT, --file FILE, or - ")
    case (_?, _?): throw UsageError("Give either TEXT or --file, not both.")
    }
    place = arguments[Self.output].map { OutputPlace($0) }
    name = try VoiceName(arguments[Self.voice], provider: arguments[Self.provider])
    style = SpeakingStyle(
      rate: Float(arguments[Self.rate] ?? 0.5),
      pitchMultiplier: Float(arguments[Self.pitch] ?? 1),
      volume: Float(arguments[Self.volume] ?? 1))
    server = arguments[Self.server]
    if server != nil, name.provider != .openai {
      throw UsageError("--server goes with --provider openai.")
    }
    isSSML = arguments[Self.ssml]
    deviceName = arguments[Self.device]
    if place != nil, deviceName != nil {
      throw UsageError("Give either --output or --device: the sound goes to one of them.")
    }
  }

  func run(on terminal: Terminal) async throws {
    let text = try await readText()
    guard !text.allSatisfy(\.isWhitespace) else { throw SpeechSynthesisProviderError.invalidText }
    let voice = try await CommandVoice(
      name, style: style, isSSML: isSSML, server: server)
    try await name.provider?.requireKey(server: server)
    if let place {
      try await voice.write(text, to: place, on: terminal)
    } else {
      let speaker = PortAudioSpeaker(device: AudioDeviceSelector(deviceName ?? ""))
      let provider = voice.makeProvider(output: speaker)
      try await SpeechSynthesisEngine(provider: provider).speak(text: text, voice: voice.voice)
    }
  }

  private func readText() async throws -> String {
    switch source {
    case .text(let text): text
    case .file(let path): try await TextInput().read(path: path)
    case .standardInput: try await TextInput().readStandardInput()
    }
  }
}

extension VoiceName {
  /// What `--voice` and `--provider` say together.
  ///
  /// - Throws: `UsageError` when they contradict each other.
  init(_ voice: VoiceName?, provider: VoiceProviderName?) throws(UsageError) {
    self = voice ?? VoiceName()
    guard let provider else { return }
    if let named = self.provider, named != provider {
      throw UsageError(
        "--voice asks for \(named.rawValue) and --provider for \(provider.rawValue).")
    }
    self.provider = provider
  }
}
