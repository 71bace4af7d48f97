import Foundation

/// The system resources that this process holds.
package struct ProcessHoldings {
  /// The resident memory.
  package var kibibytes: Int
  /// The number of open descriptors.
  package var descriptors: Int
  /// The number of threads, including those of the thread pools, whose number varies.
  package var threads: Int

  /// Measures the process now.
  package static func now() -> ProcessHoldings {
    ProcessHoldings(
      kibibytes: residentKibibytes, descriptors: count("fd"), threads: count("task"))
  }

  /// The resident memory now.
  package static var residentKibibytes: Int {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return (pages ?? 0) * sysconf(Int32(_SC_PAGESIZE)) / 1_024
  }

  /// Measures the process until it holds no more than before, or the time is over.
  ///
  /// Polls: the effects of a thread are visible before the system has removed the thread, and there
  /// is no notification of that. It blocks its own thread meanwhile, because work for the pools,
  /// even a wait, would keep their threads from ending.
  ///
  /// - Parameters:
  ///   - spare: the number of descriptors that may have been added.
  ///   - kibibytes: the memory that may have been added.
  package static func settled(
    since before: ProcessHoldings, within timeout: Duration = .seconds(20), spare: Int = 0,
    kibibytes: Int = .max
  ) -> ProcessHoldings {
    let end = ContinuousClock.now + timeout
    while true {
      let holdings = now()
      let isSettled =
        holdings.isNoMore(than: before, spare: spare)
        && holdings.hasGrown(since: before, atMostKibibytes: kibibytes)
      if isSettled || end < .now { return holdings }
      usleep(1_000)
    }
  }

  /// True if there are no more descriptors, apart from some to spare, and no more threads than
  /// before. The pools may have created a thread for each processor since, and keep it.
  package func isNoMore(than before: ProcessHoldings, spare: Int = 0) -> Bool {
    descriptors <= before.descriptors + spare
      && threads <= before.threads + ProcessInfo.processInfo.activeProcessorCount
  }

  private static func count(_ what: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(what)").count) ?? 0
  }

  /// True if the process has grown by no more than the limit.
  ///
  /// Always true under a sanitizer, which keeps freed memory and adds its own to each allocation,
  /// so that the growth of the process says nothing about the program.
  package func hasGrown(since before: ProcessHoldings, atMostKibibytes limit: Int) -> Bool {
    Sanitizer.isOn || kibibytes - before.kibibytes <= limit
  }
}
