import Foundation
import SpeechKit
import Synchronization

/// A microphone that keeps what it hears, and when it handed over which part of it.
final class ObservedMicrophone: AudioInput {
  /// So much sound of a capture had been handed over at that date.
  struct Delivery: Sendable {
    var date: Date
    var audioTime: TimeInterval
  }

  private let input: any AudioInput
  private let recording: ConversationRecording
  private let deliveries = Mutex<[Delivery]>([])

  init(_ input: any AudioInput, recording: ConversationRecording) {
    self.input = input
    self.recording = recording
  }

  var name: String { input.name }

  func open() async throws -> any AudioCapture {
    let capture = try await input.open()
    deliveries.withLock { $0 = [] }
    return ObservedCapture(capture, start: recording.clock.time, of: self)
  }

  /// The last delivery of the latest capture before that date.
  func delivery(before date: Date) -> Delivery? {
    deliveries.withLock { deliveries in deliveries.last { $0.date <= date } }
  }

  fileprivate func take(_ buffer: PCMBuffer, from audioTime: Duration, of start: Duration) {
    recording.add(buffer, at: start + audioTime)
    let end = (audioTime + buffer.duration).inSeconds
    deliveries.withLock { $0.append(Delivery(date: Date(), audioTime: end)) }
  }
}

private final class ObservedCapture: AudioCapture {
  private let capture: any AudioCapture
  private let start: Duration
  private let microphone: ObservedMicrophone
  private let frames = Atomic(0)

  init(_ capture: any AudioCapture, start: Duration, of microphone: ObservedMicrophone) {
    self.capture = capture
    self.start = start
    self.microphone = microphone
  }

  var format: AudioFormat { capture.format }
  var statistics: AudioStatistics { capture.statistics }

  func read() async throws -> AudioCaptureEvent? {
    let event = try await capture.read()
    switch event {
    case .audio(let buffer)?:
      let (before, _) = frames.add(buffer.frameCount, ordering: .relaxed)
      microphone.take(buffer, from: format.duration(ofFrames: before), of: start)
    case .gap(let lost)?:
      frames.add(lost, ordering: .relaxed)
    case .interrupted?, .resumed?, nil:
      break
    }
    return event
  }

  func stop() { capture.stop() }
}
