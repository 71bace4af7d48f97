import Foundation

/// The retired models of a vendor.
package struct ModelTable: Sendable {
  /// The retirement of a model.
  package struct Retirement: Sendable, Hashable {
    /// The last day as `yyyy-MM-dd`; `nil` if the vendor has announced none.
    package var lastDay: String?
    /// The replacement that the vendor names; `nil` if there is none.
    package var successor: String?

    fileprivate var advice: String {
      successor.map { "Use “\($0)” instead." } ?? "Choose another model."
    }
  }

  /// The name of the vendor in messages.
  package let vendor: String
  /// The vendor's own hosts. Other hosts may still serve a retired model.
  package let hosts: Set<String>
  /// The retirements by model.
  package let retirements: [String: Retirement]

  /// Throws `invalidRequest` with the replacement if the host no longer offers the model.
  package func check(_ model: String, host: String, date: Date) throws(AIServiceError) {
    guard hosts.contains(host), let retirement = retirements[model],
      let lastDay = retirement.lastDay, Self.day(of: date) > lastDay
    else { return }
    throw .invalidRequest(
      "\(vendor) retired the model “\(model)” on \(lastDay). \(retirement.advice)")
  }

  /// The advice about a refused model; `nil` if it is not in the table.
  package func advice(on model: String) -> String? {
    guard let retirement = retirements[model] else { return nil }
    return "\(vendor) no longer offers “\(model)”, or will retire it soon. \(retirement.advice)"
  }

  /// Days in this form compare as text. A vendor's day ends last in the west, hence the time zone.
  private static func day(of date: Date) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: -12 * 3_600) ?? .gmt
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    return String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
  }
}
