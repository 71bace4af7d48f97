#if Cloud
import SpeechActions
import SpeechCommand

/// The progress of a run by connector: events in, states out.
struct RunProgress: Sendable {
  enum State: Sendable, Hashable {
    case asked
    case answering
    case finished(ConnectorAnswer)
    case failed(RunFailure)
    case cancelled(CancellationReason)
  }

  struct Part: Sendable, Hashable {
    var connector: String
    var state: State
    var text = ""
  }

  /// In the order in which they were asked first.
  private(set) var parts: [Part] = []
  private(set) var outcome: RunOutcome?

  mutating func take(_ event: RunEvent) {
    switch event {
    case .started(let connector):
      let part = Part(connector: connector, state: .asked)
      if let index = index(of: connector) { parts[index] = part } else { parts.append(part) }
    case .text(let connector, let piece):
      guard let index = index(of: connector) else { return }
      parts[index].state = .answering
      parts[index].text += piece
    case .finished(let connector, let answer):
      set(connector, .finished(answer))
    case .failed(let connector, let failure): set(connector, .failed(failure))
    case .cancelled(let connector, let reason): set(connector, .cancelled(reason))
    case .completed(let outcome): self.outcome = outcome
    }
  }

  private mutating func set(_ connector: String, _ state: State) {
    if let index = index(of: connector) {
      parts[index].state = state
    } else {
      // A cached answer, or a connector that could not be asked.
      parts.append(Part(connector: connector, state: state))
    }
  }

  private func index(of connector: String) -> Int? {
    parts.firstIndex { $0.connector == connector }
  }
}

extension RunProgress {
  /// The progress for the screen: one column per connector with the end of its answer.
  func lines(columns: Int, rows: Int) -> [StatusLine] {
    guard !parts.isEmpty else { return [] }
    let gap = " │ "
    let width = (columns - gap.count * (parts.count - 1)) / parts.count
    guard width >= 18 else {
      return parts.prefix(rows).map { part in
        StatusLine("\(part.connector): \(part.heading)  \(part.tail(columns).last ?? "")")
      }
    }
    let texts = parts.map { part in
      [TextColumns.cut("\(part.connector) · \(part.heading)", to: width)]
        + part.tail(width).suffix(max(1, rows - 1))
    }
    return TextColumns.beside(texts, width: width, gap: gap).map { StatusLine($0) }
  }

  /// The latency and cost, one line per connector.
  var summary: String {
    let rows = parts.map { part -> [String] in
      switch part.state {
      case .asked, .answering: [part.connector, "unfinished"]
      case .finished(let answer):
        [
          part.connector, answer.latency.brief,
          answer.isCached ? "cached" : answer.firstText.map { "first token \($0.brief)" } ?? "",
          answer.usage.inputTokens + answer.usage.outputTokens > 0
            ? "\(answer.usage.inputTokens) + \(answer.usage.outputTokens) tokens" : "",
          answer.cost.map { Self.cost($0, isEstimated: answer.isCostEstimated) } ?? "",
          answer.isCutOff ? "cut off" : "",
        ]
      case .failed(let failure):
        [part.connector, failure.latency.brief, failure.error.localizedDescription]
      case .cancelled(let reason): [part.connector, "cancelled (\(reason.rawValue))"]
      }
    }
    return TextTable(rows).text
  }

  /// The cost with as many digits as a small sum needs, and fewer for an estimate.
  static func cost(_ sum: Double, isEstimated: Bool) -> String {
    guard isEstimated else { return String(format: sum < 0.01 ? "%.6f" : "%.4f", sum) }
    return "≈ " + String(format: "%.2g", sum) + " (estimated)"
  }
}

extension RunProgress.Part {
  fileprivate var heading: String {
    switch state {
    case .asked: "asked"
    case .answering: "…"
    case .finished(let answer): answer.isCached ? "cached" : answer.latency.brief
    case .failed: "failed"
    case .cancelled: "cancelled"
    }
  }

  fileprivate func tail(_ width: Int) -> [String] {
    if case .failed(let failure) = state {
      return TextColumns.wrapped(failure.error.localizedDescription, to: width)
    }
    // Only the end is visible, and long answers are laid out many times.
    return TextColumns.wrapped(String(text.suffix(4_000)), to: width)
  }
}
#endif
