import Foundation

/// The processor time and memory that this process has used since a moment.
struct ResourceUse {
  private let startTime = Self.processorTime
  private let startMemory = Self.residentMegabytes
  private var peak = Self.residentMegabytes

  /// Takes the memory in use now into account.
  mutating func note() { peak = max(peak, Self.residentMegabytes) }

  /// The use since the moment, for that many seconds of audio.
  func resources(for seconds: Double) -> LabReport.Resources {
    LabReport.Resources(
      processorTime: (Self.processorTime - startTime) / max(seconds, 0.001),
      megabytes: max(0, peak - startMemory))
  }

  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static var residentMegabytes: Double {
    let pages =
      (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
    return pages * Double(getpagesize()) / 1_048_576
  }
}
