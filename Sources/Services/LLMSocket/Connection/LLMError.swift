import AIServices
import Foundation

/// An error of `LLMService`.
///
/// As an `NSError`, its domain is `LLMError`, its code is 0 and its description is the message.
public struct LLMError: Error, Hashable, Sendable {
  /// The code of an error: one of the server's, or of the client's.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code on the wire.
    public let rawValue: String

    /// Creates a code from its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The server failed to generate a text; the details give the reason.
    public static let generationFailed = Code(rawValue: "generation_failed")
    /// The request had no prompt.
    public static let missingPrompt = Code(rawValue: "missing_prompt")
    /// The answer did not arrive in time.
    public static let timeout = Code(rawValue: "timeout")
    /// The connection was lost while the request was in flight. The server may have processed it.
    public static let connectionLost = Code(rawValue: "connection_lost")
    /// There was no connection, and the request was not sent.
    public static let notConnected = Code(rawValue: "not_connected")
    /// The server refused access.
    public static let refused = Code(rawValue: "refused")
    /// The answer does not have the documented form.
    public static let malformedResponse = Code(rawValue: "malformed_response")
    /// The request is invalid: an unknown option, or one of the wrong type.
    public static let invalidRequest = Code(rawValue: "invalid_request")
    /// Network connections are switched off.
    public static let offline = Code(rawValue: "offline")
  }

  /// The code of the error.
  public let code: Code
  /// The message for users.
  public let message: String
  /// Details from the server.
  public let details: String?

  /// Creates an error with a message for users.
  public init(_ code: Code, _ message: String, details: String? = nil) {
    self.code = code
    self.message = message
    self.details = details
  }

  static let timeout = LLMError(
    .timeout, "The service did not answer in time. Try again, or allow more time.")
}

extension LLMError: LocalizedError, CustomNSError {
  /// The domain of errors as `NSError`: `LLMError`.
  public static var errorDomain: String { "LLMError" }
  /// The code as `NSError`: 0, as the specification prints it.
  public var errorCode: Int { 0 }
  /// The message as the localised description.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
  /// The message for users.
  public var errorDescription: String? { message }
}

extension AIServiceError {
  /// Translates an error of the socket for users of any provider.
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
