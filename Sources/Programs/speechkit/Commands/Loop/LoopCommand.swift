import Foundation
import SpeechKit
import SpeechTesting

/// `speechkit loop`: a conversation by voice.
struct LoopCommand: Command {
  static let declaration = CommandDeclaration(
    name: "loop",
    summary: "Hold a conversation by voice",
    discussion: [
      "Hears the user, asks the responder and says its reply, until Ctrl-C. The user may interrupt: the reply "
        + "stops, and goes on if it was only a cough. Words like “stop” always end it. With a grammar nothing "
        + "else is understood, but for the wake word and the stop words; what is not believed to be a sentence "
        + "of it is ignored (--accept).",
      "With --input the conversation is held on a sound file instead of devices, in virtual time: as fast as "
        + "the machine can follow, with the same events to the byte in every run. The file is heard as it is, "
        + "with two seconds of silence behind it; the user in it does not wait for the replies. --output gets "
        + "both sides, mixed at 16 kHz. Services are really asked, and their answers take no time.",
      "With --record all of it is kept in a folder: heard.wav and played.wav, which begin with the loop; "
        + "events.jsonl and replies.jsonl; settings.json. `speechkit replay` holds it again. The sound is kept "
        + "in memory until the end, 115 MB an hour.",
      "With --json each event is an object on a line: “time” (seconds since the start), “turn”, “kind”, and by "
        + "kind: “text” (awake, userPartial, userFinal, userIgnored, replyText, speaking, replyFinished), "
        + "“reason” (userIgnored, replyResumed), “start” and “end” in Unicode scalars of the reply (word), "
        + "“heard” and “unheard” (interrupted), “number” (prompted), “detail” (replyFailed), “error” and "
        + "“detail” (voiceFailed, recognitionFailed), “timings” in seconds (timings: endOfTurn, finalText, "
        + "firstToken, firstSound). The others are listening, asleep, userStarted, thinking, replyHeld, "
        + "recognitionReturned, away and ended.",
      "On a terminal a few lines show who has the floor, how loud it is, what is being said, with the word that is "
        + "heard now lit, and how long the last turn took. At the end, without --json, a table says how long the stages of each turn took.",
    ],
    options: LoopOptions.declarations + [
      LoopOptions.headset.declaration, LoopOptions.echoCancel.declaration, pushToTalk.declaration,
      input.declaration, output.declaration, record.declaration, metrics.declaration,
      trace.declaration, json.declaration, device.declaration, speaker.declaration,
    ],
    examples: [
      .init("speechkit loop", "Hear your own words back, and interrupt them"),
      .init(
        "speechkit loop --wake computer --grammar home.commands", "Commands behind a wake word"),
      .init("speechkit loop -r openai:gpt-4o-mini --greeting \"Hello.\"", "Talk with a model"),
      .init("speechkit loop -r action:translate --to Spanish", "An interpreter"),
      .init("speechkit loop -r actions", "“Translate that to French”, over what is selected"),
      .init("speechkit loop -i talk.wav -o both.wav --json", "The same on a file, in no time"),
      .init("speechkit loop -r local --record talk", "Keep it, for `speechkit replay talk`"),
    ],
    exits: [
      (.badData, "The grammar, the script or the sound file is broken."),
      (.noInput, "The grammar, the script or the sound file is missing."),
      (.unavailable, "There is no microphone, loudspeaker, voice, or model for the language."),
      (.cannotCreate, "A file cannot be written."),
    ])

  static let pushToTalk = Flag(
    "push-to-talk", help: "The space key begins a turn, and again ends it; no other sound counts.")
  static let input = ValueOption<String>(
    "input", short: "i", value: "FILE",
    help: "Hear a sound file in place of the microphone, in virtual time.", hint: .input)
  static let output = ValueOption<String>(
    "output", short: "o", value: "FILE",
    help: "Where both sides of the conversation go, as one sound.",
    hint: .output(.sound()))
  static let record = ValueOption<String>(
    "record", value: "FOLDER", help: "Keep all of the conversation there.", hint: .output(.folder))
  static let metrics = ValueOption<MetricsFile>(
    "metrics", value: "FORM:FILE",
    help: "Write the timings when it is over: prometheus:FILE or otel:FILE.", hint: .nothing
  ) { text throws(UsageError) in try MetricsFile(text) }
  static let trace = Flag(
    "trace", help: "When it is over, say on standard error what was decided when, and why.")
  static let json = Flag("json", help: "Write an object of JSON per event.")
  static let device = ValueOption<String>(
    "device", short: "d", value: "DEVICE",
    help: "The microphone: its name or number. See `speechkit devices`.")
  static let speaker = ValueOption<String>(
    "speaker", value: "DEVICE", help: "The loudspeaker: its name or number.")

  private let options: LoopOptions
  private let input: URL?
  private let output: URL?
  private let record: URL?
  private let metrics: MetricsFile?
  private let isTraced: Bool
  private let isJSON: Bool
  private let isPushToTalk: Bool
  private let isHeadset: Bool
  private let isHalfDuplex: Bool
  private let microphone: AudioDeviceSelector
  private let speaker: AudioDeviceSelector

