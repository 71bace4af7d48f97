import Foundation
import SpeechAudio
import SpeechCommand
import SpeechCore
import SpeechPocketSphinx
import SpeechPortAudio

package struct DemoCommand<Source: CatalogSource>: Command {
  package static var about: CommandDeclaration {
    CommandDeclaration(
      name: "demo",
      summary: "Hold a spoken conversation, and measure it",
      discussion: """
        A guest orders a coffee. One voice speaks the guest's lines into a microphone in memory,
        PocketSphinx recognises them with a grammar (models/demo.gram), and a second voice answers
        the recognised text. The conversation is printed with its latencies and written as a WAV
        file. It needs no microphone, loudspeaker or network, and runs faster than real time.

        The demo fails if a line is not recognised as it was spoken. After Ctrl-C the conversation
        so far is written.

        With --live you are the guest, at the real microphone and loudspeakers. Say for example:
        “can I have a small latte”, “soy milk please”, “yes”, “no thank you”.

        --json writes an object with “turns” (“said”, “heard”, “isUnderstood”, “confidence”,
        “answer”, and in seconds “detectionDelay”, “decodingTime”, “latency”, “firstSoundDelay”),
        “duration”, “elapsed”, “realTimeFactor”, “isUnderstood”, “file”, “greeting” and the
        voices.
        """,
      examples: [
        "speechkit demo": "Hold the conversation and write demo.wav",
        "speechkit demo --live": "Order a coffee yourself",
        "speechkit demo --json | jq '.turns[].latency'": "Print the latency of each line",
      ],
      exits: [
        .badData: "The grammar is not valid.",
        .noInput: "The file of --grammar is missing.",
        .unavailable: "A model, a voice or, with --live, a device is missing.",
        .software: "A line was misheard, or an error in speechkit itself.",
        .cannotCreate: "The WAV file cannot be written.",
      ])
  }

  @Option(
    "--output", "-o", as: .text("FILE", .output(.sound())),
    help: "The file for the audio. Default: demo.wav, and none with --live.")
  var path: String?
  @Flag("--live", help: "Be the guest yourself.") var isLive
  @Flag("--json", help: "Write JSON at the end.") var isJSON
  @Option(
    "--voice-user", as: .voice(in: Source.catalog), help: "The guest's voice. Default: flite:slt.")
  var guestVoice: BackendName?
  @Option(
    "--voice", "-v", as: .voice(in: Source.catalog),
    help: "The voice that answers. Default: espeak:en-us.")
  var answerVoice: BackendName?
  var recognition = RecogniserOptions<Source>()
  @Option(
    "--grammar", "-g", as: .text("FILE", .input), help: "A grammar instead of models/demo.gram.")
  var grammar: String?
  @Option("--device", "-d", as: .text("DEVICE"), help: "The microphone for --live.")
  var device: String?
  @Option("--speaker", as: .text("DEVICE"), help: "The loudspeaker for --live.")
  var speaker: String?

  package init() {}

  package func validate() throws {
    guard isLive || (device == nil && speaker == nil) else {
      throw UsageError("--device and --speaker are for --live.")
    }
  }

  package var derivedOutputs: [(path: String, kind: OutputKind)] {
    output.map { [($0.relativePath, .sound())] } ?? []
  }

  private var output: URL? { (path ?? (isLive ? nil : "demo.wav")).map { URL(filePath: $0) } }

  package func run(on terminal: Terminal) async throws {
    let catalog = Source.catalog
    let recogniser = try catalog.recogniser(
      recognition.name(), settings: RecogniserSettings(search: try await search()))
    let voice = try await AnyVoice(
      answerVoice ?? (try? BackendName(voice: "espeak:en-us", in: catalog))
        ?? BackendName(voice: "flite:rms", in: catalog),
      in: catalog)
    let guest: DemoConversation.Guest =
      isLive
      ? .person(
        microphone: PortAudioMicrophone(device: AudioDeviceSelector(device ?? "")),
        speaker: PortAudioSpeaker(device: AudioDeviceSelector(speaker ?? "")))
      : .scripted(
        DemoConversation.lines,
        try await AnyVoice(
          guestVoice ?? BackendName(voice: "flite:slt", in: catalog), in: catalog))
    let conversation = DemoConversation(guest: guest, voice: voice, recogniser: recogniser)
    let printer = DemoPrinter(terminal: terminal, isJSON: isJSON, isLive: isLive)
    var report: DemoReport
    do {
      report = try await conversation.run(tell: printer.print)
    } catch  where Task.isCancelled {
      try await keep(try conversation.sound, on: terminal)
      throw error
    }
    if let output {
      try AudioFile.write(try conversation.sound, to: output)
      report.file = output.path(percentEncoded: false)
    }
    try await printer.print(report)
    let wrong = report.turns.filter { !$0.isUnderstood }
    if let first = wrong.first {
      throw CommandFailure(
        .software,
        "\(wrong.count) of \(report.turns.count) lines were misheard, first “\(first.said ?? "")” "
          + "as “\(first.heard)”.")
    }
    if !isLive, report.turns.count < DemoConversation.lines.count {
      throw CommandFailure(.software, "The conversation ended before everything was said.")
    }
  }

  /// Writes the conversation up to its interruption.
  private func keep(_ sound: PCMBuffer, on terminal: Terminal) async throws {
    guard let output else { return }
    if sound.frameCount > 0 { try AudioFile.write(sound, to: output) }
    await terminal.noteInterruption(of: output, after: sound.duration)
  }

  private func search() async throws -> RecogniserSettings.Search {
    guard let grammar else {
      return .grammar(String(decoding: PackageResources.demo_gram, as: UTF8.self))
    }
    _ = try await TextInput().read(path: grammar)
    return .grammarFile(URL(filePath: grammar))
  }
}
