import SpeechActions
import SpeechConcurrency

/// The answers that are arriving, for listeners that speak them.
final class AnswersUnderWay: Sendable {
  private struct Place: Hashable {
    var run: String
    var connector: String
  }

  private struct Answer {
    var text = ""
    var listeners: [AsyncStream<String>.Continuation] = []
  }

  private let answers = Guarded<[Place: Answer]>([:])

  func note(_ event: RunEvent, of run: String) {
    switch event {
    case .text(let connector, let piece):
      let place = Place(run: run, connector: connector)
      let listeners = answers.withLock { answers in
        answers[place, default: Answer()].text += piece
        return answers[place]?.listeners ?? []
      }
      for listener in listeners { listener.yield(piece) }
    case .started(let connector), .finished(let connector, _), .failed(let connector, _),
      .cancelled(let connector, _):
      end { $0 == Place(run: run, connector: connector) }
    case .completed: end { $0.run == run }
    }
  }

  private func end(where isOver: (Place) -> Bool) {
    let over = answers.withLock { answers in
      defer { answers = answers.filter { !isOver($0.key) } }
      return answers.filter { isOver($0.key) }
    }
    for listener in over.values.flatMap(\.listeners) { listener.finish() }
  }

  /// Returns the answer from its beginning, in pieces as it arrives; `nil` if it is not arriving
  /// now.
  func pieces(of connector: String, in run: String) -> AsyncStream<String>? {
    let (stream, listener) = AsyncStream.makeStream(of: String.self)
    let isComing = answers.withLock { answers in
      let place = Place(run: run, connector: connector)
      guard let answer = answers[place] else { return false }
      // Under the lock, so that no piece is lost in between.
      listener.yield(answer.text)
      answers[place]?.listeners.append(listener)
      return true
    }
    return isComing ? stream : nil
  }
}
