/// The language a service speaks, as the file, the command line and the console say it.
package enum KindWord: String, CaseIterable, Sendable, Codable {
  case openai
  case azure
  case anthropic
  case socket
  case onDevice = "on-device"
}

/// What an answer has to be, as the file, the command line and the console say it.
package enum OutputWord: String, CaseIterable, Sendable, Codable {
  case text
  case markdown
  case sentencePairs = "sentence-pairs"
  case corrections
  case diff
  case json
}

/// How several connectors are asked, as the file, the command line and the console say it.
package enum ModeWord: String, CaseIterable, Sendable, Codable {
  case sequential
  case parallel
  case firstSuccess = "first-success"
  case hedged
}

extension Connector.Kind {
  /// What it is called.
  package var word: KindWord {
    switch self {
    case .openAICompatible: .openai
    case .azure: .azure
    case .anthropic: .anthropic
    case .llmSocket: .socket
    case .onDevice: .onDevice
    }
  }
}

extension OutputExpectation {
  /// What it is called.
  package var word: OutputWord {
    switch self {
    case .text: .text
    case .markdown: .markdown
    case .sentencePairs: .sentencePairs
    case .corrections: .corrections
    case .diff: .diff
    case .json: .json
    }
  }
}

extension RoutingRule.Mode {
  /// What it is called.
  package var word: ModeWord {
    switch self {
    case .sequential: .sequential
    case .parallel: .parallel
    case .firstSuccess: .firstSuccess
    case .hedged: .hedged
    }
  }
}
