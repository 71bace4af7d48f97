import SpeechActions
import SpeechKit

/// What is known of a run while it goes on, by connector: events in, states out.
struct RunProgress: Sendable {
  /// How far a connector is.
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
      // A kept answer, or one that could not be asked at all.
      parts.append(Part(connector: connector, state: state))
    }
  }

  private func index(of connector: String) -> Int? {
    parts.firstIndex { $0.connector == connector }
  }
}

extension RunProgress {
  /// What a person sees meanwhile: a column for each connector with the end of its answer, in so many lines.
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

  /// What it took and cost, a line for each connector.
  var summary: String {
    let rows = parts.map { part -> [String] in
      switch part.state {
      case .asked, .answering: [part.connector, "not done"]
      case .finished(let answer):
        [
          part.connector, answer.latency.brief,
          answer.isCached ? "kept" : answer.firstText.map { "first word \($0.brief)" } ?? "",
          answer.usage.inputTokens + answer.usage.outputTokens > 0
            ? "\(answer.usage.inputTokens) + \(answer.usage.outputTokens) tokens" : "",
          answer.cost.map { Self.cost($0) } ?? "", answer.isCutOff ? "cut off" : "",
        ]
      case .failed(let failure):
        [part.connector, failure.latency.brief, failure.error.localizedDescription]
      case .cancelled(let reason): [part.connector, "called off (\(reason.rawValue))"]
      }
    }
    return TextTable(rows).text.split(separator: "\n")
      .map { String($0).trimmedAtEnd }.joined(separator: "\n")
  }

  /// Small sums with as many digits as they need.
  static func cost(_ sum: Double) -> String { String(format: sum < 0.01 ? "%.6f" : "%.4f", sum) }
}

extension RunProgress.Part {
  fileprivate var heading: String {
    switch state {
    case .asked: "asked"
    case .answering: "…"
    case .finished(let answer): answer.isCached ? "kept" : answer.latency.brief
    case .failed: "failed"
    case .cancelled: "called off"
    }
  }

  fileprivate func tail(_ width: Int) -> [String] {
    if case .failed(let failure) = state {
      return TextColumns.wrapped(failure.error.localizedDescription, to: width)
    }
    // More than this is never seen, and long answers are laid out again and again.
    return TextColumns.wrapped(String(text.suffix(4_000)), to: width)
  }
}

extension String {
  fileprivate var trimmedAtEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
