import ConformanceTesting

/// The processor time and memory that this process has used since a moment.
struct ResourceUse {
  private let startTime = ProcessorClock.now
  private let startMemory = ProcessHoldings.residentKibibytes
  private var peak = ProcessHoldings.residentKibibytes

  /// Takes the memory in use now into account.
  mutating func note() { peak = max(peak, ProcessHoldings.residentKibibytes) }

  /// The use since the moment, for that many seconds of audio.
  func resources(for seconds: Double) -> LabReport.Resources {
    LabReport.Resources(
      processorTime: (ProcessorClock.now - startTime) / max(seconds, 0.001),
      megabytes: Double(max(0, peak - startMemory)) / 1_024)
  }
}
