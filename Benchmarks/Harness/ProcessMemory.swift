import Foundation
import Glibc

/// The peak memory of a process, sampled while it runs.
///
/// `ru_maxrss` is unsuitable, because a process inherits it from its parent.
struct ProcessMemory: Sendable {
  /// The peak of the resident memory in megabytes, including pages of files.
  private(set) var peak = 0.0
  /// The peak of the samples of its own memory in megabytes, without pages of files.
  private(set) var peakOwn = 0.0

  /// Samples the memory of a process.
  mutating func note(_ process: pid_t) {
    var text = [UInt8](repeating: 0, count: 4_096)
    let file = open("/proc/\(process)/status", O_RDONLY)
    guard file >= 0 else { return }
    defer { close(file) }
    let count = read(file, &text, text.count)
    guard count > 0 else { return }
    for line in text.prefix(count).split(separator: UInt8(ascii: "\n")) {
      let fields = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      guard fields.count > 1, let kilobytes = Double(fields[1]) else { continue }
      switch fields[0] {
      case "VmHWM:": peak = max(peak, kilobytes / 1_024)
      case "RssAnon:": peakOwn = max(peakOwn, kilobytes / 1_024)
      default: break
      }
    }
  }
}
