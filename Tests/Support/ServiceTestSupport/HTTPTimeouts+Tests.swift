import ServiceTransport

extension HTTPTimeouts {
  /// Longer than any machine is busy: only what does not come at all is to be late.
  package static let forTests = HTTPTimeouts(
    connect: .seconds(600), firstByte: .seconds(600), idle: .seconds(600), total: .seconds(600))

  package static func forTests(_ change: (inout HTTPTimeouts) -> Void) -> HTTPTimeouts {
    var timeouts = forTests
    change(&timeouts)
    return timeouts
  }
}
