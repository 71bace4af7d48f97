import SpeechAudio
import SpeechConcurrency

/// The replies of a conversation in the order of their questions.
final class ReplyLog: Sendable {
  private let kept = Guarded<[RecordedReply]>([])
  private let listener: @Sendable (NumberedReply, Duration?) -> Void

  /// - Parameter listener: receives each reply whenever it changes, with the time since its
  ///   question, or `nil` at its beginning and its end.
  init(listener: @escaping @Sendable (NumberedReply, Duration?) -> Void) {
    self.listener = listener
  }

  var replies: [RecordedReply] { kept.withLock { $0 } }

  /// Adds a reply and returns its number.
  func add(_ reply: RecordedReply) -> Int {
    kept.withLock { replies in
      replies.append(reply)
      listener(NumberedReply(number: replies.count - 1, reply: reply), nil)
      return replies.count - 1
    }
  }

  /// Changes a reply, at the given time since its question, or at its end.
  func change(_ number: Int, at time: Duration? = nil, _ body: (inout RecordedReply) -> Void) {
    kept.withLock { replies in
      body(&replies[number])
      listener(NumberedReply(number: number, reply: replies[number]), time)
    }
  }
}

/// A reply in a recording under way, whose file has a line for each of its states: the last one
/// counts.
struct NumberedReply: Codable, Sendable {
  var number: Int
  var reply: RecordedReply

  /// The last states of the replies, in order.
  static func last(of lines: [NumberedReply]) -> [RecordedReply] {
    var replies: [Int: RecordedReply] = [:]
    for line in lines { replies[line.number] = line.reply }
    return replies.sorted { $0.key < $1.key }.map(\.value)
  }
}
