import Foundation
import SpeechActions

extension RunEventRecord {
  /// A step for a reader: a structured answer is told in words.
  init(forPage step: RunEvent) {
    self.init(step)
    guard case .finished(_, let answer) = step, let structured = answer.structured else { return }
    text = structured.rendered
    self.structured = nil
  }

  /// Something has begun and can be stopped by that name.
  init(begun work: String) {
    self.init(event: "begun")
    id = work
  }

  /// Something that went wrong outside of a run.
  init(failure: String) {
    self.init(event: "failed")
    error = failure
  }

  /// The event on the wire. JSON has no line breaks of its own.
  var wire: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "∞", negativeInfinity: "-∞", nan: "?")
    let data = (try? encoder.encode(self)) ?? Data("{}".utf8)
    return "event: \(event)\ndata: \(String(decoding: data, as: UTF8.self))\n\n"
  }
}
