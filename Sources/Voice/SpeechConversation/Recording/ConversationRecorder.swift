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
  private let replies: ReplyLog
  /// The files that get audio and events instead of the recorder's memory.
  private let archive: ConversationArchive?

  /// Creates a recorder whose time starts now.
  public convenience init(clock: any DeviceClock = RealClock()) {
    self.init(clock: clock, archive: nil)
  }

  /// Creates a recorder that writes to files. It keeps neither audio nor events in memory.
  package init(clock: any DeviceClock, archive: ConversationArchive?) {
    self.clock = clock
    origin = clock.time
    self.archive = archive
    replies = ReplyLog { archive?.note($0, at: $1) }
  }

  /// Returns a microphone that records what the given one captures.
  public func microphone(_ input: any AudioInput) -> any AudioInput {
    TappedInput(input) { [now, keep] in
      let start = now()
      return { sound, time in keep(.user, sound, start + time) }
    }
  }

  /// Returns a loudspeaker that records what is heard from the given one.
  public func speaker(_ output: any AudioOutput) -> any AudioOutput {
    RecordedSpeaker(output: output, keep: { [keep] in keep(.loop, $0, $1) }, now: now)
  }

  /// Returns a responder that records the replies of the given one.
  public func responder(_ responder: any Responder) -> any Responder {
    RecordingResponder(responder, clock: clock, into: replies)
  }

  /// Records an event of the loop.
  public func note(_ event: VoiceLoopEvent) {
    guard let archive else { return kept.withLock { $0.append(event) } }
    archive.note(event)
  }

  /// The recorded events, in order.
  public var events: [VoiceLoopEvent] { kept.withLock { $0 } }

  /// The recorded replies, in order.
  public var keptReplies: [RecordedReply] { replies.replies }

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

  private var keep: @Sendable (ConversationArchive.Side, PCMBuffer, Duration) -> Void {
    { [heard, played, archive] side, audio, start in
      switch (archive, side) {
      case (let archive?, _): archive.add(audio, at: start, from: side)
      case (nil, .user): heard.add(audio, at: start)
      case (nil, .loop): played.add(audio, at: start)
      }
    }
  }

  private var now: @Sendable () -> Duration {
    { [clock, origin] in clock.time - origin }
  }
}
