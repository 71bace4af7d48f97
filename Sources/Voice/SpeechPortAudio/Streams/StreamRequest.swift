import CPortAudio
import SpeechAudio

/// What a stream shall be like.
struct StreamRequest<Cell: StreamCell & ~Copyable>: Sendable {
  let device: AudioDeviceSelector
  let direction: AudioDirection
  /// The rate that is wanted.
  let sampleRate: Int
  /// Whether the device's own rate will do when it refuses the wanted one.
  let mayDiffer: Bool
  /// The delay that is wanted between device and program; the device's own is used when longer.
  let latency: Duration
  /// The time from one call of the callback to the next.
  let period: Duration
  let makeCell: @Sendable (_ sampleRate: Int) -> Cell
  let callback:
    @Sendable @convention(c) (
      UnsafeRawPointer?, UnsafeMutableRawPointer?, UInt, UnsafePointer<PaStreamCallbackTimeInfo>?,
      PaStreamCallbackFlags, UnsafeMutableRawPointer?
    ) -> CInt
  let finished: @Sendable @convention(c) (UnsafeMutableRawPointer?) -> Void

  /// The rates to try, best first.
  func rates(of device: AudioDevice) -> [Int] {
    guard mayDiffer else { return [sampleRate] }
    var rates = [sampleRate]
    for rate in [device.defaultSampleRate, 48_000, 44_100] where rate > 0 && !rates.contains(rate) {
      rates.append(rate)
    }
    return rates
  }
}
