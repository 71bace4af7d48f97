import Foundation
import SpeechAudio
import Synchronization

/// A microphone that records its audio, and when each part of it was delivered.
final class ObservedMicrophone: AudioInput {
  /// The amount of a capture's audio that was delivered at a date.
  struct Delivery: Sendable {
    var date: Date
    var audioTime: TimeInterval
  }

  private let input: any AudioInput
  private let recording: SoundTrack
  private let clock: any DeviceClock
  private let deliveries = Mutex<[Delivery]>([])

  init(_ input: any AudioInput, recording: SoundTrack, clock: any DeviceClock) {
    self.input = input
    self.recording = recording
    self.clock = clock
  }

  var name: String { input.name }

  func open() async throws -> any AudioCapture {
    try await TappedInput(input) { [self] in
      deliveries.withLock { $0 = [] }
      let start = clock.time
      return { [self] sound, time in
        recording.add(sound, at: start + time)
        let end = (time + sound.duration).inSeconds
        deliveries.withLock { $0.append(Delivery(date: Date(), audioTime: end)) }
      }
    }.open()
  }

  /// The last delivery of the latest capture before a date.
  func delivery(before date: Date) -> Delivery? {
    deliveries.withLock { deliveries in deliveries.last { $0.date <= date } }
  }
}
