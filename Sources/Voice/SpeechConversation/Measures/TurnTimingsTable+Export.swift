import Foundation
import SpeechAudio

extension TurnTimingsTable {
  private static let help = "How long the stages of a voice conversation's turns took."
  /// The upper bounds of the histogram's buckets, in seconds.
  private static let bounds = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10]

  private var stages: [(stage: Stage, durations: [Duration])] {
    Stage.allCases.map { ($0, durations(of: $0)) }.filter { !$0.1.isEmpty }
  }

  /// The timings in the text format of Prometheus, as read by the node exporter's textfile
  /// collector: a summary in seconds with the stage as label.
  public var prometheusText: String {
    let name = "speechkit_turn_stage_seconds"
    var lines = ["# HELP \(name) \(Self.help)", "# TYPE \(name) summary"]
    for (stage, durations) in stages {
      let label = "stage=\"\(stage.rawValue)\""
      for percent in [50.0, 95] {
        guard let value = percentile(percent, stage) else { continue }
        lines.append("\(name){\(label),quantile=\"\(percent / 100)\"} \(value.inMicroseconds)")
      }
      let sum = durations.reduce(Duration.zero, +)
      lines.append("\(name)_sum{\(label)} \(sum.inMicroseconds)")
      lines.append("\(name)_count{\(label)} \(durations.count)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns an `ExportMetricsServiceRequest` of OpenTelemetry in JSON, as collectors accept it at
  /// `/v1/metrics`: a histogram in seconds with the stage as attribute.
  ///
  /// - Parameters:
  ///   - start: The start of the conversation.
  ///   - end: The time of the measurement.
  public func openTelemetryJSON(from start: Date, to end: Date) throws -> Data {
    let (start, end) = (Self.nanoseconds(start), Self.nanoseconds(end))
    let points = stages.map { stage, durations -> [String: Any] in
      let seconds = durations.map(\.inMicroseconds)
      var counts = [Int](repeating: 0, count: Self.bounds.count + 1)
      for value in seconds {
        counts[Self.bounds.firstIndex { value <= $0 } ?? Self.bounds.count] += 1
      }
      // 64-bit integers are strings in this format.
      return [
        "attributes": [Self.attribute("stage", stage.rawValue)],
        "startTimeUnixNano": start, "timeUnixNano": end,
        "count": String(seconds.count), "sum": durations.reduce(.zero, +).inMicroseconds,
        "bucketCounts": counts.map(String.init), "explicitBounds": Self.bounds,
        "min": seconds.first ?? 0, "max": seconds.last ?? 0,
      ]
    }
    let cumulative = 2
    let metric: [String: Any] = [
      "name": "speechkit.turn.stage.duration", "description": Self.help, "unit": "s",
      "histogram": ["dataPoints": points, "aggregationTemporality": cumulative] as [String: Any],
    ]
    let scope: [String: Any] = ["scope": ["name": "SpeechKit"], "metrics": [metric]]
    let resource: [String: Any] = [
      "resource": ["attributes": [Self.attribute("service.name", "speechkit")]],
      "scopeMetrics": [scope],
    ]
    return try JSONSerialization.data(
      withJSONObject: ["resourceMetrics": [resource]],
      options: [.sortedKeys, .withoutEscapingSlashes])
  }

  private static func attribute(_ key: String, _ value: String) -> [String: Any] {
    ["key": key, "value": ["stringValue": value]]
  }

  private static func nanoseconds(_ date: Date) -> String {
    // In two steps: a double cannot represent the present in nanoseconds.
    let microseconds = (date.timeIntervalSince1970 * 1e6).rounded()
    return microseconds > 0 && microseconds < 1e16 ? "\(Int64(microseconds))000" : "0"
  }
}
