import SpeechAudio
import SpeechConcurrency
import SpeechConversation

/// Holds a conversation about existing audio in virtual time: the loop hears it at the times at
/// which it would be heard, and as fast as the machine can follow.
///
/// ```swift
/// let held = try await VirtualConversation.hold(hearing: question) { devices in
///   var configuration = VoiceLoopConfiguration()
///   configuration.endsWithInput = true
///   return VoiceLoop(
///     recognition: SpeechRecognitionEngine(provider: ears(devices.microphone)),
///     responder: devices.recorder.responder(EchoResponder()),
///     synthesis: SpeechSynthesisEngine(provider: voice(devices.speaker)),
///     configuration: configuration, clock: devices.clock)
/// }
/// try AudioFile.write(try held.recorder.bothSides(), to: file)
/// ```
public enum VirtualConversation {
  /// The devices and the clock of a loop, with a recorder.
  public struct Devices: Sendable {
    /// A microphone that hears the audio to its end.
    public var microphone: any AudioInput
    /// A loudspeaker whose audio is recorded.
    public var speaker: any AudioOutput
    /// The clock of the world.
    public var clock: any DeviceClock
    /// The recorder of the conversation. Wrap the responder with it.
    public var recorder: ConversationRecorder
    /// The room in which the people of a script speak; `nil` for existing audio.
    public var room: VirtualRoom?
  }

  /// A conversation that is over.
  public struct Held: Sendable {
    /// The recorder with the whole conversation.
    public var recorder: ConversationRecorder
    /// The loop with its history and its trace.
    public var loop: VoiceLoop
  }

  /// Holds the conversation to its end: the end of the audio and of the last reply.
  ///
  /// - Parameters:
  ///   - sound: The user's speech in the recognisers' format.
  ///   - quiet: The silence after the audio, so that the last utterance ends by itself.
  ///   - stopsAtEnd: True if the loop is stopped at the end of the audio, in mid-reply if
  /// necessary, like the recorded one was.
  ///   - follow: Called with each event as it happens.
  ///   - makeLoop: Creates the loop, whose configuration must have `endsWithInput`.
  /// - Throws: `VirtualWorldError`; the errors of the loop and the closures; `CancellationError` if
  ///   the task is cancelled.
  public static func hold(
    hearing sound: PCMBuffer, quiet: Duration = .zero, stopsAtEnd: Bool = false,
    follow: @escaping @MainActor @Sendable (VoiceLoopEvent) async throws -> Void = { _ in },
    makeLoop: @escaping @MainActor @Sendable (Devices) async throws -> VoiceLoop
  ) async throws -> Held {
    let script = AudioScript(format: sound.format).saying(sound, at: .zero)
      .ending(at: sound.duration + quiet)
    return try await hold(
      hearing: script, stoppingAt: stopsAtEnd ? sound.duration + quiet : nil, follow: follow,
      makeLoop: makeLoop)
  }

  /// Holds the conversation to the end of the script and of the last reply.
  ///
  /// - Parameters:
  ///   - end: The time at which the loop is stopped, if it has not ended before.
  ///   - archive: The files that get the conversation; without them it is kept in memory.
  package static func hold(
    hearing script: AudioScript, stoppingAt end: Duration? = nil,
    into archive: ConversationArchive? = nil,
    follow: @escaping @MainActor @Sendable (VoiceLoopEvent) async throws -> Void = { _ in },
    makeLoop: @escaping @MainActor @Sendable (Devices) async throws -> VoiceLoop
  ) async throws -> Held {
    try await VirtualWorld.run { world in
      let recorder = ConversationRecorder(clock: world.clock, archive: archive)
      let speaker = MemorySpeaker(clock: world.clock, keepsSounds: false)
      let loop = try await makeLoop(
        Devices(
          microphone: recorder.microphone(ScriptedMicrophone(script, clock: world.clock)),
          speaker: recorder.speaker(speaker), clock: world.clock, recorder: recorder))
      let events = loop.events
      try await loop.start()
      let wait = end.map { end in
        { @MainActor @Sendable () async throws -> Void in try await world.clock.sleep(until: end) }
      }
      try await finish(loop, events, recorder, stoppingAfter: wait, follow)
      return Held(recorder: recorder, loop: loop)
    }
  }

  /// Follows a started loop to its end, or to that of the wait, after which it is stopped.
  @MainActor static func finish(
    _ loop: VoiceLoop, _ events: AsyncStream<VoiceLoopEvent>, _ recorder: ConversationRecorder,
    stoppingAfter wait: (@MainActor () async throws -> Void)?,
    _ follow: @MainActor (VoiceLoopEvent) async throws -> Void
  ) async throws {
    let stopping = wait.map { wait in
      Task {
        try await wait()
        await loop.stop()
      }
    }
    defer { stopping?.cancel() }
    do {
      for await event in events {
        recorder.note(event)
        try await follow(event)
      }
      try Task.checkCancellation()
    } catch {
      loop.cancel()
      throw error
    }
  }
}

extension VirtualConversation.Devices {
  /// The devices for an assembled loop. The only echo of the world is that of its acoustic scene.
  package var forLoop: VoiceLoopDevices {
    VoiceLoopDevices(microphone: microphone, speaker: speaker, cancelsEcho: false, clock: clock)
  }
}
