import SpeechLab

/// What people say in a conversation and when, where they are, and what goes wrong: all that happens to a voice
/// loop from outside.
///
/// ```swift
/// var script = ConversationScript()
/// script.say("turn on the light", by: anna, at: .seconds(1))
/// script.say("thank you", by: anna, after: .replyFinished, .milliseconds(500))
/// let record = try await VirtualConversation.play(script) { devices in … }
/// ```
public struct ConversationScript: Sendable, Hashable {
  /// Somebody who speaks.
  public struct Person: Sendable, Hashable, Codable {
    /// What they are called in reports.
    public var name: String
    /// How they speak.
    public var speaker: Speaker

    /// Somebody of that name and voice.
    public init(_ name: String, _ speaker: Speaker) {
      self.name = name
      self.speaker = speaker
    }
  }

  /// When a line is said.
  public enum Cue: Sendable, Hashable {
    /// So long after the beginning, whatever happens.
    case at(Duration)
    /// So long after that happened for the first time behind the line before.
    case after(Moment, Duration)
  }

  /// Something that people wait for.
  public enum Moment: String, Sendable, Hashable, CaseIterable {
    /// The line before has been said.
    case line
    /// The line before began: for people who speak at once.
    case lineBegan = "line began"
    /// What was said has been understood.
    case heard
    /// A sentence of the reply begins to be heard.
    case reply
    /// The reply has been heard to its end, or no reply came.
    case replyFinished = "reply ended"
    /// No reply came, or it broke off.
    case replyFailed = "reply failed"
    /// A reply was there, and no voice to say it.
    case voiceFailed = "voice failed"
    /// Somebody interrupted a reply.
    case interruption
    /// The wake word was heard.
    case awake
    /// Nothing is heard until the wake word.
    case asleep
    /// The recogniser or the microphone is back.
    case recognition = "recognition returned"

    /// Whether it counts while the line before is still being said; what answers a line cannot come before its
    /// end.
    var countsFromBeginning: Bool { self == .recognition }

    func isReached(by kind: VoiceLoopEvent.Kind) -> Bool {
      switch (self, kind) {
      case (.heard, .userFinal), (.reply, .speaking), (.replyFinished, .replyFinished),
        (.replyFinished, .replyFailed), (.replyFailed, .replyFailed), (.voiceFailed, .voiceFailed),
        (.interruption, .interrupted), (.awake, .awake),
        (.asleep, .asleep), (.recognition, .recognitionReturned):
        true
      default: false
      }
    }
  }

  /// A line, by whom and when.
  public struct Line: Sendable, Hashable {
    /// Who says it.
    public var person: Person
    /// The words; empty for a recording of something that is not speech.
    public var words: String
    /// A recording of them in the recognisers' format, instead of the person's voice.
    public var recording: PCMBuffer?
    /// When.
    public var cue: Cue

    /// A line.
    public init(person: Person, words: String, recording: PCMBuffer? = nil, cue: Cue) {
      self.person = person
      self.words = words
      self.recording = recording
      self.cue = cue
    }
  }

  /// A time during which the microphone is away.
  public struct DeviceLoss: Sendable, Hashable, Codable {
    /// When it goes away.
    public var start: Duration
    /// How long it is away.
    public var length: Duration

    /// A loss.
    public init(at start: Duration, for length: Duration) {
      self.start = start
      self.length = length
    }
  }

  /// The lines, in their order.
  public var lines: [Line] = []
  /// Where they are said.
  public var surroundings = AcousticScene()
  /// When the microphone is away.
  public var deviceLosses: [DeviceLoss] = []
  /// How long nothing may have happened behind the last line until the conversation is over.
  public var quiet = Duration.seconds(3)
  /// How long it lasts at most.
  public var limit = Duration.seconds(120)
  /// All that is chance depends on it alone.
  public var seed: UInt64 = 1

  /// Nobody says anything.
  public init() {}

  /// Adds a line at that time.
  public mutating func say(_ words: String, by person: Person, at time: Duration) {
    lines.append(Line(person: person, words: words, cue: .at(time)))
  }

  /// Adds a line that waits for something.
  public mutating func say(
    _ words: String, by person: Person, after moment: Moment, _ delay: Duration = .zero
  ) {
    lines.append(Line(person: person, words: words, cue: .after(moment, delay)))
  }
}
