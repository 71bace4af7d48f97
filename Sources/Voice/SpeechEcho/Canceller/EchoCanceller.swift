import CEchoCanceller
import SpeechAudio

/// Removes a loudspeaker's echo from the audio of a microphone with WebRTC's audio processing, 10
/// ms at a time.
///
/// For every 10 ms, pass what was played and then what was captured:
/// ```swift
/// var canceller = try EchoCanceller()
/// try canceller.analyse(playback: played)
/// let voice = try canceller.process(heard)
/// ```
/// The output is delayed by `latency`. `EchoCancellingDevices` does all this for a microphone and a
/// loudspeaker. A canceller must be used by one task at a time.
public struct EchoCanceller: ~Copyable {
  /// The supported sample rates.
  public static let sampleRates = [8_000, 16_000, 32_000, 48_000]
  /// The delay from input to output.
  public static let latency = Duration.milliseconds(8)

  /// The format of all its audio.
  public let format: AudioFormat
  private let handle: OpaquePointer

  /// Creates a canceller in its initial state.
  ///
  /// - Throws: `AudioError.processingFailed` if the sample rate is not one of `sampleRates` or the
  ///   library rejects the configuration.
  public init(
    format: AudioFormat = .recognition,
    configuration: EchoCancellerConfiguration = EchoCancellerConfiguration()
  ) throws(AudioError) {
    guard Self.sampleRates.contains(format.sampleRate) else {
      throw .processingFailed(
        reason: "an echo canceller works at 8000, 16000, 32000 or 48000 Hz, not at "
          + "\(format.sampleRate) Hz")
    }
    var settings = skec_settings(
      sample_rate: CInt(format.sampleRate),
      echo_suppression: CInt(configuration.echoSuppression.rawValue),
      noise_suppression: CInt(configuration.noiseSuppression?.rawValue ?? -1),
      gain_target: -1, high_pass: configuration.filtersRumble ? 1 : 0,
      delay_agnostic: configuration.findsDelay ? 1 : 0,
      extended_filter: configuration.hasLongFilter ? 1 : 0)
    if let target = configuration.gainTarget {
      guard 0...31 ~= target else {
        throw .processingFailed(reason: "a gain target is 0 to 31 dB, not \(target)")
      }
      settings.gain_target = CInt(target)
    }
    var failure: CInt = 0
    guard let handle = skec_create(&settings, &failure) else { throw Self.error(failure) }
    self.handle = handle
    self.format = format
  }

  deinit { skec_destroy(handle) }

  /// The number of frames per call: 10 ms.
  public var frameLength: Int { format.sampleRate / 100 }

  /// The measured properties of the echo; `nil` until they are known.
  public var statistics: EchoStatistics? {
    let known = skec_get_statistics(handle)
    guard known.is_known != 0 else { return nil }
    return EchoStatistics(
      echoReturnLoss: Int(known.echo_return_loss),
      echoReturnLossEnhancement: Int(known.echo_return_loss_enhancement),
      delay: known.delay_median == -1 ? nil : .milliseconds(Int(known.delay_median)),
      delayDeviation: .milliseconds(max(0, Int(known.delay_deviation))))
  }

  /// Analyses the next 10 ms of playback.
  ///
  /// - Throws: `AudioError.processingFailed` if the format or length is wrong.
  public mutating func analyse(playback: PCMBuffer) throws(AudioError) {
    try check(playback)
    let failure = playback.samples.withUnsafeBufferPointer {
      skec_analyse(handle, $0.baseAddress, CInt($0.count))
    }
    guard failure == 0 else { throw Self.error(failure) }
  }

  /// Returns the next 10 ms of the capture without the echo.
  ///
  /// - Parameter delay: the estimated time from `analyse(playback:)` until the audio is heard at
  ///   the loudspeaker, plus the time from its arrival at the microphone until this call.
  /// - Throws: `AudioError.processingFailed` if the format or length is wrong.
  public mutating func process(
    _ heard: PCMBuffer, delay: Duration = .zero
  ) throws(AudioError) -> PCMBuffer {
    try check(heard)
    var result = heard
    let milliseconds = min(max(0, (delay.inSeconds * 1_000).rounded()), 500)
    let failure = result.samples.withUnsafeMutableBufferPointer {
      skec_process(handle, $0.baseAddress, CInt($0.count), CInt(milliseconds))
    }
    guard failure == 0 else { throw Self.error(failure) }
    return result
  }

  /// Resets the filter, for another room or other devices.
  ///
  /// - Throws: `AudioError.processingFailed` if the library fails.
  public mutating func reset() throws(AudioError) {
    let failure = skec_reset(handle)
    guard failure == 0 else { throw Self.error(failure) }
  }

  private func check(_ buffer: PCMBuffer) throws(AudioError) {
    guard buffer.format == format, buffer.frameCount == frameLength else {
      throw .processingFailed(
        reason:
          "an echo canceller of \(format.sampleRate) Hz takes \(frameLength) frames at a time, "
          + "not \(buffer.frameCount) of \(buffer.format.sampleRate) Hz")
    }
  }

  private static func error(_ failure: CInt) -> AudioError {
    .processingFailed(reason: "WebRTC's audio processing failed with number \(failure)")
  }
}
