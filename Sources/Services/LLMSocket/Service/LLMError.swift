import AIServices
import Foundation

/// Why a text was not generated.
///
/// As an `NSError` its domain is `LLMError`, its code 0 and its description the message.
public struct LLMError: Error, Hashable, Sendable {
  /// The kind of a failure: the server's own codes, and those of the client.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code as it travels.
    public let rawValue: String

    /// A code.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The server could not generate; the details say why.
    public static let generationFailed = Code(rawValue: "generation_failed")
    /// There was no prompt.
    public static let missingPrompt = Code(rawValue: "missing_prompt")
    /// No answer came in time.
    public static let timeout = Code(rawValue: "timeout")
    /// The connection was lost while the request was on its way. The server may have worked on it.
    public static let connectionLost = Code(rawValue: "connection_lost")
    /// There was no connection; the request was not sent.
    public static let notConnected = Code(rawValue: "not_connected")
    /// The server does not want us.
    public static let refused = Code(rawValue: "refused")
    /// The answer is not of the documented form.
    public static let malformedResponse = Code(rawValue: "malformed_response")
    /// The request is wrong: an option or its type.
    public static let invalidRequest = Code(rawValue: "invalid_request")
    /// Only the machine itself may be used.
    public static let offline = Code(rawValue: "offline")
  }

  /// The kind of the failure.
  public let code: Code
  /// What happened.
  public let message: String
  /// More about it, as the server told it.
  public let details: String?

  /// A failure.
  public init(_ code: Code, _ message: String, details: String? = nil) {
    self.code = code
    self.message = message
    self.details = details
  }

  static let timeout = LLMError(
    .timeout, "The service did not answer in time. Try again, or allow more time.")

  /// What an error of the connection means for a request that was not sent.
  init(notSent error: any Error) {
    let text = ConnectionKeeper.text(of: error)
    self =
      switch error {
      case let error as LLMError: error
      case HTTPFailure.offline: LLMError(.offline, text)
      case HTTPFailure.invalidRequest: LLMError(.invalidRequest, text)
      case is WebSocketHandshakeError, SocketIOError.refused, PhoenixError.refused:
        LLMError(.refused, text)
      default: LLMError(.notConnected, text)
      }
  }
}

extension LLMError: LocalizedError, CustomNSError {
  /// `LLMError`.
  public static var errorDomain: String { "LLMError" }
  /// 0.
  public var errorCode: Int { 0 }
  /// The message as the description.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
  /// The message.
  public var errorDescription: String? { message }
}

extension AIServiceError {
  /// What a failure of the socket means to those who use any provider.
  init(_ error: LLMError) {
    let text = error.details.map { "\(error.message) (\($0))" } ?? error.message
    self =
      switch error.code {
      case .timeout: .timeout(text)
      case .connectionLost: .networkError(text)
      case .notConnected: .connectionFailed(text)
      case .refused: .authenticationFailed(text)
      case .malformedResponse: .unexpectedResponseFormat(text)
      case .invalidRequest, .missingPrompt: .invalidRequest(text)
      case .offline: .configurationError(text)
      default: .providerError(text)
      }
  }
}
