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

      A conversation that was recorded with --input must be identical to the microsecond. For one
      with real devices, whose delays vary, the story is compared: who said what, what was ignored
      and why, which replies were heard and which were interrupted. The key of --push-to-talk is not
      recorded, so such a conversation cannot be replayed.

      --json writes an object with “isSame”, “events” (the number compared), “exactness” (exact or
      story), and for a difference “agreeing”, “before”, “recorded” and “replayed”, lists of events.
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
      .cannotCreate: "A file cannot be written.",
    ])

  @Argument("FOLDER", .input, help: "The recorded conversation.") var folder: String
  var options = LoopOptions()
  @Option(
    "--output", "-o", as: .text("FILE", .output(.sound())),
    help: "Write both sides of the conversation to one audio file.")
  var output: String?
  @Option(
    "--record", as: .text("FOLDER", .output(.folder)), help: "Record the new conversation there.")
  var record: String?
  @Flag("--json", help: "Write the outcome as JSON.") var isJSON

  func run(on terminal: Terminal) async throws {
    let bundle = try ConversationBundle(contentsOf: URL(filePath: folder))
    guard bundle.settings.rules.attention != .pushToTalk else {
      throw CommandFailure(
        .badData,
        "This push-to-talk conversation cannot be replayed, because the key is not recorded.")
    }
    let given = try await options.applied(to: bundle.settings)
    let assembly = try await VoiceLoopAssembly(given, voice: options.voice)
    let recorder = try await hold(bundle, assembly)
    let exactness: EventComparison.Exactness = bundle.settings.isVirtual ? .exact : .story
    let comparison = EventComparison(bundle.events, recorder.events, exactness: exactness)
    var settings = assembly.settings
    settings.isVirtual = true
    if let responder = options.responder { settings.responder = responder.text }
    if let record { try recorder.bundle(settings).write(to: URL(filePath: record)) }
    if let output { try AudioFile.write(try recorder.bothSides(), to: URL(filePath: output)) }
    if isJSON {
      let difference = comparison.difference
      try await terminal.writeJSON(
        [
          "isSame": difference == nil, "events": comparison.count, "exactness": "\(exactness)",
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
    _ bundle: ConversationBundle, _ assembly: VoiceLoopAssembly
  ) async throws -> ConversationRecorder {
    let options = options
    let sound = try bundle.heard.resampled(to: .recognition)
    return try await VirtualConversation.hold(
      hearing: sound, stopsAtEnd: !bundle.settings.isVirtual
    ) { devices in
      let responder: any Responder =
        options.responder == nil
        ? ReplayingResponder(bundle.replies, clock: devices.clock)
        : try await options.makeResponder(
          for: assembly.settings, clock: devices.clock)
      return assembly.makeLoop(
        on: devices.forLoop, responder: devices.recorder.responder(responder),
        endsWithInput: true)
    }.recorder
  }
}
