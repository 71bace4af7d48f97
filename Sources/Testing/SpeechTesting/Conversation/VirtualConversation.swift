import SpeechAudio
import SpeechConcurrency
import SpeechConversation

/// A conversation on sound that exists already: the loop hears it in a virtual world, at the times at which it
/// would be heard, and as fast as the machine can follow.
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
  /// What the loop is made of: its devices and its clock, and what keeps all of it.
  public struct Devices: Sendable {
    /// It hears the sound, and its end.
    public var microphone: any AudioInput
    /// What is played on it is kept.
    public var speaker: any AudioOutput
    /// The world's clock.
    public var clock: any DeviceClock
    /// It keeps all of it; give it the responder.
    public var recorder: ConversationRecorder
    /// Where the people of a script speak; `nil` for sound that exists already.
    public var room: VirtualRoom?
  }

  /// A conversation that is over.
  public struct Held: Sendable {
    /// All of it.
    public var recorder: ConversationRecorder
    /// The loop, with its history and its trace.
    public var loop: VoiceLoop
  }

  /// Holds the conversation to its end, which is the end of the sound and of the last reply.
  ///
  /// - Parameters:
  ///   - sound: what the user says, in the recognisers' format.
  ///   - quiet: how long it is quiet behind the sound, so that the last utterance ends by itself.
  ///   - stopsAtEnd: whether the loop is stopped when the sound is over, as somebody did who recorded it, and
  ///     does not finish what it is saying.
  ///   - follow: told of each event as it happens.
  ///   - makeLoop: makes the loop; its configuration has to have `endsWithInput`.
  /// - Throws: `VirtualWorldError`; what the loop and the closures throw; `CancellationError` at the next
  ///   event when the task was cancelled.
  public static func hold(
    hearing sound: PCMBuffer, quiet: Duration = .zero, stopsAtEnd: Bool = false,
    follow: @escaping @MainActor @Sendable (VoiceLoopEvent) async throws -> Void = { _ in },
    makeLoop: @escaping @MainActor @Sendable (Devices) async throws -> VoiceLoop
  ) async throws -> Held {
    // The world's tasks are not the caller's, whose cancellation therefore has to be told.
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
  /// The devices as an assembled loop takes them. The world has no echo but that of its surroundings.
  package var forLoop: VoiceLoopDevices {
    VoiceLoopDevices(microphone: microphone, speaker: speaker, cancelsEcho: false, clock: clock)
  }
}
