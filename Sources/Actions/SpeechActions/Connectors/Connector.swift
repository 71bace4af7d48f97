import AIServices
import Foundation

/// A service that answers: where it is, how it is spoken to, and what it costs.
///
/// ```swift
/// let connector = Connector(
///   id: "work", name: "Work", vendor: "OpenAI", kind: .openAICompatible,
///   baseURL: "https://api.openai.com/v1", credential: "openai-work", model: "gpt-5.6-terra")
/// ```
public struct Connector: Sendable, Hashable, Identifiable {
  /// The language a service speaks.
  public enum Kind: Sendable, Hashable {
    /// Chat completions as OpenAI documents them, which most servers speak.
    case openAICompatible
    /// Azure OpenAI: the same language, another address, key and model. The base address is that of the
    /// resource, or the whole one up to the deployment.
    case azure(deployment: String, apiVersion: String)
    /// Messages as Anthropic documents them.
    case anthropic
    /// The LLM socket.
    case llmSocket
    /// A model server on this machine if one runs, otherwise the offline responder.
    case onDevice
  }

  /// What a million tokens cost, in the currency that spending caps are in.
  public struct Price: Sendable, Hashable {
    /// A million tokens sent.
    public var input: Double
    /// A million tokens answered.
    public var output: Double

    /// A price.
    public init(input: Double, output: Double) {
      self.input = input
      self.output = output
    }
  }

  /// What it is called in files and commands; letters, digits, `-` and `_`.
  public var id: String
  /// What it is called on screens.
  public var name: String
  /// Whom it belongs to, for grouping.
  public var vendor: String
  /// The language it speaks.
  public var kind: Kind
  /// Its address; empty for the vendor's own.
  public var baseURL: String
  /// The name that its key is stored under in the credential store; `nil` for a service without one. Never
  /// the key itself.
  public var credential: String?
  /// The model; empty for the service's choice.
  public var model: String
  /// Further header fields. Never a key.
  public var headers: [String: String]
  /// How long an answer may take altogether.
  public var timeout: Duration
  /// The most tokens of an answer.
  public var maxTokens: Int?
  /// How freely words are chosen.
  public var temperature: Double?
  /// The share of likely words to choose from.
  public var topP: Double?
  /// Rules that every request to it begins with.
  public var instructions: String
  /// Whether answers come piece by piece.
  public var streams: Bool
  /// What it costs; `nil` if nothing, or not known.
  public var price: Price?
  /// How many requests may be under way at once.
  public var concurrency: Int
  /// Whether it is asked at all.
  public var isActive: Bool

  /// A connector.
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
