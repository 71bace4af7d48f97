import SpeechLab

/// The script of a conversation: lines with their cues, the acoustic scene, and failures of the
/// microphone.
///
/// ```swift
/// var script = ConversationScript()
/// script.say("turn on the light", by: anna, at: .seconds(1))
/// script.say("thank you", by: anna, after: .replyFinished, .milliseconds(500))
/// let record = try await VirtualConversation.play(script) { devices in … }
/// ```
public struct ConversationScript: Sendable, Hashable {
  /// A person with a voice.
  public struct Person: Sendable, Hashable, Codable {
    /// The name in reports.
    public var name: String
    /// The voice of the person.
    public var speaker: Speaker

    /// Creates a person with a name and a voice.
    public init(_ name: String, _ speaker: Speaker) {
      self.name = name
      self.speaker = speaker
    }
  }

  /// The cue of a line.
  public enum Cue: Sendable, Hashable {
    /// The given time after the beginning, whatever happens.
    case at(Duration)
    /// The given time after the first such moment that follows the line before.
    case after(Moment, Duration)
  }

  /// A moment that a line can wait for.
  public enum Moment: String, Sendable, Hashable, CaseIterable {
    /// The line before has been spoken.
    case line
    /// The line before began, for people who speak at the same time.
    case lineBegan = "line began"
    /// A line has been understood.
    case heard
    /// A sentence of the reply begins to be heard.
    case reply
    /// The reply has been heard to its end, or failed.
    case replyFinished = "reply ended"
    /// The responder failed.
    case replyFailed = "reply failed"
    /// A reply exists, and the voice failed.
    case voiceFailed = "voice failed"
    /// The user interrupted a reply.
    case interruption
    /// The wake word was heard.
    case awake
    /// The loop waits for the wake word.
    case asleep
    /// The recogniser or the microphone works again.
    case recognition = "recognition returned"

    /// True if the moment counts while the line before is still being spoken. An answer to a line
    /// cannot come before its end.
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

  /// A line with its speaker and cue.
  public struct Line: Sendable, Hashable {
    /// The speaker of the line.
    public var person: Person
    /// The words; empty for a recording without speech.
    public var words: String
    /// A recording in the recognisers' format, instead of the person's voice.
    public var recording: PCMBuffer?
    /// The cue of the line.
    public var cue: Cue

    /// Creates a line from its speaker, words and cue.
    public init(person: Person, words: String, recording: PCMBuffer? = nil, cue: Cue) {
      self.person = person
      self.words = words
      self.recording = recording
      self.cue = cue
    }
  }

  /// A period without a microphone.
  public struct DeviceLoss: Sendable, Hashable, Codable {
    /// The start of the period.
    public var start: Duration
    /// The length of the period.
    public var length: Duration

    /// Creates a period from its start and length.
    public init(at start: Duration, for length: Duration) {
      self.start = start
      self.length = length
    }
  }

  /// The lines in order.
  public var lines: [Line] = []
  /// The acoustic scene of the conversation.
  public var scene = AcousticScene()
  /// The periods without a microphone.
  public var deviceLosses: [DeviceLoss] = []
  /// The silence after the last line that ends the conversation.
  public var quiet = Duration.seconds(3)
  /// The maximum duration of the conversation.
  public var limit = Duration.seconds(120)
  /// The seed of all random choices.
  public var seed: UInt64 = 1

  /// Creates a script without lines.
  public init() {}

  /// Adds a line at a fixed time.
  public mutating func say(_ words: String, by person: Person, at time: Duration) {
    lines.append(Line(person: person, words: words, cue: .at(time)))
  }

  /// Adds a line that waits for a moment.
  public mutating func say(
    _ words: String, by person: Person, after moment: Moment, _ delay: Duration = .zero
  ) {
    lines.append(Line(person: person, words: words, cue: .after(moment, delay)))
  }
}
