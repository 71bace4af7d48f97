import Foundation
import SpeechCore

/// Scores audio against the phones of an acoustic model, without a search.
package final class PhoneScorer {
  private let handle: PocketSphinxHandle
  private let model: PhoneModel

  /// Loads the model of that language.
  package init(configuration: PocketSphinxConfiguration, locale: Locale) throws {
    var configuration = configuration
    // The library reads its dictionary only for dictation.
    configuration.search = .keyPhrases([])
    let found = try PocketSphinxModel.find(for: locale, in: configuration.modelFolder)
    handle = try PocketSphinxLoader(model: found, configuration: configuration, locale: locale)
      .makeHandle()
    model = try PhoneModel.shared(folder: found.acousticModel)
  }

  /// Returns the scores of audio of 16 kHz; `nil` if it is digitally silent or too short.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if the audio cannot be scored.
  package func scores(of samples: [Int16]) throws -> PhoneScores? {
    guard samples.count >= Cepstra.samplesPerWindow else { return nil }
    let cepstra = try handle.cepstra(of: (QuietFloor.lifted(samples[...]) ?? samples)[...])
    guard cepstra.mean != nil else { return nil }
    handle.subtractKnownMean(false)
    let features = try handle.features(of: try handle.normalized(cepstra))
    guard features.frameCount > 0 else { return nil }
    guard let loop = PhoneLoop(features, model: model) else {
      throw SpeechRecognitionError.recognitionFailed(
        "The phones of the audio cannot be scored: memory is exhausted, or the acoustic model has "
          + "features of another kind. Use shorter audio or another model.")
    }
    return PhoneScores(loop, model.definition)
  }
}

/// The scores of all phones for some audio, in natural logarithms.
package struct PhoneScores {
  /// For each frame of a hundredth of a second each state of each phone.
  package var values: [Float] { loop.scores }
  /// The numbers of the phones.
  package var phones: [String: Int] { definition.indices }
  package var states: Int { definition.states }
  package let frameCount: Int
  private let loop: PhoneLoop
  private let definition: PhoneDefinition

  fileprivate init(_ loop: PhoneLoop, _ definition: PhoneDefinition) {
    (self.loop, self.definition) = (loop, definition)
    frameCount = loop.scores.count / (definition.phones.count * definition.states)
  }

  /// The score of the best sequence of any phones within these frames.
  package func best(in frames: Range<Int>) -> Float { loop.score(of: frames) }

  /// True for silence and noises.
  package func isNoise(_ phone: Int) -> Bool { definition.isNoise(phone) }
}
