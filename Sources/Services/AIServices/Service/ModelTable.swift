import Foundation

/// The models of a vendor, as far as a program has to know them: its own defaults and what was retired.
package struct ModelTable: Sendable {
  /// A model that the vendor takes, or took, out of service.
  package struct Retirement: Sendable, Hashable {
    /// The last day, as `yyyy-MM-dd`; `nil` where the vendor has announced none.
    package let lastDay: String?
    /// What the vendor names in its place; `nil` if nothing.
    package let successor: String?

    /// A retirement.
    package init(lastDay: String? = nil, successor: String?) {
      self.lastDay = lastDay
      self.successor = successor
    }

    fileprivate var advice: String {
      successor.map { "Use “\($0)” instead." } ?? "Choose another model."
    }
  }

  /// The vendor's name, for messages.
  package let vendor: String
  /// The hosts that are the vendor's own. Elsewhere a retired name may still be served.
  package let hosts: Set<String>
  /// What is retired, by name.
  package let retirements: [String: Retirement]

  /// A table.
  package init(vendor: String, hosts: Set<String>, retirements: [String: Retirement]) {
    self.vendor = vendor
    self.hosts = hosts
    self.retirements = retirements
  }

  /// Checks that the model can still be had at that host.
  ///
  /// - Throws: `AIServiceError.invalidRequest` naming what to use instead.
  package func check(_ model: String, host: String, date: Date) throws(AIServiceError) {
    guard hosts.contains(host), let retirement = retirements[model],
      let lastDay = retirement.lastDay, Self.day(of: date) > lastDay
    else { return }
    throw .invalidRequest(
      "\(vendor) retired the model “\(model)” on \(lastDay). \(retirement.advice)")
  }

  /// What to say of a model that was refused; `nil` if nothing is known of it.
  package func advice(on model: String) -> String? {
    guard let retirement = retirements[model] else { return nil }
    return "\(vendor) does not offer “\(model)” any more, or not for long. \(retirement.advice)"
  }

  /// Days compare as text in this form. Vendors' days end last in the west, hence the time zone.
  private static func day(of date: Date) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: -12 * 3_600) ?? .gmt
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
  }
}
