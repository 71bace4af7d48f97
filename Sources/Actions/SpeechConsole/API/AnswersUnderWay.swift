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

    func finish() {
      for listener in listeners { listener.finish() }
    }
  }

  private let answers = Guarded<[Place: Answer]>([:])

  /// Records an event of a run.
  func note(_ event: RunEventRecord, of run: String) {
    guard let connector = event.connector else { return }
    let place = Place(run: run, connector: connector)
    switch event.event {
    case "started": take(place)?.finish()
    case "text":
      let piece = event.text ?? ""
      let listeners = answers.withLock { answers in
        answers[place, default: Answer()].text += piece
        return answers[place]?.listeners ?? []
      }
      for listener in listeners { listener.yield(piece) }
    default: take(place)?.finish()
    }
  }

  /// Records the end of a run.
  func end(_ run: String) {
    let left = answers.withLock { answers in
      let places = answers.keys.filter { $0.run == run }
      return places.compactMap { answers.removeValue(forKey: $0) }
    }
    for answer in left { answer.finish() }
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

  private func take(_ place: Place) -> Answer? {
    answers.withLock { $0.removeValue(forKey: place) }
  }
}
