import CEchoCanceller
import SpeechAudio

/// Takes out of what a microphone hears what a loudspeaker plays: WebRTC's audio processing, 10 ms at a
/// time.
///
/// For every 10 ms tell what was played, then hand over what was heard:
/// ```swift
/// var canceller = try EchoCanceller()
/// try canceller.analyse(playback: played)
/// let voice = try canceller.process(heard)
/// ```
/// What comes out is what went in, `latency` later. `EchoCancellingDevices` does all this for a microphone
/// and a loudspeaker. A canceller belongs to one task at a time.
public struct EchoCanceller: ~Copyable {
  /// The rates at which a canceller works.
  public static let sampleRates = [8_000, 16_000, 32_000, 48_000]
  /// How much later a sound comes out than it went in.
  public static let latency = Duration.milliseconds(8)

  /// The format of all its sound.
  public let format: AudioFormat
  private let handle: OpaquePointer

  /// A canceller that has heard nothing yet.
  ///
  /// - Throws: `AudioError.processingFailed` when the format is not of one of `sampleRates` or the
  ///   library refuses the configuration.
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

  /// How many frames it takes at a time: 10 ms.
  public var frameLength: Int { format.sampleRate / 100 }

  /// What it knows of the echo; `nil` until it knows any.
  public var statistics: EchoStatistics? {
    let known = skec_get_statistics(handle)
    guard known.is_known != 0 else { return nil }
    return EchoStatistics(
      echoReturnLoss: Int(known.echo_return_loss),
      echoReturnLossEnhancement: Int(known.echo_return_loss_enhancement),
      delay: known.delay_median == -1 ? nil : .milliseconds(Int(known.delay_median)),
      delayDeviation: .milliseconds(max(0, Int(known.delay_deviation))))
  }

  /// Takes the next 10 ms of what is played.
  ///
  /// - Throws: `AudioError.processingFailed` when it is of another format or length.
  public mutating func analyse(playback: PCMBuffer) throws(AudioError) {
    try check(playback)
    let failure = playback.samples.withUnsafeBufferPointer {
      skec_analyse(handle, $0.baseAddress, CInt($0.count))
    }
    guard failure == 0 else { throw Self.error(failure) }
  }

  /// Takes the next 10 ms of what is heard, and gives them without the echo.
  ///
  /// - Parameter delay: how long after `analyse(playback:)` a sound is heard at the loudspeaker, and how
  ///   long before this call it came to the microphone; both together, as well as that is known.
  /// - Throws: `AudioError.processingFailed` when it is of another format or length.
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

  /// Forgets the echo, for another room or other devices.
  ///
  /// - Throws: `AudioError.processingFailed` when the library fails.
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
