import SpeechText

/// The record of a conversation: the words that were really spoken, the events, and the audio of
/// both sides.
public struct ConversationRecord: Sendable, Equatable {
  /// The lines that were really spoken, with times from the beginning.
  public var lines: [SpokenLine]
  /// The lines whose cue never came.
  public var unsaid: [String]
  /// The events in order.
  public var events: [VoiceLoopEvent]
  /// The replies of the responder.
  public var replies: [RecordedReply]
  /// The history of the loop at the end; `nil` if it is not known.
  public var history: ConversationHistory?
  /// The audio from the microphone.
  public var heard: PCMBuffer
  /// The audio that was heard from the loudspeaker.
  public var played: PCMBuffer

  /// Creates a record from its parts, to test expectations about any conversation.
  public init(
    lines: [SpokenLine] = [], unsaid: [String] = [], events: [VoiceLoopEvent],
    replies: [RecordedReply] = [], history: ConversationHistory? = nil, heard: PCMBuffer,
    played: PCMBuffer
  ) {
    self.lines = lines
    self.unsaid = unsaid
    self.events = events
    self.replies = replies
    self.history = history
    self.heard = heard
    self.played = played
  }

  /// Creates a record of a conversation that `speechkit loop --record` has kept. The words that
  /// were really spoken are not known.
  public init(_ bundle: ConversationBundle) {
    self.init(
      events: bundle.events, replies: bundle.replies, heard: bundle.heard, played: bundle.played)
  }

  /// The duration of the conversation.
  public var duration: Duration {
    ([heard.duration, played.duration, events.last?.time ?? .zero] + lines.map(\.end)).max()
      ?? .zero
  }

  /// The lines and events in order of time, one in each row. Equal conversations give equal bytes.
  public var log: String { timeline(events.map { ($0.time, $0.line) }) { String(describing: $0) } }

  /// The lines and events in words, without partial results, single words and other details.
  public var story: String {
    timeline(events.compactMap { event in event.kind.inWords.map { (event.time, $0) } }) {
      let what = $0.words.isEmpty ? "makes a sound" : "says “\($0.words)”"
      return "\($0.person) \(what) (until \($0.end.clockText))"
    }
  }

  private func timeline(
    _ events: [(Duration, String)], _ say: (SpokenLine) -> String
  ) -> String {
    let all = lines.map { ($0.start, say($0)) } + events
    // Entries of one instant keep their order, the lines first.
    return all.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
      .map { "\($0.element.0.clockText)  \($0.element.1)" }.joined(separator: "\n")
  }
}

extension Duration {
  /// The time in seconds with three decimals: “3.250”.
  var clockText: String { String(format: "%7.3f", self / .seconds(1)) }

  /// The time in seconds with a unit: “3.25 s”.
  var text: String {
    "\(((self / .seconds(1) * 1_000).rounded() / 1_000).brief) s"
  }
}

extension VoiceLoopEvent.Kind {
  /// The event in words; `nil` for details.
  var inWords: String? {
    switch self {
    case .listening, .userPartial, .word, .timings, .replyText, .thinking, .userStarted: nil
    case .asleep: "waits for the wake word"
    case .awake(let phrase): "woken by “\(phrase)”"
    case .userFinal(let text): "heard “\(text)”"
    case .userIgnored(let text, let reason): "ignored “\(text)” (\(reason.rawValue))"
    case .speaking(let text): "says “\(text.withoutBlanksAround)”"
    case .replyHeld: "pauses its reply"
    case .replyResumed(let reason): "resumes its reply (\(reason.rawValue))"
    case .interrupted(let heard, let unheard):
      "was interrupted after “\(heard.withoutBlanksAround)”, before "
        + "“\(unheard.withoutBlanksAround)”"
    case .replyFinished: "finished its reply"
    case .replyFailed(let reason): "failed to reply: \(reason)"
    case .voiceFailed(let error): "failed to speak: \(error.localizedDescription)"
    case .prompted(let number): "prompts the user (\(number))"
    case .away: "assumes that the user is gone"
    case .recognitionFailed(let error): "lost its recogniser: \(error.localizedDescription)"
    case .recognitionReturned: "has a recogniser again"
    case .ended: "ended"
    }
  }
}

extension String {
  var withoutBlanksAround: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
