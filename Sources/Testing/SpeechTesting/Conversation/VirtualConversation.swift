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
  /// - Throws: `VirtualWorldError`; the errors of the loop and the closures; `CancellationError` at
  ///   the next event if the task was cancelled.
  public static func hold(
    hearing sound: PCMBuffer, quiet: Duration = .zero, stopsAtEnd: Bool = false,
    follow: @escaping @MainActor @Sendable (VoiceLoopEvent) async throws -> Void = { _ in },
    makeLoop: @escaping @MainActor @Sendable (Devices) async throws -> VoiceLoop
  ) async throws -> Held {
    // The world's tasks are not children of the caller's task, so its cancellation is passed on.
    let isCancelled = OnceFlag()
    return try await withTaskCancellationHandler {
      try await hold(sound, quiet, stopsAtEnd, isCancelled, follow, makeLoop)
    } onCancel: {
      _ = isCancelled.raise()
    }
  }

  private static func hold(
    _ sound: PCMBuffer, _ quiet: Duration, _ stopsAtEnd: Bool, _ isCancelled: OnceFlag,
    _ follow: @escaping @MainActor @Sendable (VoiceLoopEvent) async throws -> Void,
    _ makeLoop: @escaping @MainActor @Sendable (Devices) async throws -> VoiceLoop
  ) async throws -> Held {
    try await VirtualWorld.run { world in
      let recorder = ConversationRecorder(clock: world.clock)
      let script = AudioScript(format: sound.format).saying(sound, at: .zero)
        .ending(at: sound.duration + quiet)
      let loop = try await makeLoop(
        Devices(
          microphone: recorder.microphone(ScriptedMicrophone(script, clock: world.clock)),
          speaker: recorder.speaker(MemorySpeaker(clock: world.clock)), clock: world.clock,
          recorder: recorder))
      let events = loop.events
      try await loop.start()
      let stopping = Task {
        guard stopsAtEnd else { return }
        try await world.clock.sleep(until: sound.duration + quiet)
        await loop.stop()
      }
      defer { stopping.cancel() }
      do {
        for await event in events {
          recorder.note(event)
          try await follow(event)
          if isCancelled.isUp { throw CancellationError() }
        }
      } catch {
        loop.cancel()
        throw error
      }
      return Held(recorder: recorder, loop: loop)
    }
  }
}

extension VirtualConversation.Devices {
  /// The devices for an assembled loop. The only echo of the world is that of its acoustic scene.
  package var forLoop: VoiceLoopDevices {
    VoiceLoopDevices(microphone: microphone, speaker: speaker, cancelsEcho: false, clock: clock)
  }
}
