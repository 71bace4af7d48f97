import SpeechCommand
import SpeechTesting

struct LoopCommand: Command {
  static let about = CommandDeclaration(
    name: "loop",
    summary: "Hold a conversation by voice",
    discussion: """
      Listens to the user, asks the responder and speaks its reply, until Ctrl-C. The user may
      interrupt: the reply pauses, and resumes if it was only a cough. Words like “stop” always end
      it. With a grammar, only its sentences, the wake word and the stop words are recognised. A
      line on standard error reports other speech, which is rejected; --accept off accepts it.

      With --input the conversation is held with an audio file instead of devices, in virtual time:
      as fast as the machine permits, with identical events in every run. Two seconds of silence
      follow the file, and the user in it does not wait for the replies. --output gets both sides,
      mixed at 16 kHz. Services are called as usual, but their answers take no virtual time.

      --record keeps the conversation in a new folder: heard.wav and played.wav, which start with
      the loop; events.jsonl and replies.jsonl; settings.json; and at the end manifest.json, which
      proves that they belong together. `speechkit replay` repeats it.

      All files are written while the conversation is held. Ctrl-C, SIGTERM and SIGHUP complete
      them. If the program is killed, a recording has everything up to the last second, which
      `speechkit replay` uses, --metrics has the turns so far, and --output leaves a hidden “.part”
      file beside its place.

      --json writes each event as an object on a line: “time” (seconds since the start), “turn”,
      “kind”, and depending on the kind: “text” (awake, userPartial, userFinal, userIgnored,
      replyText, speaking, replyFinished), “reason” (userIgnored, replyResumed), “start” and “end”
      in Unicode scalars of the reply (word), “heard” and “unheard” (interrupted), “number”
      (prompted), “detail” (replyFailed), “error” and “detail” (voiceFailed, recognitionFailed),
      “timings” in seconds (timings: endOfTurn, finalText, firstToken, firstSound). The others are
      listening, asleep, userStarted, thinking, replyHeld, recognitionReturned, away and ended.

      On a terminal a few lines show whose turn it is, the level, the text with the current word
      highlighted, and the duration of the last turn. At the end, without --json, a table shows how
      long the stages of each turn took.
      """,
    examples: [
      "speechkit loop": "Hear your own words, and interrupt them",
      "speechkit loop --wake computer --grammar home.commands":
        "Recognise commands after a wake word",
      "speechkit loop -r openai:gpt-4o-mini --greeting \"Hello.\"": "Talk with a model",
      "speechkit loop -r action:translate --to Spanish": "Interpret into Spanish",
      "speechkit loop -r actions": "“Translate that to French”, for the selected text",
      "speechkit loop -i talk.wav -o both.wav --json": "Hold the conversation with a file",
      "speechkit loop -r local --record talk": "Record it for `speechkit replay talk`",
    ],
    exits: [
      .badData: "The grammar, the script or the audio file is not valid.",
      .noInput: "The grammar, the script or the audio file is missing.",
      .unavailable: "There is no microphone, loudspeaker, voice, or model for the language.",
      .cannotCreate: "A file cannot be written, or the folder of --record contains files.",
    ])

  var options = LoopOptions()
  @Flag("--headset", help: "Cancel no echo: the microphone cannot hear the loudspeaker.")
  var isHeadset
  @Flag("--echo-cancel", help: "Remove the program's own voice from the microphone; the default.")
  var cancelsEcho
  @Flag("--push-to-talk", help: "Begin and end turns with the space key only.") var isPushToTalk
  @Option(
    "--input", "-i", as: .text("FILE", .input),
    help: "Hear an audio file instead of the microphone, in virtual time.")
  var input: String?
  @Option(
    "--output", "-o", as: .text("FILE", .output(.sound())),
    help: "Write both sides of the conversation to one audio file.")
  var output: String?
  @Option(
    "--record", as: .text("FOLDER", .output(.folder)),
    help: "Record the whole conversation in this new folder.")
  var record: String?
  @Option(
    "--metrics", as: .metrics,
    help: "Write the timings so far after each turn: prometheus:FILE or otel:FILE.")
  var metrics: MetricsFile?
  @Flag("--trace", help: "Explain every decision on standard error at the end.") var isTraced
  @Flag("--json", help: "Write one JSON object per event.") var isJSON
  @Option(
    "--device", "-d", as: .text("DEVICE"),
    help: "The microphone: its name or number. See `speechkit devices`.")
  var device: String?
  @Option("--speaker", as: .text("DEVICE"), help: "The loudspeaker: its name or number.")
  var speaker: String?

  func validate() throws {
    guard [isHeadset, options.isHalfDuplex, cancelsEcho].count(where: \.self) < 2 else {
      throw UsageError("Give one of --headset, --half-duplex and --echo-cancel.")
    }
    guard input == nil || (device == nil && speaker == nil) else {
      throw UsageError("--device and --speaker are for a conversation without --input.")
    }
    guard input == nil || !cancelsEcho else {
      throw UsageError("--echo-cancel is for devices; a file contains no echo of the replies.")
    }
    guard !isPushToTalk || (input == nil && options.wakePhrases.isEmpty) else {
      throw UsageError("--push-to-talk goes neither with --input nor with --wake.")
    }
  }

