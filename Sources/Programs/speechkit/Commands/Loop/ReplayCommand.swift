import SpeechCommand
import SpeechTesting

struct ReplayCommand: Command {
  static let about = CommandDeclaration(
    name: "replay",
    summary: "Replay a recorded conversation and compare it",
    discussion: """
      Lets the loop hear heard.wav of a folder of `speechkit loop --record` again, in virtual time
      and without devices, and compares the events. If they differ, it prints the last events that
      agree, then the recorded ones after “-” and the new ones after “+”. Options change the
      settings of the recording, to show the effect of another rule, voice or grammar.

      The recorded replies are used again at their original pace, unless you choose another
      --responder. A question that was not asked in the recording has no reply and is reported as a
      failed reply.

      A recording whose program was stopped or killed is compared as far as it goes. One whose files
      do not belong together is refused.

      A conversation that was recorded with --input must be identical to the microsecond. For one
      with real devices, whose delays vary, the story is compared: who said what, what was ignored
      and why, which replies were heard and which were interrupted. The key of --push-to-talk is not
      recorded, so such a conversation cannot be replayed.

      --json writes an object with “isSame”, “events” (the number compared), “exactness” (exact or
      story), “isComplete” (false for a recording that stops early), and for a difference
      “agreeing”, “before”, “recorded” and “replayed”, lists of events.
      """,
    examples: [
      "speechkit replay talk": "Check that it is the same",
      "speechkit replay talk --no-interruptions": "Try it without interruptions",
      "speechkit replay talk -v flite:slt -o other.wav": "Try it with another voice",
    ],
    exits: [
      .different: "The conversation is different.",
      .badData: "The recording, a grammar or a script is not valid.",
      .noInput: "The recording, a grammar or a script is missing.",
      .unavailable: "There is no such voice, or no model for the language.",
      .cannotCreate: "A file cannot be written, or the folder of --record contains files.",
    ])

  @Argument("FOLDER", .input, help: "The recorded conversation.") var folder: String
  var options = LoopOptions()
  @Option(
    "--output", "-o", as: .text("FILE", .output(.sound())),
    help: "Write both sides of the conversation to one audio file.")
  var output: String?
  @Option(
    "--record", as: .text("FOLDER", .output(.folder)),
    help: "Record the new conversation in this new folder.")
  var record: String?
  @Flag("--json", help: "Write the outcome as JSON.") var isJSON

  func run(on terminal: Terminal) async throws {
    let bundle = try ConversationBundle(contentsOf: URL(filePath: folder))
    guard bundle.settings.rules.attention != .pushToTalk else {
      throw CommandFailure(
        .badData,
        "This push-to-talk conversation cannot be replayed, because the key is not recorded.")
    }
    let given = try await options.applied(to: bundle.settings, on: terminal)
    let assembly = try await VoiceLoopAssembly(given, voice: options.voice)
    var settings = assembly.settings
    settings.isVirtual = true
    if let responder = options.responder { settings.responder = responder.text }
    let archive = try ConversationArchive(
      settings, recordingIn: record.map { URL(filePath: $0) },
      bothSides: output.map { URL(filePath: $0) })
    var replayed: [VoiceLoopEvent] = []
    do {
      replayed = try await hold(bundle, assembly, archive)
    } catch {
      archive.discard()
      throw error
    }
    try archive.finish(isDurable: true)
    let exactness: EventComparison.Exactness = bundle.settings.isVirtual ? .exact : .story
    let comparison = EventComparison(
      bundle.events, replayed, exactness: exactness, before: bundle.end)
    if let end = bundle.end {
      await terminal.note(
        "The recording stops before its conversation ended. Its first "
          + "\(String(format: "%.1f", end / .seconds(1))) seconds are compared.")
    }
    if isJSON {
      let difference = comparison.difference
      try await terminal.writeJSON(
        [
          "isSame": difference == nil, "events": comparison.count, "exactness": "\(exactness)",
          "isComplete": bundle.end == nil,
          "agreeing": difference?.agreeing, "before": difference?.before,
          "recorded": difference?.recorded, "replayed": difference?.replayed,
        ] as JSONRecord)
    } else if let difference = comparison.difference {
      try await terminal.write(
        "The events differ after \(difference.agreeing) of "
          + "\(comparison.count):\n\(difference.text)\n")
    } else {
      let what = exactness == .exact ? "events are the same" : "events of the story are the same"
      try await terminal.writeLine("All \(comparison.count) \(what).")
    }
    if comparison.difference != nil { throw CommandFailure(.different) }
  }

  @MainActor private func hold(
    _ bundle: ConversationBundle, _ assembly: VoiceLoopAssembly, _ archive: ConversationArchive
  ) async throws -> [VoiceLoopEvent] {
    let options = options
    let sound = try bundle.heard.resampled(to: .recognition)
    var events: [VoiceLoopEvent] = []
    _ = try await VirtualConversation.hold(
      hearing: AudioScript().saying(sound, at: .zero).ending(at: sound.duration),
      stoppingAt: bundle.settings.isVirtual ? nil : sound.duration, into: archive,
      follow: { events.append($0) }
    ) { devices in
      let responder: any Responder =
        options.responder == nil
        ? ReplayingResponder(bundle.replies, clock: devices.clock)
        : try await options.makeResponder(
          for: assembly.settings, clock: devices.clock)
      return assembly.makeLoop(
        on: devices.forLoop, responder: devices.recorder.responder(responder),
        recognition: assembly.makeRecognition(on: devices.forLoop), endsWithInput: true)
    }
    return events
  }
}
