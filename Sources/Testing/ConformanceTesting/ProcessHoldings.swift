import Foundation

/// What this process holds of what the system gives.
package struct ProcessHoldings {
  /// Resident memory.
  package var kibibytes: Int
  /// Open descriptors.
  package var descriptors: Int
  /// Threads, also those of the pools, which come and go.
  package var threads: Int

  /// What it holds now.
  package static func now() -> ProcessHoldings {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return ProcessHoldings(
      kibibytes: (pages ?? 0) * sysconf(Int32(_SC_PAGESIZE)) / 1_024, descriptors: count("fd"),
      threads: count("task"))
  }

  /// What it holds as soon as that is no more than before, or what is too much after long enough.
  ///
  /// Looks again and again: what a thread did is seen before the system has taken the thread away, and the
  /// system tells nobody when it has. Meanwhile it keeps its own thread: work for the pools, even a wait,
  /// would keep theirs from ending.
  package static func settled(
    since before: ProcessHoldings, within patience: Duration = .seconds(20), spare: Int = 0
  ) -> ProcessHoldings {
    let end = ContinuousClock.now + patience
    while true {
      let holdings = now()
      if holdings.isNoMore(than: before, spare: spare) || end < .now { return holdings }
      usleep(1_000)
    }
  }

  /// Whether these are no more descriptors, but for some to spare, and threads. The pools may not have
  /// needed a thread for each processor before, and keep it once they have.
  package func isNoMore(than before: ProcessHoldings, spare: Int = 0) -> Bool {
    descriptors <= before.descriptors + spare
      && threads <= before.threads + ProcessInfo.processInfo.activeProcessorCount
  }

  private static func count(_ what: String) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(what)").count) ?? 0
  }

  /// Whether the process holds so much memory more than before, at the most.
  ///
  /// Under a sanitizer always true: that keeps freed memory back and adds its own to each piece, so that
  /// the process's growth says nothing about the program's.
  package func hasGrown(since before: ProcessHoldings, atMostKibibytes limit: Int) -> Bool {
    Sanitizer.isOn || kibibytes - before.kibibytes <= limit
  }
}
