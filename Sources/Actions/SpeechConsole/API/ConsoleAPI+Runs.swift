import AIServices
import Foundation
import SpeechActions

extension ConsoleAPI {
  struct RunQuery: Decodable {
    var action: String
    var text: String
    var sourceLanguage: String?
    var targetLanguage: String?
    var variables: [String: String]?
  }

  struct Work: Decodable {
    var id: String
  }

  /// A complete text, or the run and the connector whose answer is arriving.
  struct Speech: Decodable {
    var text: String?
    var run: String?
    var connector: String?
  }

  /// Runs an action, and answers with the stream of its events.
  func run(_ query: RunQuery) async throws -> ConsoleResponse {
    let configuration = try await services.configuration.load().configuration
    var action = try configuration.actions.action(query.action)
    guard !query.text.allSatisfy(\.isWhitespace) else {
      throw APIError(422, "There is no text. Type or paste some text.")
    }
    // A page cannot show terminal colours.
    action.postProcessing = action.postProcessing.map { $0 == .ansi ? .plainText : $0 }
    let input = ActionInput(
      query.text, sourceLanguage: query.sourceLanguage, targetLanguage: query.targetLanguage,
      app: "console", variables: query.variables ?? [:])
    let run = services.runner.run(action, on: input, connectors: configuration.connectors)
    let (stream, id) = makeStream { run.cancel() }
    Task { [answers] in
      for await event in run.events {
        answers.note(event, of: id)
        stream.send(Self.record(of: event))
      }
      stream.finish()
    }
    return .events(stream)
  }

  /// Speaks a text, or an answer while it arrives, until it is complete or the page cancels.
  ///
  /// - Throws: `APIError` with the status 409 if the answer is no longer arriving: the page has all
  ///   of it, or will have soon.
  func speak(_ speech: Speech) throws -> ConsoleResponse {
    guard let speak = services.speak else {
      throw APIError(422, "The console has no voice, so it cannot speak.")
    }
    let coming = answers.pieces(of: speech.connector ?? "", in: speech.run ?? "")
    guard let words = speech.text.map(AsyncStream.whole) ?? coming else {
      throw APIError(409, "This answer is no longer arriving.")
    }
    let task = Task { try await speak(words) }
    let (stream, _) = makeStream { task.cancel() }
    Task {
      do {
        try await task.value
      } catch is CancellationError {
        // Cancelled by the page.
      } catch {
        stream.send(["event": "failed", "error": .string(error.localizedDescription)])
      }
      stream.finish()
    }
    return .events(stream)
  }

  /// Stops work that the page has started.
  func stop(_ work: Work) throws -> ConsoleResponse {
    ongoing.stop(work.id)
    return .json([String: String]())
  }

  /// Creates a stream of events for work that stops when its reader leaves, or when the page stops
  /// it by the identifier in the first event.
  private func makeStream(
    _ stop: @escaping @Sendable () -> Void
  ) -> (stream: ResponseStream, id: String) {
    let id = ongoing.begin(stop)
    let stream = ResponseStream(backlog: limits.backlog)
    stream.whenGone { [ongoing] in
      stop()
      ongoing.end(id)
    }
    stream.send(["event": "begun", "id": .string(id)])
    keepUp(stream)
    return (stream, id)
  }

  /// Writes an empty event at intervals, because only a write shows that the reader has left.
  private func keepUp(_ stream: ResponseStream) {
    Task { [limits] in
      repeat { try? await Task.sleep(for: limits.pulse) } while stream.write(":\n\n")
    }
  }

  /// Structured answers are shown as text.
  private static func record(of event: RunEvent) -> [String: SendableValue] {
    var record = event.record
    if case .finished(_, let answer) = event, let structured = answer.structured {
      record["structured"] = nil
      record["text"] = .string(structured.rendered)
    }
    return record
  }
}

extension AsyncStream<String> {
  fileprivate static func whole(_ text: String) -> AsyncStream<String> {
    AsyncStream { pieces in
      pieces.yield(text)
      pieces.finish()
    }
  }
}

extension ResponseStream {
  /// Writes a server-sent event. JSON contains no line breaks.
  fileprivate func send(_ record: [String: SendableValue]) {
    let data = (try? JSONEncoder.console.encode(record)) ?? Data("{}".utf8)
    write(
      "event: \(record["event"]?.stringValue ?? "")\ndata: \(String(decoding: data, as: UTF8.self))"
        + "\n\n")
  }
}
