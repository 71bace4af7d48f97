import SpeechActions
import SpeechKit

/// A connector as `--json` writes it, with the words of the file. It never holds a key.
struct ConnectorRow: Encodable, Sendable {
  var id: String
  var name: String
  var vendor: String
  var kind: KindWord
  var url: String
  var deployment: String?
  var apiVersion: String?
  var credential: String?
  var model: String
  var headers: [String: String]
  var timeoutMilliseconds: Int
  var maxTokens: Int?
  var temperature: Double?
  var topP: Double?
  var instructions: String
  var streams: Bool
  var priceIn: Double?
  var priceOut: Double?
  var concurrency: Int
  var isActive: Bool

  init(_ connector: Connector) {
    id = connector.id
    name = connector.name
    vendor = connector.vendor
    kind = connector.kind.word
    url = connector.baseURL
    if case .azure(let place, let version) = connector.kind {
      (deployment, apiVersion) = (place, version)
    }
    credential = connector.credential
    model = connector.model
    headers = connector.headers
    timeoutMilliseconds = connector.timeout.wholeMilliseconds
    maxTokens = connector.maxTokens
    temperature = connector.temperature
    topP = connector.topP
    instructions = connector.instructions
    streams = connector.streams
    priceIn = connector.price?.input
    priceOut = connector.price?.output
    concurrency = connector.concurrency
    isActive = connector.isActive
  }
}
