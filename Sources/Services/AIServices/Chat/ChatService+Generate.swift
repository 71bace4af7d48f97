import Foundation

extension ChatService {
  /// Answers a prompt with parameters from a dictionary, with structured data if there is a schema.
  package func generate(
    prompt: String, parameters: [String: Any], temperature: ClosedRange<Double>,
    default defaultTemperature: Double? = nil, maxTokens defaultMaxTokens: Int? = nil
  ) async -> Result<ResponseContent, AIServiceError> {
    await Result {
      var given = ServiceParameters(parameters)
      var request = ChatRequest(prompt, model: try given.string("model"))
      request.temperature =
        try given.number("temperature", in: temperature) ?? defaultTemperature
      request.maxTokens = try given.integer("max_tokens", in: 1...10_000_000) ?? defaultMaxTokens
      request.topP = try given.number("top_p", in: 0...1)
      request.stop = try given.strings("stop") ?? []
      if let system = try given.string("system") { request.messages.insert(.system(system), at: 0) }
      request.responseSchema = try given.object("response_schema")
      try given.finish()
      let reply = try await reply(to: request)
      if case .refused(let reason) = reply.finish, reply.text.isEmpty {
        throw AIServiceError.invalidRequest("\(displayName) refused to answer. \(reason)")
      }
      guard request.responseSchema != nil else { return .text(reply.text) }
      guard
        let members = try? JSONDecoder().decode(
          [String: SendableValue].self, from: Data(reply.text.utf8))
      else {
        throw AIServiceError.unexpectedResponseFormat(
          "\(displayName) was asked for a JSON object, but answered: \(reply.text.prefix(200))")
      }
      return .structured(members)
    }
  }
}

extension Result where Failure == AIServiceError {
  /// Runs the work and converts every error to `AIServiceError`.
  init(_ work: () async throws -> Success) async {
    do {
      self = .success(try await work())
    } catch let error as AIServiceError {
      self = .failure(error)
    } catch is CancellationError {
      self = .failure(.networkError("The request was cancelled."))
    } catch {
      self = .failure(.networkError(error.localizedDescription))
    }
  }
}
