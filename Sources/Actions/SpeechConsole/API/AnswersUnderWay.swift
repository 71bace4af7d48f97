import SpeechActions
import SpeechConcurrency

/// The answers that are coming at the moment, for those who want to hear them while they do.
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

  /// Notes what happens in a run: a connector that is asked, a piece of its answer, its end.
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

  /// The run is over.
  func end(_ run: String) {
    let left = answers.withLock { answers in
      let places = answers.keys.filter { $0.run == run }
      return places.compactMap { answers.removeValue(forKey: $0) }
    }
    for answer in left { answer.finish() }
  }

  /// The answer from its beginning, piece by piece as it comes; `nil` when it is not coming at the moment.
  func pieces(of connector: String, in run: String) -> AsyncStream<String>? {
    let (stream, listener) = AsyncStream.makeStream(of: String.self)
    let isComing = answers.withLock { answers in
      let place = Place(run: run, connector: connector)
      guard let answer = answers[place] else { return false }
      // Under the lock, so that no piece comes between.
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
