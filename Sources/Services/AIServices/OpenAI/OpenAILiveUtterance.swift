import Foundation
import SpeechConcurrency

/// An utterance that is transcribed while it is spoken.
///
/// The audio is kept until the text is known. When the connection is lost, the audio is sent again
/// over another one, and only the text of that one counts.
package final class OpenAILiveUtterance: Sendable {
  /// The progress of an utterance.
  package enum Progress: Sendable {
    /// The text so far.
    case text(String)
    /// The whole text.
    case finished(TranscriptionReply)
  }

  /// The audio in bytes that is kept in order to send it again: five minutes. Of a longer utterance
  /// only the audio that has not been sent is kept, and a loss of the connection ends it.
  package static let keptLimit = 300 * bytesPerSecond
  private static let bytesPerSecond = 48_000
  /// The least and the most audio in a message.
  private static let pieceSizes = bytesPerSecond / 10...bytesPerSecond
  /// The number of connections that may be lost during an utterance.
  private static let lossLimit = 3

  private struct State {
    var audio = Data()
    /// The number of bytes before those that are kept.
    var dropped = 0
    var isFinished = false
    /// True if the connection carries all of the audio.
    var isCommitted = false
    var text = ""
    var result: Result<TranscriptionReply, any Error>?
    /// The number of messages in both directions.
    var messages = 0

    var end: Int { dropped + audio.count }

    /// Drops the audio before a position if the utterance is longer than the limit.
    mutating func drop(before position: Int, above limit: Int) {
      guard end > limit, position > dropped else { return }
      audio = Data(audio.dropFirst(position - dropped))
      dropped = position
    }
  }

  private let transcriber: OpenAILiveTranscriber
  private let state = Guarded(State())
  private let changed = ChangeSignal()
  private let task = Guarded<Task<Void, Never>?>(nil)

  init(_ transcriber: OpenAILiveTranscriber) {
    self.transcriber = transcriber
  }

  /// Begins to connect and to send. The utterance lives until its end or its cancellation.
  func start() {
    ExternalWork.outside {
      let task = Task {
        let result: Result<TranscriptionReply, any Error>
        do { result = .success(try await run()) } catch { result = .failure(error) }
        state.withLock { $0.result = result }
        changed.notify()
      }
      self.task.withLock { $0 = task }
    }
  }

  /// Adds audio: 16-bit samples at 24 kHz.
  ///
  /// - Throws: `AIServiceError` if the transcription has failed already.
  package func append(_ bytes: Data) throws {
    try state.withLock { state in
      if case .failure(let error) = state.result { throw error }
      state.audio.append(bytes)
    }
    ExternalWork.outside { changed.notify() }
  }

  /// Ends the audio.
  package func finish() {
    state.withLock { $0.isFinished = true }
    ExternalWork.outside { changed.notify() }
  }

  /// Abandons the utterance.
  package func cancel() {
    let task = task.withLock { $0 }
    ExternalWork.outside { task?.cancel() }
  }

  /// The text so far.
  package var text: String { state.withLock(\.text) }

  /// Waits until there is another text than the given one, or the whole text. This is external
  /// work.
  ///
  /// - Throws: `AIServiceError`; `CancellationError` when the task or the utterance was cancelled.
  package func progress(after text: String) async throws -> Progress {
    try await ExternalWork.run { [self] in
      try await changed.wait {
        try state.withLock { state throws -> Progress? in
          if let result = state.result { return .finished(try result.get()) }
          return state.text == text ? nil : .text(state.text)
        }
      }
    }
  }

  private func run() async throws -> TranscriptionReply {
    var losses = 0
    while true {
      var connection: OpenAILiveConnection?
      var isKept = false
      do {
        let (opened, wasKept) = try await transcriber.connection()
        connection = opened
        isKept = wasKept
        let (reply, item) = try await transcribe(over: opened)
        transcriber.keep(opened, lastItem: item)
        return reply
      } catch {
        let isUnused = state.withLock { $0.messages == 0 }
        if let connection {
          if error is CancellationError, isUnused {
            transcriber.keep(connection, lastItem: connection.lastItem)
          } else {
            await connection.socket.drop()
          }
        }
        guard let loss = Self.loss(error, isKept: isKept) else {
          throw connection == nil ? error : transcriber.failure(of: error)
        }
        // A kept connection may have ended long ago.
        if !isKept { losses += 1 }
        guard losses < Self.lossLimit, state.withLock({ $0.dropped == 0 }) else {
          throw transcriber.failure(of: loss.failure)
        }
        if losses > 1 { try await transcriber.pause(afterLosses: losses) }
      }
    }
  }

  /// The loss that the error is. A kept connection may have been closed before this utterance, so
  /// the reason of the server need not concern it.
  private static func loss(_ error: any Error, isKept: Bool) -> OpenAILiveConnection.Loss? {
    if let loss = error as? OpenAILiveConnection.Loss { return loss }
    guard isKept, let failure = error as? HTTPFailure, case .interrupted = failure else {
      return nil
    }
    return OpenAILiveConnection.Loss(failure: failure)
  }

  private func transcribe(
    over connection: OpenAILiveConnection
  ) async throws -> (TranscriptionReply, item: String?) {
    state.withLock { $0.isCommitted = false }
    return try await withThrowingTaskGroup(
      of: (TranscriptionReply, item: String?)?.self
    ) { group in
      defer { group.cancelAll() }
      group.addTask { [self] in
        // The receiver reports why a connection ends, after the server's last messages.
        try? await send(over: connection.socket)
        return nil
      }
      group.addTask { [self] in try await receive(from: connection) }
      group.addTask { [self] in
        try await watch()
        return nil
      }
      while let outcome = try await group.next() {
        if let outcome { return outcome }
      }
      throw CancellationError()
    }
  }

  private func send(over socket: any WebSocketConnection) async throws {
    var position = 0
    while let piece = try await piece(from: position) {
      try await socket.send(.text(OpenAILiveEvent.append(piece)))
      position += piece.count
      state.withLock { state in
        state.messages += 1
        state.drop(before: position, above: Self.keptLimit)
      }
    }
    state.withLock { state in
      state.messages += 1
      state.isCommitted = true
    }
    try await socket.send(.text(OpenAILiveEvent.commit))
  }

  /// The next audio to send; `nil` at the end of the utterance.
  private func piece(from position: Int) async throws -> Data? {
    let piece = try await changed.wait {
      state.withLock { state -> Data? in
        let waiting = state.end - position
        guard state.isFinished || waiting >= Self.pieceSizes.lowerBound else { return nil }
        let start = state.audio.startIndex + position - state.dropped
        return Data(state.audio[start..<start + min(waiting, Self.pieceSizes.upperBound)])
      }
    }
    return piece.isEmpty ? nil : piece
  }

  private func receive(
    from connection: OpenAILiveConnection
  ) async throws -> (TranscriptionReply, item: String?) {
    var transcript = OpenAILiveTranscript(
      client: transcriber.client, earlierItem: connection.lastItem)
    while true {
      let message = try await connection.received()
      let reply = try transcript.take(message, isCommitted: state.withLock(\.isCommitted))
      if let reply { return (transcriber.recorded(reply), transcript.item) }
      let text = transcript.text
      let isChanged = state.withLock { state in
        state.messages += 1
        // After a loss the text begins again; it is shown when it says more than before.
        guard text.count > state.text.count else { return false }
        state.text = text
        return true
      }
      if isChanged { changed.notify() }
    }
  }

  /// Fails when the server does not proceed after the end of the audio.
  private func watch() async throws {
    try await changed.wait(until: { state.withLock(\.isFinished) })
    let timeouts = transcriber.client.endpoint.timeouts
    let clock = transcriber.client.clock
    let start = clock.now()
    while true {
      let before = state.withLock(\.messages)
      try await clock.sleep(timeouts.idle)
      guard state.withLock(\.messages) != before else { throw HTTPFailure.timedOut(.idle) }
      if let total = timeouts.total, clock.now() - start >= total {
        throw HTTPFailure.timedOut(.total)
      }
    }
  }
}
