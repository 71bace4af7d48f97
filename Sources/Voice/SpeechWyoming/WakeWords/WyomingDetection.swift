import Foundation
import SpeechAudio

/// An utterance in which key phrases are looked for.
struct WyomingDetection: WyomingListening {
  /// A phrase that was heard.
  struct Finding: Sendable, Equatable {
    var phrase: String
    /// The frame at which it ended, if the engine knows it.
    var end: Int?
  }

  enum Answer: Sendable, Equatable {
    case heard(Finding)
    case nothing
  }

  /// Half a second: engines report a phrase a little after its end.
  static let padding = 8_000
  /// The frames after a phrase at which an engine reports it. With openWakeWord it is a tenth to a
  /// third of a second.
  private static let delay = 3_200

  private let phrases: [String]
  /// The phrases by the names of the models that are asked for them.
  private var phrasesByModel: [String: String] = [:]

  init(of phrases: [String]) {
    self.phrases = phrases
  }

  mutating func order(
    to address: WyomingAddress, with info: WyomingInfo
  ) throws(WyomingError) -> WyomingEvent {
    phrasesByModel = try Self.models(for: phrases, at: address, in: info)
    return WyomingEvent("detect", WyomingMessage.Detect(names: phrasesByModel.keys.sorted()))
  }

  func isLast(_ answer: Answer) -> Bool {
    // Further findings may follow one, and some engines still report that there were none.
    answer == .nothing
  }

  mutating func answer(
    in event: WyomingEvent, of engine: WyomingEngine, isOver: Bool
  ) throws(WyomingError) -> Answer? {
    switch event.type {
    case "detection":
      guard let found = event.value(as: WyomingMessage.Detection.self) else {
        throw .against(engine.address.description, reason: "its detection has another form")
      }
      // Some engines report all of their models. One that names none was asked for one.
      let phrase = if let name = found.name { phrasesByModel[name] } else { phrases.first }
      guard let phrase else { return nil }
      let end = found.timestamp.map { milliseconds in
        let frames = AudioFormat.recognition.frames(
          in: .milliseconds(min(max(0, milliseconds), 1 << 32)))
        return max(1, frames - Self.delay)
      }
      return .heard(Finding(phrase: phrase, end: end))
    case "not-detected":
      return isOver ? .nothing : nil
    default:
      return nil
    }
  }

  /// Returns the phrases by the names of the models that listen for them.
  ///
  /// - Throws: `WyomingError.unsuitable` if a phrase has no model.
  @discardableResult
  static func models(
    for phrases: [String], at address: WyomingAddress, in info: WyomingInfo
  ) throws(WyomingError) -> [String: String] {
    guard let program = info.detector else {
      throw .unsuitable(
        "The Wyoming engine at \(address.description) does not listen for wake words. Name the "
          + "address of one that does, such as openWakeWord.")
    }
    let models = try program.models(named: address.name, at: address).filter(\.isInstalled)
    if address.name != nil, let model = models.first {
      guard phrases.count == 1 else {
        throw .unsuitable(
          "“#\(model.name)” selects one model, and there are \(phrases.count) phrases. Leave it "
            + "out, or name one phrase.")
      }
      return [model.name: phrases[0]]
    }
    var found: [String: String] = [:]
    for phrase in phrases {
      guard let model = models.first(where: { $0.listens(for: phrase) }) else {
        let known = models.prefix(20).map { "“\($0.phrase ?? $0.name)”" }.joined(separator: ", ")
        throw .unsuitable(
          "\(program.name) at \(address.description) does not listen for “\(phrase)”, but for "
            + "\(known). Choose one of these, or name a model of your own with “#NAME” after the "
            + "address.")
      }
      found[model.name] = phrase
    }
    return found
  }
}

extension WyomingInfo.Model {
  /// True if the phrase is the model's phrase or its name, which may contain a version.
  fileprivate func listens(for phrase: String) -> Bool {
    func words(_ text: String) -> String {
      text.lowercased().replacing(/_v[0-9.]+$/, with: "").split { $0 == "_" || $0.isWhitespace }
        .joined(separator: " ")
    }
    return [self.phrase ?? name, name].contains { words($0) == words(phrase) }
  }
}
