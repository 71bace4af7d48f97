import Foundation
import SpeechActions

extension RunEventRecord {
  /// Creates the record of an event, with structured answers as text.
  init(forPage step: RunEvent) {
    self.init(step)
    guard case .finished(_, let answer) = step, let structured = answer.structured else { return }
    text = structured.rendered
    self.structured = nil
  }

  /// Creates the record of work that has started, with its identifier.
  init(begun work: String) {
    self.init(event: "begun")
    id = work
  }

  init(failure: String) {
    self.init(event: "failed")
    error = failure
  }

  /// The event as a server-sent event. JSON contains no line breaks.
  var wire: String {
    let data = (try? JSONEncoder.console.encode(self)) ?? Data("{}".utf8)
    return "event: \(event)\ndata: \(String(decoding: data, as: UTF8.self))\n\n"
  }
}
