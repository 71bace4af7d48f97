import SpeechAudio

/// A microphone of this machine.
///
/// Opens at 16 kHz where the device allows, else at the device's own rate; `AudioCapture.format` tells
/// which. When the device goes away during a capture, the capture says `.interrupted` within a second,
/// looks for it at least every two seconds and goes on with `.gap` and `.resumed` when it is back.
/// ```swift
/// let capture = try await PortAudioMicrophone().open()
/// while case .audio(let sound)? = try await capture.read() {
///   print(sound.level)
/// }
/// ```
/// Making one opens nothing and never fails. A microphone can be opened more than once at a time where
/// the sound system allows it.
public struct PortAudioMicrophone: AudioInput {
  /// Which device is meant.
  let device: AudioDeviceSelector
  /// The delay to ask the device for. The longer, the better it bears a busy machine.
  let latency: Duration
  /// How much sound is kept for a reader who does not come; the oldest goes first, as a `.gap`.
  let backlog: Duration

  /// A microphone, not opened yet. May be made anywhere.
  public init(
    device: AudioDeviceSelector = .default, latency: Duration = .milliseconds(60),
    backlog: Duration = .seconds(30)
  ) {
    self.device = device
    self.latency = latency
    self.backlog = backlog
  }

  /// What was asked for: the name, or “default microphone”.
  public var name: String { device.title(.input) }

  /// Opens the device and closes it again; may be called from anywhere.
  ///
  /// - Throws: as `open()`.
  public func checkAvailability() async throws {
    try await open().stop()
  }

  /// Starts capturing; may be called from anywhere.
  ///
  /// - Throws: `AudioError.noDevice` or `AudioError.deviceNotFound` when there is none such,
  ///   `AudioError.deviceUnavailable` when it cannot be opened, `CancellationError` when the task was
  ///   cancelled.
  public func open() async throws -> any AudioCapture {
    let request = StreamRequest<CaptureCell>.capture(
      device, sampleRate: AudioFormat.recognition.sampleRate, mayDiffer: true, latency: latency)
    let stream = try await PortAudioLibrary.shared.open(request, afresh: false)
    return PortAudioCapture(stream: stream, device: device, latency: latency, backlog: backlog)
  }
}

extension StreamRequest<CaptureCell> {
  /// How often the callback comes; also the length of the buffers that a capture gives.
  static var capturePeriod: Duration { .milliseconds(20) }

  /// A recording stream.
  static func capture(
    _ device: AudioDeviceSelector, sampleRate: Int, mayDiffer: Bool, latency: Duration
  ) -> StreamRequest {
    StreamRequest(
      device: device, direction: .input, sampleRate: sampleRate, mayDiffer: mayDiffer,
      latency: latency, period: capturePeriod,
      // Between the callback and the backlog; only a process that was held up lets it fill.
      makeCell: { CaptureCell(capacity: $0 * 2) },
      callback: captureCallback, finished: captureFinished)
  }
}
