/// A conversation that was held, with all that is known of it: who really said what, what happened, and both
/// sides' sound.
public struct ConversationRecord: Sendable, Equatable {
  /// What was really said, with times from the beginning.
  public var lines: [SpokenLine]
  /// The lines whose moment never came.
  public var unsaid: [String]
  /// What happened.
  public var events: [VoiceLoopEvent]
  /// What the responder said.
  public var replies: [RecordedReply]
  /// What the microphone heard.
  public var heard: PCMBuffer
  /// What was heard from the loudspeaker.
  public var played: PCMBuffer

  /// A conversation.
  public init(
    lines: [SpokenLine] = [], unsaid: [String] = [], events: [VoiceLoopEvent],
    replies: [RecordedReply] = [], heard: PCMBuffer, played: PCMBuffer
  ) {
    self.lines = lines
    self.unsaid = unsaid
    self.events = events
    self.replies = replies
    self.heard = heard
    self.played = played
  }

  /// A conversation that `speechkit loop --record` kept, so that it can be judged; who really said what is not
  /// known of it.
  public init(_ bundle: ConversationBundle) {
    self.init(
      events: bundle.events, replies: bundle.replies, heard: bundle.heard, played: bundle.played)
  }

  /// How long it lasted.
  public var duration: Duration {
    ([heard.duration, played.duration, events.last?.time ?? .zero] + lines.map(\.end)).max()
      ?? .zero
  }

  /// What was said and what happened, a line for each, in order of time: the same conversation gives the same
  /// bytes.
  public var log: String { timeline(events.map { ($0.time, $0.line) }) { String(describing: $0) } }

  /// The same in words, without guesses, single words and other small print.
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
    // What happens at one time stays in its order, the lines first.
    return all.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
      .map { "\($0.element.0.clockText)  \($0.element.1)" }.joined(separator: "\n")
  }
}

extension Duration {
  /// “3.250”: seconds, to the thousandth.
  var clockText: String { String(format: "%7.3f", self / .seconds(1)) }

  /// “3.25 s”
  var text: String {
    let seconds = (self / .seconds(1) * 1_000).rounded() / 1_000
    return "\(seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)) s"
  }
}

extension VoiceLoopEvent.Kind {
  /// What happened, for a person; `nil` for small print.
  var inWords: String? {
    switch self {
    case .listening, .userPartial, .word, .timings, .replyText, .thinking, .userStarted: nil
    case .asleep: "asleep until the wake word"
    case .awake(let phrase): "awake, by “\(phrase)”"
    case .userFinal(let text): "heard “\(text)”"
    case .userIgnored(let text, let reason): "ignored “\(text)” (\(reason.rawValue))"
    case .speaking(let text): "says “\(text.withoutBlanksAround)”"
    case .replyHeld: "holds its reply"
    case .replyResumed(let reason): "goes on with its reply (\(reason.rawValue))"
    case .interrupted(let heard, let unheard):
      "was interrupted after “\(heard.withoutBlanksAround)”, before “\(unheard.withoutBlanksAround)”"
    case .replyFinished: "has said its reply"
    case .replyFailed(let reason): "has no reply: \(reason)"
    case .voiceFailed(let error): "has no voice: \(error.localizedDescription)"
    case .prompted(let number): "prompts, for the \(number). time"
    case .away: "takes the user for gone"
    case .recognitionFailed(let error): "hears nothing any more: \(error.localizedDescription)"
    case .recognitionReturned: "hears again"
    case .ended: "the end"
    }
  }
}

extension String {
  var withoutBlanksAround: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
