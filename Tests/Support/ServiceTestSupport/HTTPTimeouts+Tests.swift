import ServiceTransport

extension HTTPTimeouts {
  /// Timeouts that no busy machine reaches, so that only missing data times out.
  package static let forTests = HTTPTimeouts(
    connect: .seconds(600), firstByte: .seconds(600), idle: .seconds(600), total: .seconds(600))

  package static func forTests(_ change: (inout HTTPTimeouts) -> Void) -> HTTPTimeouts {
    var timeouts = forTests
    change(&timeouts)
    return timeouts
  }
}
