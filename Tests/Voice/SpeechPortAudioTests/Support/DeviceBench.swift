import Foundation
import SpeechAudio
import SpeechConcurrency
import Synchronization
import Testing

@testable import SpeechPortAudio

/// The tests that use what a process has only once: sound devices and standard error. They run in
/// sequence, and those with a device run only under `Scripts/with-null-sink`.
@Suite(.serialized) struct DeviceTests {}

extension Trait where Self == ConditionTrait {
  /// Enables a test if there is a sound device for the tests.
  static var needsSoundDevice: Self {
    .enabled(
      if: ProcessInfo.processInfo.environment["SPEECHKIT_TEST_SINK"] != nil,
      "needs a sound device of its own: Scripts/with-null-sink swift test")
  }
}

/// An operation exceeded its time limit.
struct TooLate: Error {}

/// The result of the body within a time limit; the body is cancelled otherwise.
func within<Value: Sendable>(
  _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  let reply = FirstResult<Value>()
  let work = Task {
    do { reply.give(.success(try await body())) } catch { reply.give(.failure(error)) }
  }
  let watch = Task {
    try await Task.sleep(for: limit)
    reply.give(.failure(TooLate()))
    work.cancel()
  }
  defer { watch.cancel() }
  return try await reply.value()
}

/// Opens the default devices, plays a moment on one, and stops both.
func openAndStopBoth() async throws {
  let capture = try await PortAudioMicrophone().open()
  let playback = try await PortAudioSpeaker().open(.recognition)
  try await playback.write(noise(.milliseconds(20)))
  playback.stop()
  capture.stop()
}

/// Audio without zeros and without two equal stretches, so that each lost, added or changed sample
/// is detected.
func noise(_ duration: Duration, seed: UInt64 = 1, _ format: AudioFormat = .recognition)
  -> PCMBuffer
{
  var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  let samples = (0..<format.frames(in: duration)).map { _ -> Int16 in
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int16(1 + state % 8_000) * (state & 1 << 40 == 0 ? 1 : -1)
  }
  return PCMBuffer(samples: samples, format: format)
}

/// Everything that a capture has reported so far, collected by a task.
actor Listener {
  private(set) var samples: [Int16] = []
  private(set) var events: [(event: AudioCaptureEvent, at: ContinuousClock.Instant)] = []
  private(set) var hasEnded = false
  private typealias Condition = @Sendable (isolated Listener) -> Bool
  private var waiters: [(condition: Condition, reply: FirstResult<Void>)] = []
  nonisolated let capture: any AudioCapture

  init(_ capture: any AudioCapture) {
    self.capture = capture
    Task {
      while let event = try await capture.read() { await self.take(event) }
      await self.end()
    }
  }

  private func take(_ event: AudioCaptureEvent) {
    if case .audio(let buffer) = event {
      samples += buffer.samples
    } else {
      events.append((event, .now))
    }
    answer()
  }

  private func end() {
    hasEnded = true
    answer()
  }

  private func answer() {
    waiters.removeAll { waiter in
      guard waiter.condition(self) else { return false }
      waiter.reply.give(.success(()))
      return true
    }
  }

  /// Waits until the condition holds.
  func wait(
    _ limit: Duration = .seconds(10),
    until condition: @escaping @Sendable (isolated Listener) -> Bool
  ) async throws {
    guard !condition(self) else { return }
    let reply = FirstResult<Void>()
    waiters.append((condition, reply))
    try await within(limit) { try await reply.value() }
  }

  /// The samples that are not silent.
  var sounding: [Int16] { samples.filter { $0 != 0 } }

  /// Waits for a number of samples that are not silent, followed by silence.
  func hearsOut(_ count: Int, silence: Duration = .milliseconds(300)) async throws {
    let frames = capture.format.frames(in: silence)
    do {
      try await wait { listener in
        listener.samples.count > frames && listener.samples.last == 0
          && listener.samples.suffix(frames).allSatisfy { $0 == 0 }
          && listener.sounding.count >= count
      }
    } catch is TooLate {
      Issue.record("heard \(sounding.count) of \(count) samples; \(events.map(\.event))")
      throw TooLate()
    }
  }

  func has(_ wanted: @Sendable (AudioCaptureEvent) -> Bool) -> Bool {
    events.contains { wanted($0.event) }
  }

  func finish() async throws {
    capture.stop()
    try await wait { $0.hasEnded }
  }
}

extension AudioCaptureEvent {
  var isInterruption: Bool {
    if case .interrupted(.deviceLost) = self { true } else { false }
  }
}

extension Duration {
  var milliseconds: Int { Int(inSeconds * 1_000) }
}
