import Foundation
import SpeechConcurrency

/// Transcribes utterances over one connection, which is kept between them.
///
/// Releasing the transcriber closes the connection.
package final class OpenAILiveTranscriber: Sendable {
  let client: ServiceClient
  private let model: String
  private let call: ServiceCall
  private let session: OpenAILiveEvent.Update
  private let kept = Guarded<OpenAILiveConnection?>(nil)

  fileprivate init(
    _ provider: OpenAIProvider, model: String?, language: String?, prompt: String?
  ) {
    let model = model ?? provider.configuration.liveTranscriptionModel
    client = provider.client
    self.model = model
    // OpenAI takes the model of a session that only transcribes from the session alone.
    let isOpenAI = provider.configuration.isOpenAI
    var call = ServiceCall(
      .get, "realtime",
      query: [("intent", "transcription")] + (isOpenAI ? [] : [("model", model)]))
    call.model = model
    self.call = call
    session = OpenAILiveEvent.Update(
      session: .init(
        audio: .init(
          input: .init(transcription: .init(model: model, language: language, prompt: prompt)))))
  }

  /// Begins an utterance.
  package func begin() -> OpenAILiveUtterance {
    let utterance = OpenAILiveUtterance(self)
    utterance.start()
    return utterance
  }

  /// The kept connection, or another one.
  func connection() async throws -> (OpenAILiveConnection, wasKept: Bool) {
    if let connection = kept.withLock({ $0.take() }) { return (connection, true) }
    return (try await OpenAILiveConnection(client, call: call, session: session), false)
  }

  /// Keeps a connection for the next utterance.
  func keep(_ connection: OpenAILiveConnection, lastItem: String?) {
    var connection = connection
    connection.lastItem = lastItem
    kept.withLock { [connection] in $0 = connection }
  }

  /// Adds the usage of an utterance to that of the client.
  func recorded(_ reply: TranscriptionReply) -> TranscriptionReply {
    client.record(reply.usage, model: model)
    return reply
  }

  /// The error for the caller.
  func failure(of error: any Error) -> any Error { client.failure(of: error) }

  /// Waits before another connection.
  func pause(afterLosses count: Int) async throws {
    try await client.clock.sleep(.milliseconds(250 * count))
  }
}

extension OpenAIProvider {
  /// Prepares live transcription over a WebSocket.
  ///
  /// - Parameters:
  ///   - model: the model; `nil` for the provider's default.
  ///   - language: the language as an ISO 639-1 code, if known.
  ///   - prompt: expected words, or the preceding text.
  package func liveTranscriber(
    model: String?, language: String?, prompt: String?
  ) -> OpenAILiveTranscriber {
    OpenAILiveTranscriber(self, model: model, language: language, prompt: prompt)
  }
}
