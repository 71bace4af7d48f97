import CPortAudio
import SpeechAudio

/// The properties of a stream to open.
struct StreamRequest<Cell: StreamCell & ~Copyable>: Sendable {
  let device: AudioDeviceSelector
  let direction: AudioDirection
  let sampleRate: Int
  /// True if the device's own rate is acceptable when it rejects the requested one.
  let mayDiffer: Bool
  /// The requested delay between device and program. The device's own is used if it is longer.
  let latency: Duration
  /// The interval of the callback.
  let period: Duration
  let makeCell: @Sendable (_ sampleRate: Int) -> Cell
  let callback:
    @Sendable @convention(c) (
      UnsafeRawPointer?, UnsafeMutableRawPointer?, UInt, UnsafePointer<PaStreamCallbackTimeInfo>?,
      PaStreamCallbackFlags, UnsafeMutableRawPointer?
    ) -> CInt
  let finished: @Sendable @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// The rates to try, in order of preference.
  func rates(of device: AudioDevice) -> [Int] {
    guard mayDiffer else { return [sampleRate] }
    var rates = [sampleRate]
    for rate in [device.defaultSampleRate, 48_000, 44_100] where rate > 0 && !rates.contains(rate) {
      rates.append(rate)
    }
    return rates
  }
}
