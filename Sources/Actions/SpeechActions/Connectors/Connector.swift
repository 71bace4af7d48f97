import AIServices
import Foundation

/// A service that answers: its address, protocol, settings and price.
///
/// ```swift
/// let connector = Connector(
///   id: "work", name: "Work", vendor: "OpenAI", kind: .openAICompatible,
///   baseURL: "https://api.openai.com/v1", credential: "openai-work", model: "gpt-5.6-terra")
/// ```
public struct Connector: Sendable, Hashable, Identifiable {
  /// The protocol of a service.
  public enum Kind: Sendable, Hashable {
    /// OpenAI's chat completions, which most servers support.
    case openAICompatible
    /// Azure OpenAI: OpenAI's protocol with another address, key and model. The base address is
    /// that of the resource, or the complete one up to the deployment.
    case azure(deployment: String, apiVersion: String)
    /// Anthropic's messages.
    case anthropic
    /// The LLM socket, in any of its dialects.
    case llmSocket
    /// A model server on this machine if one runs, otherwise the offline responder.
    case onDevice
  }

  /// The price of a million tokens, in the currency of spending caps.
  public struct Price: Sendable, Hashable {
    /// The price of a million input tokens.
    public var input: Double
    /// The price of a million output tokens.
    public var output: Double

    /// Creates a price for a million tokens of each kind.
    public init(input: Double, output: Double) {
      self.input = input
      self.output = output
    }
  }

  /// The name in files and commands. It consists of letters, digits, `-` and `_`.
  public var id: String
  /// The name on screens.
  public var name: String
  /// The vendor, by which lists are grouped.
  public var vendor: String
  /// The protocol of the service.
  public var kind: Kind
  /// The address; the vendor's own if empty.
  public var baseURL: String
  /// The name under which the key is stored in the credential store; `nil` for a service without a
  /// key. Never the key itself.
  public var credential: String?
  /// The model; the service's default if empty.
  public var model: String
  /// Additional header fields. They must not contain a key.
  public var headers: [String: String]
  /// The time limit for a complete answer.
  public var timeout: Duration
  /// The maximum number of output tokens; the service's default if `nil`.
  public var maxTokens: Int?
  /// The sampling temperature; the service's default if `nil`.
  public var temperature: Double?
  /// The probability mass for nucleus sampling (`top_p`); the service's default if `nil`.
  public var topP: Double?
  /// Instructions that precede every request.
  public var instructions: String
  /// True if answers arrive in pieces.
  public var streams: Bool
  /// The price; `nil` if the service is free or its price is unknown.
  public var price: Price?
  /// The maximum number of concurrent requests.
  public var concurrency: Int
  /// True if requests are sent to the connector.
  public var isActive: Bool

  /// Creates a connector. The name is the id unless given.
  public init(
    id: String, name: String? = nil, vendor: String = "", kind: Kind = .openAICompatible,
    baseURL: String = "", credential: String? = nil, model: String = "",
    headers: [String: String] = [:], timeout: Duration = .seconds(120), maxTokens: Int? = nil,
    temperature: Double? = nil, topP: Double? = nil, instructions: String = "",
    streams: Bool = true, price: Price? = nil, concurrency: Int = 4, isActive: Bool = true
  ) {
    self.id = id
    self.name = name ?? id
    self.vendor = vendor
    self.kind = kind
    self.baseURL = baseURL
    self.credential = credential
    self.model = model
    self.headers = headers
    self.timeout = timeout
    self.maxTokens = maxTokens
    self.temperature = temperature
    self.topP = topP
    self.instructions = instructions
    self.streams = streams
    self.price = price
    self.concurrency = concurrency
    self.isActive = isActive
  }
}
