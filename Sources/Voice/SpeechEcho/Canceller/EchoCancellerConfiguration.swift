/// The processing that an echo canceller applies to a microphone's audio.
///
/// The defaults were chosen by measurement (`Benchmarks --filter echo`): no speech is found in the
/// residual echo, and a voice that speaks over it stays as clear as possible.
public struct EchoCancellerConfiguration: Sendable, Hashable {
  /// The suppression of the echo that the filter leaves. Stronger suppression also attenuates a
  /// voice that speaks at the same time.
  public enum EchoSuppression: Int, Sendable, CaseIterable {
    /// Little suppression; the filter does nearly everything.
    case low
    /// A balance of echo and voice.
    case moderate
    /// No echo, even if the voice suffers.
    case high
  }

  /// The suppression of steady noise.
  public enum NoiseSuppression: Int, Sendable, CaseIterable {
    /// About 6 dB of suppression.
    case low
    /// About 10 dB of suppression.
    case moderate
    /// About 15 dB of suppression.
    case high
    /// About 20 dB of suppression, audible in the voice.
    case veryHigh
  }

  /// The suppression of residual echo.
  public var echoSuppression: EchoSuppression
  /// The suppression of noise; `nil` for none.
  public var noiseSuppression: NoiseSuppression?
  /// The target level of voices in decibels below full scale, from 0 to 31; `nil` leaves the level
  /// unchanged.
  public var gainTarget: Int?
  /// True if rumble and a constant offset are filtered out first.
  public var filtersRumble: Bool
  /// True if the canceller estimates the delay of the echo itself. Otherwise the devices have to
  /// report their delays to within a few milliseconds.
  public var findsDelay: Bool
  /// True if the filter spans 128 ms of echo instead of 48 ms. In measurements it leaves more echo
  /// and attenuates a simultaneous voice more; it is for devices whose delays vary.
  public var hasLongFilter: Bool

  /// Creates a configuration; the defaults were chosen by measurement.
  public init(
    echoSuppression: EchoSuppression = .moderate, noiseSuppression: NoiseSuppression? = nil,
    gainTarget: Int? = nil, filtersRumble: Bool = true, findsDelay: Bool = true,
    hasLongFilter: Bool = false
  ) {
    self.echoSuppression = echoSuppression
    self.noiseSuppression = noiseSuppression
    self.gainTarget = gainTarget
    self.filtersRumble = filtersRumble
    self.findsDelay = findsDelay
    self.hasLongFilter = hasLongFilter
  }
}
