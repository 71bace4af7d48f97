/// The protocol of a connector's service, as the file, the command line and the console name it.
package enum ConnectorKindName: String, FieldChoices, Codable {
  case openai
  case azure
  case anthropic
  case socket
  case onDevice = "on-device"

  package var title: String {
    switch self {
    case .openai: "OpenAI or compatible"
    case .azure: "Azure OpenAI"
    case .anthropic: "Anthropic"
    case .socket: "LLM socket"
    case .onDevice: "On this machine"
    }
  }
}

/// The format of an answer, as the file, the command line and the console name it.
package enum OutputName: String, FieldChoices, Codable {
  case text
  case markdown
  case sentencePairs = "sentence-pairs"
  case corrections
  case diff
  case json

  package var title: String {
    switch self {
    case .text: "Plain text"
    case .markdown: "Markdown"
    case .sentencePairs: "Sentences with their translations"
    case .corrections: "Corrections with reasons"
    case .diff: "Differences from the text"
    case .json: "JSON that follows a schema"
    }
  }
}

/// The order in which connectors are asked, as the file, the command line and the console name it.
package enum ModeName: String, FieldChoices, Codable {
  case sequential
  case parallel
  case firstSuccess = "first-success"
  case hedged

  package var title: String {
    switch self {
    case .sequential: "One after another"
    case .parallel: "All at once, every answer"
    case .firstSuccess: "All at once, the first answer"
    case .hedged: "The next one when the first is late"
    }
  }
}

extension PostProcessing: FieldChoices {
  package var title: String {
    switch self {
    case .cleanUp: "Remove code fences and quotation marks around the answer"
    case .plainText: "Convert Markdown to plain text"
    case .ansi: "Convert Markdown to terminal colours"
    case .replaceOriginal: "Replace the original text"
    }
  }
}

extension PrivacyRule: FieldChoices {
  package var title: String {
    switch self {
    case .anywhere: "Any connector"
    case .thisMachine: "Only this machine, without a cache"
    case .thisMachineCached: "Only this machine, with a cache in memory"
    }
  }
}

extension SpendingCap.Period: FieldChoices {
  package var title: String {
    switch self {
    case .run: "Run"
    case .day: "Day"
    case .month: "Month"
    }
  }
}

extension Connector.Kind {
  package var name: ConnectorKindName {
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
  package var name: OutputName {
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
  package var name: ModeName {
    switch self {
    case .sequential: .sequential
    case .parallel: .parallel
    case .firstSuccess: .firstSuccess
    case .hedged: .hedged
    }
  }
}
