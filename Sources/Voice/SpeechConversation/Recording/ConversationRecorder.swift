import SpeechAudio
import SpeechConcurrency

/// Keeps all of a conversation: what came in and went out, what the responder said, and what happened.
///
/// ```swift
/// let recorder = ConversationRecorder(clock: clock)
/// let microphone = recorder.microphone(PortAudioMicrophone())
/// let speaker = recorder.speaker(PortAudioSpeaker())
/// // a loop with these, and with recorder.responder(…); then, as its events come:
/// recorder.note(event)
/// try recorder.bundle(settings).write(to: folder)
/// ```
/// Make it right before the loop starts, with the loop's clock: its time begins with it. May be used from
/// anywhere.
public final class ConversationRecorder: Sendable {
  /// What came in.
  public let heard = SoundTrack()
  /// What went out and was heard.
  public let played = SoundTrack()

  private let clock: any DeviceClock
  private let origin: Duration
  private let kept = Guarded<[VoiceLoopEvent]>([])
  private let replies = Guarded<[RecordedReply]>([])

  /// A recorder whose time begins now.
  public init(clock: any DeviceClock = RealClock()) {
    self.clock = clock
    origin = clock.time
  }

  /// That microphone, with its sound kept.
  public func microphone(_ input: any AudioInput) -> any AudioInput {
    TappedInput(input) { [heard, now] in
      let start = now()
      return { sound, time in heard.add(sound, at: start + time) }
    }
  }

  /// That loudspeaker, with what is heard of it kept.
  public func speaker(_ output: any AudioOutput) -> any AudioOutput {
    RecordedSpeaker(output: output, track: played, now: now)
  }

  /// That responder, with its replies kept.
  public func responder(_ responder: any Responder) -> any Responder {
    RecordingResponder(responder, clock: clock, into: replies)
  }

  /// Keeps the event.
  public func note(_ event: VoiceLoopEvent) { kept.withLock { $0.append(event) } }

  /// The events so far.
  public var events: [VoiceLoopEvent] { kept.withLock { $0 } }

  /// What the responder said so far.
  public var keptReplies: [RecordedReply] { replies.withLock { $0 } }

  /// Both sides of the conversation as one sound.
  ///
  /// - Throws: `AudioError` when a sound cannot be converted.
  public func bothSides(as format: AudioFormat = .recognition) throws -> PCMBuffer {
    try heard.joined(with: played).mixed(as: format)
  }

  /// All that was kept.
  ///
  /// - Throws: `AudioError` when a sound cannot be converted.
  public func bundle(_ settings: ConversationSettings) throws -> ConversationBundle {
    ConversationBundle(
      settings: settings, events: events, replies: keptReplies,
      heard: try heard.mixed(as: heard.highestFormat ?? .recognition),
      played: try played.mixed(as: played.highestFormat ?? .recognition))
  }

  private var now: @Sendable () -> Duration {
    { [clock, origin] in clock.time - origin }
  }
}
