/// The earliest time at which some transfer's deadline may be reached. Belongs to the transport's thread.
///
/// Deadlines move all the time, mostly away; so what is kept is only when to look at them next.
final class CurlDeadlines {
  /// What a look at one transfer showed.
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