  init(_ arguments: ParsedArguments) throws {
    options = try LoopOptions(arguments)
    input = arguments[Self.input].map { URL(filePath: $0) }
    output = arguments[Self.output].map { URL(filePath: $0) }
    record = arguments[Self.record].map { URL(filePath: $0) }
    metrics = arguments[Self.metrics]
    if let metrics { try arguments.checkOutput(metrics.path, .text) }
    isTraced = arguments[Self.trace]
    isJSON = arguments[Self.json]
    isPushToTalk = arguments[Self.pushToTalk]
    isHeadset = arguments[LoopOptions.headset]
    isHalfDuplex = arguments[LoopOptions.halfDuplex]
    microphone = AudioDeviceSelector(arguments[Self.device] ?? "")
    speaker = AudioDeviceSelector(arguments[Self.speaker] ?? "")
    let ways = [isHeadset, isHalfDuplex, arguments[LoopOptions.echoCancel]]
    guard ways.count(where: \.self) < 2 else {
      throw UsageError("Give one of --headset, --half-duplex and --echo-cancel.")
    }
    guard input == nil || (arguments[Self.device] == nil && arguments[Self.speaker] == nil) else {
      throw UsageError("--device and --speaker are for a conversation without --input.")
    }
    guard input == nil || !arguments[LoopOptions.echoCancel] else {
      throw UsageError("--echo-cancel is for devices; in a file nobody hears the replies.")
    }
    guard !isPushToTalk || (input == nil && arguments.all(LoopOptions.wake).isEmpty) else {
      throw UsageError("--push-to-talk goes neither with --input nor with --wake.")
    }
  }

  func run(on terminal: Terminal) async throws {
    let start = Date()
    var settings = ConversationSettings()
    settings.isVirtual = input != nil
    if isPushToTalk { settings.rules.attention = .pushToTalk }
    // Nobody hears our own words there.
    settings.rules.ignoresOwnWords = input == nil && !isHeadset
    let given = try await options.applied(to: settings)
    let assembly = try await VoiceLoopAssembly(given, voice: options.voice)
    settings = assembly.settings
    settings.responder = (options.responder ?? .echo).text
    let printer = LoopPrinter(terminal: terminal, isJSON: isJSON)
    let held: HeldConversation
    if let input {
      held = try await hold(on: try AudioFile.read(input, as: .recognition), assembly, printer)
    } else {
      held = try await holdLive(assembly, printer, terminal)
    }
    let table = TurnTimingsTable(events: held.recorder.events)
    if let record { try held.recorder.bundle(settings).write(to: record) }
    if let output { try AudioFile.write(try held.recorder.bothSides(), to: output) }
    try await metrics?.write(table, from: start)
    try await printer.print(table)
    if isTraced {
      for decision in held.trace.decisions { await terminal.note("\(decision)") }
    }
    try Task.checkCancellation()
  }

  /// A conversation that is over.
  private struct HeldConversation: Sendable {
    var recorder: ConversationRecorder
    var trace: DecisionTrace
  }

  @MainActor private func hold(
    on sound: PCMBuffer, _ assembly: VoiceLoopAssembly, _ printer: LoopPrinter
  ) async throws -> HeldConversation {
    let held = try await VirtualConversation.hold(
      hearing: sound, quiet: .seconds(2), follow: { try await printer.print($0) },
      makeLoop: { devices in
        let responder = try await options.makeResponder(
          otherwise: .echo, for: assembly.settings, clock: devices.clock)
        return assembly.makeLoop(
          on: devices.forLoop, responder: devices.recorder.responder(responder),
          endsWithInput: true)
      })
    return HeldConversation(recorder: held.recorder, trace: held.loop.trace)
  }

  @MainActor private func holdLive(
    _ assembly: VoiceLoopAssembly, _ printer: LoopPrinter, _ terminal: Terminal
  ) async throws -> HeldConversation {
    var devices = VoiceLoopDevices(
      microphone: PortAudioMicrophone(device: microphone),
      speaker: PortAudioSpeaker(device: speaker), cancelsEcho: !isHeadset && !isHalfDuplex)
    let meter = LoopScreen.Meter()
    if terminal.isInteractive { devices.microphone = meter.metered(devices.microphone) }
    let responder = try await options.makeResponder(
      otherwise: .echo, for: assembly.settings, clock: devices.clock)
    let recorder = ConversationRecorder(clock: devices.clock)
    let keepsSound = record != nil || output != nil
    let loop = assembly.makeLoop(
      on: keepsSound ? devices.recorded(by: recorder) : devices,
      responder: keepsSound ? recorder.responder(responder) : responder)
    let events = loop.events
    let keys = isPushToTalk ? try KeyPresses() : nil
    try await loop.start()
    let talking = Task { await keys?.steer(loop) }
    // A task of its own, because what was said before Ctrl-C is still to be printed.
    let screen = LoopScreen()
    let following = Task {
      for await event in events {
        recorder.note(event)
        screen.take(event)
        try await printer.print(event)
        await terminal.showStatus(screen.lines(level: meter.level))
      }
    }
    let drawing = Task {
      // The level changes without any event.
      while terminal.isInteractive, !Task.isCancelled {
        await terminal.showStatus(screen.lines(level: meter.level))
        try await Task.sleep(for: .milliseconds(100))
      }
    }
    let result = await withTaskCancellationHandler {
      await following.result
    } onCancel: {
      keys?.end()
      Task { @MainActor in await loop.stop() }
    }
    keys?.end()
    drawing.cancel()
    loop.cancel()
    await talking.value
    _ = await drawing.result
    await terminal.showStatus([])
    try result.get()
    return HeldConversation(recorder: recorder, trace: loop.trace)
  }
}
