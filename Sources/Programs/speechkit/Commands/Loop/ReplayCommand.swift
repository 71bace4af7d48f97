import Foundation
import SpeechKit
import SpeechTesting

/// `speechkit replay`: holds a recorded conversation again.
struct ReplayCommand: Command {
  static let about = CommandDeclaration(
    name: "replay",
    summary: "Hold a recorded conversation again, and compare",
    discussion: """
      Takes a folder that `speechkit loop --record` has written, lets the loop hear heard.wav again
      in virtual time, without devices, and says whether the events are the same or where they part:
      the last events that agree, then the recorded ones after “-” and the new ones after “+”. The
      options change the settings of the recording; so it shows what another rule, voice or grammar
      would have done.

      The recorded replies are given again, at the pace at which they came, unless --responder asks
      somebody else. A question that was never asked gets none: that is told as a failed reply.

      A conversation that was recorded with --input has to happen again to the microsecond. Of one
      with real devices, whose delays are chance, the story is compared: who said what, what was
      ignored and why, which replies were heard and which interrupted. The key of --push-to-talk is
      not recorded, so that such a conversation cannot be held again.

      With --json an object with “isSame”, “events” (how many were compared), “exactness” (exact or
      story), and for a difference “agreeing”, “before”, “recorded” and “replayed”, lists of events.
      """,
    examples: [
      .init("speechkit replay talk", "See that it happens again"),
      .init(
        "speechkit replay talk --no-interruptions", "What if nobody could have interrupted?"),
      .init("speechkit replay talk -v flite:slt -o other.wav", "Hear it with another voice"),
    ],
    exits: [
      (.different, "The conversation went another way."),
      (.badData, "The recording, a grammar or a script is broken."),
      (.noInput, "The recording, a grammar or a script is missing."),
      (.unavailable, "There is no such voice, or no model for the language."),
      (.cannotCreate, "A file cannot be written."),
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
        "The key of a push-to-talk conversation was not recorded; it cannot be held again.")
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
      try await terminal.writeJSON(ReplayOutcome(comparison, exactness))
    } else if let difference = comparison.difference {
      try await terminal.write(
        "The events part after \(difference.agreeing) of \(comparison.count):\n\(difference.text)\n"
      )
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
          otherwise: .echo, for: assembly.settings, clock: devices.clock)
      return assembly.makeLoop(
        on: devices.forLoop, responder: devices.recorder.responder(responder),
        endsWithInput: true)
    }.recorder
  }
}

/// How a replay ended, as `--json` writes it.
private struct ReplayOutcome: Encodable {
  var isSame: Bool
  var events: Int
  var exactness: String
  var agreeing: Int?
  var before: [String]?
  var recorded: [String]?
  var replayed: [String]?

  init(_ comparison: EventComparison, _ exactness: EventComparison.Exactness) {
    isSame = comparison.difference == nil
    events = comparison.count
    self.exactness = "\(exactness)"
    agreeing = comparison.difference?.agreeing
    before = comparison.difference?.before
    recorded = comparison.difference?.recorded
    replayed = comparison.difference?.replayed
  }
}
