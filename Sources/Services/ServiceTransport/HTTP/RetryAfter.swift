import Foundation

/// The delay that a response requests in its header.
package enum RetryAfter {
  package static func wish(in headers: HTTPHeaders, at date: Date) -> Duration? {
    if let text = headers["retry-after-ms"], let value = Double(text), value >= 0, value.isFinite {
      return duration(value / 1_000)
    }
    if let text = headers["retry-after"]?.trimmingCharacters(in: .whitespaces) {
      if let seconds = Double(text), seconds >= 0, seconds.isFinite { return duration(seconds) }
      if let moment = httpDate(text) { return duration(max(0, moment.timeIntervalSince(date))) }
    }
    if let text = headers["x-ratelimit-reset"], let moment = Double(text), moment.isFinite {
      let wait = moment - date.timeIntervalSince1970
      if wait >= 0 { return duration(wait) }
    }
    return nil
  }

  /// At most a century: longer delays are never awaited, and the arithmetic stays in range.
  private static func duration(_ seconds: Double) -> Duration {
    .seconds(min(seconds, 3_200_000_000))
  }

  /// A date in any of the three forms that HTTP allows.
  static func httpDate(_ text: String) -> Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    for form in [
      "EEE, dd MMM yyyy HH:mm:ss zzz", "EEEE, dd-MMM-yy HH:mm:ss zzz", "EEE MMM d HH:mm:ss yyyy",
    ] {
      formatter.dateFormat = form
      if let date = formatter.date(from: text) { return date }
    }
    return nil
  }
}
