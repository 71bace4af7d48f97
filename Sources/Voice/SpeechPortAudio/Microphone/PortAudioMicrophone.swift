import SpeechAudio

/// A microphone of this machine.
///
/// It opens at 16 kHz if the device allows, else at the device's own rate; see
/// `AudioCapture.format`. If the device is lost during a capture, the capture reports
/// `.interrupted` within a second and searches for the device at least every two seconds. When the
/// device is back, it continues with `.gap` and `.resumed`.
/// ```swift
/// let capture = try await PortAudioMicrophone().open()
/// while case .audio(let sound)? = try await capture.read() {
///   print(sound.level)
/// }
/// ```
/// Creating one opens nothing and never fails. A microphone can be opened more than once at a time
/// if the sound system allows it.
public struct PortAudioMicrophone: AudioInput {
  let device: AudioDeviceSelector
  let latency: Duration
  let backlog: Duration

  /// Creates a microphone, which is not opened yet. May be called on any thread.
  ///
  /// - Parameters:
  ///   - latency: the requested delay of the device; longer delays tolerate a busier machine.
  ///   - backlog: the audio that is kept for a slow reader; the oldest is dropped first, and
  ///     reported as a `.gap`.
  public init(
    device: AudioDeviceSelector = .default, latency: Duration = .milliseconds(60),
    backlog: Duration = .seconds(30)
  ) {
    self.device = device
    self.latency = latency
    self.backlog = backlog
  }

  /// The requested name, or “default microphone”.
  public var name: String { device.title(.input) }

  /// Opens the device and closes it again. May be called on any thread.
  ///
  /// - Throws: the errors of `open()`.
  public func checkAvailability() async throws {
    try await open().stop()
  }

  /// Starts capturing. May be called on any thread.
  ///
  /// - Throws: `AudioError.noDevice` or `AudioError.deviceNotFound` if there is no such device,
  ///   `AudioError.deviceUnavailable` if it cannot be opened, `CancellationError` if the task was
  ///   cancelled.
  public func open() async throws -> any AudioCapture {
    let request = StreamRequest<CaptureCell>.capture(
      device, sampleRate: AudioFormat.recognition.sampleRate, mayDiffer: true, latency: latency)
    let stream = try await PortAudioLibrary.shared.open(request, afresh: false)
    return PortAudioCapture(stream: stream, device: device, latency: latency, backlog: backlog)
  }
}

extension StreamRequest<CaptureCell> {
  /// The interval of the callback, which is also the length of a capture's buffers.
  static var capturePeriod: Duration { .milliseconds(20) }

  /// A request for a recording stream.
  static func capture(
    _ device: AudioDeviceSelector, sampleRate: Int, mayDiffer: Bool, latency: Duration
  ) -> StreamRequest {
    StreamRequest(
      device: device, direction: .input, sampleRate: sampleRate, mayDiffer: mayDiffer,
      latency: latency, period: capturePeriod,
      // Between the callback and the backlog; it fills only if the process is suspended.
      makeCell: { CaptureCell(capacity: $0 * 2) },
      callback: captureCallback, finished: captureFinished)
  }
}