  var derivedOutputs: [(path: String, kind: OutputKind)] {
    metrics.map { [($0.path, .text)] } ?? []
  }

  func run(on terminal: Terminal) async throws {
    let start = Date()
    var settings = ConversationSettings()
    settings.isVirtual = input != nil
    if isPushToTalk { settings.rules.attention = .pushToTalk }
    // Neither a file nor a headset's microphone contains the program's own words.
    settings.rules.ignoresOwnWords = input == nil && !isHeadset
    let given = try await options.applied(to: settings, on: terminal)
    let assembly = try await VoiceLoopAssembly(given, voice: options.voice)
    settings = assembly.settings
    settings.responder = (options.responder ?? .echo).text
    let printer = LoopPrinter(
      terminal: terminal, isJSON: isJSON, isDictated: settings.otherRecogniser != nil)
    let sound = try input.map { try AudioFileSound(URL(filePath: $0), as: .recognition) }
    let archive = try ConversationArchive(
      settings, recordingIn: record.map { URL(filePath: $0) },
      bothSides: output.map { URL(filePath: $0) })
    do {
      let trace =
        if let sound {
          try await hold(on: sound, assembly, archive, printer, from: start)
        } else {
          try await holdLive(assembly, archive, printer, from: start, terminal)
        }
      try await keep(archive, printer, from: start)
      try await printer.printTable()
      if isTraced {
        for decision in trace.decisions { await terminal.note("\(decision)") }
      }
      try Task.checkCancellation()
    } catch {
      if printer.hasBegun {
        try await keep(archive, printer, from: start)
      } else {
        archive.discard()
      }
      throw error
    }
  }

  /// Completes the files of a conversation that has ended, or was stopped.
  private func keep(
    _ archive: ConversationArchive, _ printer: LoopPrinter, from start: Date
  ) async throws {
    // A signal leaves no time to wait for the disk.
    let isDurable = !Task.isCancelled
    try archive.finish(isDurable: isDurable)
    try await metrics?.write(printer.table, from: start, isDurable: isDurable)
  }

  /// Prints the event, and writes the timings after each turn, so that they survive a kill.
  @MainActor private func follow(
    _ event: VoiceLoopEvent, _ printer: LoopPrinter, from start: Date
  ) async throws {
    try await printer.print(event)
    guard case .timings = event.kind else { return }
    // The last of these writes reports an error.
    try? await metrics?.write(printer.table, from: start, isDurable: false)
  }

  @MainActor private func hold(
    on sound: AudioFileSound, _ assembly: VoiceLoopAssembly, _ archive: ConversationArchive,
    _ printer: LoopPrinter, from start: Date
  ) async throws -> DecisionTrace {
    let held = try await VirtualConversation.hold(
      hearing: AudioScript().hearing(sound, quiet: .seconds(2)), into: archive,
      follow: { try await follow($0, printer, from: start) },
      makeLoop: { devices in
        let responder = try await options.makeResponder(
          for: assembly.settings, clock: devices.clock)
        return assembly.makeLoop(
          on: devices.forLoop, responder: devices.recorder.responder(responder),
          recognition: assembly.makeRecognition(on: devices.forLoop), endsWithInput: true)
      })
    if let failure = sound.failure { throw failure }
    return held.loop.trace
  }

  @MainActor private func holdLive(
    _ assembly: VoiceLoopAssembly, _ archive: ConversationArchive, _ printer: LoopPrinter,
    from start: Date, _ terminal: Terminal
  ) async throws -> DecisionTrace {
    var devices = VoiceLoopDevices(
      microphone: PortAudioMicrophone(device: AudioDeviceSelector(device ?? "")),
      speaker: PortAudioSpeaker(device: AudioDeviceSelector(speaker ?? "")),
      cancelsEcho: !isHeadset && !options.isHalfDuplex)
    let meter = LoopScreen.Meter()
    if terminal.isInteractive { devices.microphone = meter.metered(devices.microphone) }
    let responder = try await options.makeResponder(
      for: assembly.settings, clock: devices.clock)
    let recorder = ConversationRecorder(clock: devices.clock, archive: archive)
    let keepsSound = record != nil || output != nil
    if keepsSound { devices = devices.recorded(by: recorder) }
    let loop = assembly.makeLoop(
      on: devices, responder: keepsSound ? recorder.responder(responder) : responder,
      recognition: assembly.makeRecognition(on: devices))
    let events = loop.events
    let keys = isPushToTalk ? try KeyPresses() : nil
    try await loop.start()
    let talking = Task { await keys?.steer(loop) }
    // A separate task, because the words before Ctrl-C are still to be printed.
    let screen = LoopScreen()
    let following = Task {
      for await event in events {
        recorder.note(event)
        screen.take(event)
        try await follow(event, printer, from: start)
        await terminal.showStatus(screen.lines(level: meter.level))
      }
    }
    let drawing = Task {
      // The level changes without events.
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
    return loop.trace
  }
}

extension ValueFormat where Value == MetricsFile {
  fileprivate static var metrics: Self {
    Self("FORM:FILE") { text, _ in try MetricsFile(text) }
  }
}
