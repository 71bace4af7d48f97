import Foundation
import SpeechActions

/// A connector as the page shows and sends it. Never with a key.
struct ConnectorForm: Codable, Sendable {
  var id: String
  var name: String
  var vendor: String
  var kind: String
  var deployment: String
  var apiVersion: String
  var baseURL: String
  var credential: String
  var model: String
  var headers: [String: String]
  var timeoutSeconds: Double
  var maxTokens: Int?
  var temperature: Double?
  var topP: Double?
  var instructions: String
  var streams: Bool
  var priceInput: Double?
  var priceOutput: Double?
  var concurrency: Int
  var isActive: Bool

  init(_ connector: Connector) {
    id = connector.id
    name = connector.name
    vendor = connector.vendor
    (deployment, apiVersion) = ("", "")
    kind = connector.kind.word.rawValue
    if case .azure(let place, let version) = connector.kind {
      (deployment, apiVersion) = (place, version)
    }
    baseURL = connector.baseURL
    credential = connector.credential ?? ""
    model = connector.model
    headers = connector.headers
    timeoutSeconds = connector.timeout / .seconds(1)
    maxTokens = connector.maxTokens
    temperature = connector.temperature
    topP = connector.topP
    instructions = connector.instructions
    streams = connector.streams
    priceInput = connector.price?.input
    priceOutput = connector.price?.output
    concurrency = connector.concurrency
    isActive = connector.isActive
  }

  /// The connector.
  ///
  /// - Throws: `APIError`.
  func connector() throws -> Connector {
    var connector = Connector(
      id: id, name: name.allSatisfy(\.isWhitespace) ? id : name, vendor: vendor, kind: try kindOf(),
      baseURL: baseURL.trimmingCharacters(in: .whitespaces),
      credential: credential.isEmpty ? nil : credential,
      model: model.trimmingCharacters(in: .whitespaces), headers: headers,
      timeout: try ActionForm.seconds(timeoutSeconds, "The time-out"), maxTokens: maxTokens,
      temperature: temperature, topP: topP, instructions: instructions, streams: streams,
      concurrency: concurrency, isActive: isActive)
    if priceInput != nil || priceOutput != nil {
      connector.price = Connector.Price(input: priceInput ?? 0, output: priceOutput ?? 0)
    }
    for (value, range, what) in [
      (maxTokens.map(Double.init), 1...1e7, "The most tokens of an answer"),
      (temperature, 0...2, "The temperature"), (topP, 0...1, "The share of likely words"),
      (priceInput, 0...1e6, "The price of what is sent"),
      (priceOutput, 0...1e6, "The price of what is answered"),
      (Double(concurrency), 1...1_000, "How many requests may be under way"),
    ] {
      guard let value, !range.contains(value) else { continue }
      throw APIError(
        422,
        "\(what) has to be from \(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound))."
      )
    }
    if !connector.baseURL.isEmpty {
      let scheme = URL(string: connector.baseURL)?.scheme?.lowercased() ?? ""
      guard ["http", "https", "ws", "wss"].contains(scheme) else {
        throw APIError(
          422, "“\(connector.baseURL)” is no address. Write it like https://api.example.com/v1.")
      }
    }
    return connector
  }

  private func kindOf() throws -> Connector.Kind {
    switch KindWord(rawValue: kind) {
    case .openai: return .openAICompatible
    case .azure:
      guard !deployment.isEmpty else {
        throw APIError(422, "Azure needs the name of the deployment.")
      }
      return .azure(deployment: deployment, apiVersion: apiVersion)
    case .anthropic: return .anthropic
    case .socket: return .llmSocket
    case .onDevice: return .onDevice
    case nil: throw APIError(422, "“\(kind)” is no kind of connector.")
    }
  }

  private static func plain(_ number: Double) -> String {
    number.formatted(.number.grouping(.never).locale(Locale(identifier: "en")))
  }
}
