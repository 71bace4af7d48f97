import SpeechAudio
import SpeechConcurrency

/// Records a conversation: the audio of both sides, the replies and the events.
///
/// ```swift
/// let recorder = ConversationRecorder(clock: clock)
/// let microphone = recorder.microphone(PortAudioMicrophone())
/// let speaker = recorder.speaker(PortAudioSpeaker())
/// // a loop with these, and with recorder.responder(…); then, as its events come:
/// recorder.note(event)
/// try recorder.bundle(settings).write(to: folder)
/// ```
/// Create it immediately before the loop starts, with the loop's clock, because its time starts
/// then. It can be used from any thread.
public final class ConversationRecorder: Sendable {
  /// The audio from the microphone.
  public let heard = SoundTrack()
  /// The audio that was heard from the loudspeaker.
  public let played = SoundTrack()

  private let clock: any DeviceClock
  private let origin: Duration
  private let kept = Guarded<[VoiceLoopEvent]>([])
  private let replies = Guarded<[RecordedReply]>([])

  /// Creates a recorder whose time starts now.
  public init(clock: any DeviceClock = RealClock()) {
    self.clock = clock
    origin = clock.time
  }

  /// Returns a microphone that records what the given one captures.
  public func microphone(_ input: any AudioInput) -> any AudioInput {
    TappedInput(input) { [heard, now] in
      let start = now()
      return { sound, time in heard.add(sound, at: start + time) }
    }
  }

  /// Returns a loudspeaker that records what is heard from the given one.
  public func speaker(_ output: any AudioOutput) -> any AudioOutput {
    RecordedSpeaker(output: output, track: played, now: now)
  }

  /// Returns a responder that records the replies of the given one.
  public func responder(_ responder: any Responder) -> any Responder {
    RecordingResponder(responder, clock: clock, into: replies)
  }

  /// Records an event of the loop.
  public func note(_ event: VoiceLoopEvent) { kept.withLock { $0.append(event) } }

  /// The recorded events, in order.
  public var events: [VoiceLoopEvent] { kept.withLock { $0 } }

  /// The recorded replies, in order.
  public var keptReplies: [RecordedReply] { replies.withLock { $0 } }

  /// Returns both sides of the conversation, mixed.
  ///
  /// - Throws: `AudioError` if audio cannot be converted.
  public func bothSides(as format: AudioFormat = .recognition) throws -> PCMBuffer {
    try heard.joined(with: played).mixed(as: format)
  }

  /// Returns the recording with the settings of the conversation.
  ///
  /// - Throws: `AudioError` if audio cannot be converted.
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
