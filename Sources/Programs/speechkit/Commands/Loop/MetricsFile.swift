import SpeechCommand
import SpeechKit

/// A file for the timings of a conversation, in a format of monitoring systems.
struct MetricsFile: Sendable, Equatable {
  enum Form: String, Sendable, CaseIterable {
    case prometheus
    case otel
  }

  var form: Form
  var path: String

  /// `prometheus:FILE` or `otel:FILE`.
  init(_ text: String) throws(UsageError) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, let form = Form(rawValue: parts[0]), !parts[1].isEmpty else {
      throw UsageError("--metrics takes prometheus:FILE or otel:FILE, not “\(text)”")
    }
    (self.form, path) = (form, parts[1])
  }

  /// - Parameter isDurable: waits until the file is on the disk.
  func write(_ table: TurnTimingsTable, from start: Date, isDurable: Bool) async throws {
    let text =
      switch form {
      case .prometheus: table.prometheusText
      case .otel:
        String(decoding: try table.openTelemetryJSON(from: start, to: Date()), as: UTF8.self)
      }
    try await TextOutput().write(text, to: URL(filePath: path), isDurable: isDurable)
  }
}
