import Foundation
import SpeechAudio
import Synchronization

/// The audio of a conversation, and the times at which its parts were delivered and played.
final class DemoRecording: Sendable {
  private struct State {
    /// The time at which each part of the latest capture was delivered, and its end in the capture.
    var deliveries: [(date: Date, audioTime: TimeInterval)] = []
    /// The arrival of the latest text's first audio, in real time and on the clock.
    var firstSound: (instant: ContinuousClock.Instant, start: Duration)?
  }

  private let track = SoundTrack()
  private let clock: any DeviceClock
  private let state = Mutex(State())

  init(clock: any DeviceClock) {
    self.clock = clock
  }

  var sound: PCMBuffer { get throws { try track.mixed() } }

  /// The time at which the first audio of the latest text arrived.
  var firstSound: ContinuousClock.Instant? { state.withLock { $0.firstSound?.instant } }

  /// The amount of the latest capture's audio that was delivered before a date, and when.
  func delivery(before date: Date) -> (date: Date, audioTime: TimeInterval)? {
    state.withLock { state in state.deliveries.last { $0.date <= date } }
  }

  func microphone(_ input: any AudioInput) -> any AudioInput {
    TappedInput(input) { [self] in
      state.withLock { $0.deliveries = [] }
      let start = clock.time
      return { [self] sound, time in
        track.add(sound, at: start + time)
        let end = (time + sound.duration).inSeconds
        state.withLock { $0.deliveries.append((Date(), end)) }
      }
    }
  }

  func speaker(_ output: any AudioOutput) -> any AudioOutput {
    TappedOutput(output) { [self] in
      state.withLock { $0.firstSound = nil }
      return { [self] sound, time in
        let start = state.withLock { state in
          let first = state.firstSound ?? (.now, clock.time)
          state.firstSound = first
          return first.start
        }
        track.add(sound, at: start + time)
      }
    }
  }
}
