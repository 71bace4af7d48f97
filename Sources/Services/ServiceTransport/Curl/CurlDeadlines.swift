/// The earliest time at which the deadline of some transfer may pass. Used on the transport's
/// thread only.
///
/// Deadlines change constantly and mostly move later, so only the time of the next check is kept.
final class CurlDeadlines {
  /// The result of checking one transfer.
  enum Look {
    case reached(HTTPFailure.Stage)
    case later(ContinuousClock.Instant?)
  }

  private(set) var next: ContinuousClock.Instant?

  func consider(_ instant: ContinuousClock.Instant) {
    next = min(next ?? instant, instant)
  }

  func clear() {
    next = nil
  }
}
