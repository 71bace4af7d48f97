/// What an echo canceller does to the sound of a microphone.
///
/// The defaults were measured (`Benchmarks --filter echo`): no speech is found in what is left of the echo,
/// and a voice that speaks over it stays as clear as it can be.
public struct EchoCancellerConfiguration: Sendable, Hashable {
  /// How much is done against the echo that the filter leaves. More of it takes more of a voice that
  /// speaks at the same time.
  public enum EchoSuppression: Int, Sendable, CaseIterable {
    /// The filter does nearly all.
    case low
    /// A balance.
    case moderate
    /// No echo, even where the voice suffers.
    case high
  }

  /// How much is done against steady noise.
  public enum NoiseSuppression: Int, Sendable, CaseIterable {
    /// About 6 dB.
    case low
    /// About 10 dB.
    case moderate
    /// About 15 dB.
    case high
    /// About 20 dB, heard in the voice.
    case veryHigh
  }

  /// How hard residual echo is suppressed.
  public var echoSuppression: EchoSuppression
  /// How hard noise is suppressed; `nil` for not at all.
  public var noiseSuppression: NoiseSuppression?
  /// How far below full scale voices are brought to, in decibels from 0 to 31; `nil` leaves them as loud as
  /// they are.
  public var gainTarget: Int?
  /// Whether rumble and a constant offset are taken out first.
  public var filtersRumble: Bool
  /// Whether the canceller looks for the delay of the echo by itself. Without it the devices have to tell
  /// their delays right to some milliseconds.
  public var findsDelay: Bool
  /// Whether the filter spans 128 ms of echo instead of 48 ms. Measured, it leaves more echo and takes
  /// more of a voice that speaks over it; it is for devices whose delays jump about.
  public var hasLongFilter: Bool

  /// A configuration.
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
