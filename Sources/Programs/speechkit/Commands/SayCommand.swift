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
      file.declaration, output.declaration, BackendOptions.voice.declaration,
      BackendOptions.provider.declaration, BackendOptions.server.declaration,
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
  private let name: BackendName
  private let style: SpeakingStyle
  private let isSSML: Bool
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
    name = try BackendName(
      arguments[BackendOptions.voice], provider: arguments[BackendOptions.provider],
      server: arguments[BackendOptions.server])
    style = SpeakingStyle(
      rate: Float(arguments[Self.rate] ?? 0.5),
      pitchMultiplier: Float(arguments[Self.pitch] ?? 1),
      volume: Float(arguments[Self.volume] ?? 1))
    isSSML = arguments[Self.ssml]
    deviceName = arguments[Self.device]
    if place != nil, deviceName != nil {
      throw UsageError("Give either --output or --device: the sound goes to one of them.")
    }
  }

  func run(on terminal: Terminal) async throws {
    let text = try await readText()
    guard !text.allSatisfy(\.isWhitespace) else { throw SpeechSynthesisProviderError.invalidText }
    let voice = try await AnyVoice(name, style: style, isSSML: isSSML)
    try await voice.entry.checkAccess(VoiceSettings(server: name.server))
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
