/// A capture whose events are changed on their way to the reader.
package final class MappedCapture: AudioCapture {
  private let capture: any AudioCapture
  private let transform: @Sendable (AudioCaptureEvent) -> AudioCaptureEvent?

  /// Wraps a capture. Events for which the closure returns `nil` are left out.
  package init(
    _ capture: any AudioCapture,
    transform: @escaping @Sendable (AudioCaptureEvent) -> AudioCaptureEvent?
  ) {
    self.capture = capture
    self.transform = transform
  }

  package var format: AudioFormat { capture.format }
  package var statistics: AudioStatistics { capture.statistics }

  package func read() async throws -> AudioCaptureEvent? {
    while let event = try await capture.read() {
      if let changed = transform(event) { return changed }
    }
    return nil
  }

  package func stop() { capture.stop() }
}
