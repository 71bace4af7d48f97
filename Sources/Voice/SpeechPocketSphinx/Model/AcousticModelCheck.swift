import Foundation
import SpeechAudio
import SpeechConcurrency
import SpeechCore

/// Checks an acoustic model before the library loads it: the library ends the process over a file
/// that it does not understand, and decodes nonsense with a file that was cut off.
enum AcousticModelCheck {
  private static let known = Guarded<[Set<FileStamp>: ModelDefinition]>([:])

  /// The definition of the model.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` with the file that is missing or broken.
  static func definition(of folder: URL) throws(SpeechRecognitionError) -> ModelDefinition {
    let stamps = stamps(in: folder)
    if let definition = known.withLock({ $0[stamps] }) { return definition }
    let definition = try check(folder)
    known.withLock { $0[stamps] = definition }
    return definition
  }

  private static let names = [
    "mdef", "feat.params", "means", "variances", "transition_matrices", "sendump",
    "mixture_weights", "noisedict",
  ]

  static func stamps(in folder: URL) -> Set<FileStamp> {
    Set(names.compactMap { FileStamp(folder.appendingPathComponent($0)) })
  }

  private static func check(_ folder: URL) throws(SpeechRecognitionError) -> ModelDefinition {
    for name in names.prefix(5) + ["noisedict"] where !exists(name, in: folder) {
      throw .recognitionFailed(
        "The acoustic model in “\(folder.path)” has no file “\(name)”. Install "
          + "\(PocketSphinxModel.package) again, or choose another model.")
    }
    func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
    let definition = try ModelDefinition(file("mdef"))
    let streams = try FeatureParameters(file("feat.params")).streams
    let means = try GaussianSizes(file("means"))
    let variances = try GaussianSizes(file("variances"))
    let transitions = try TransitionSizes(file("transition_matrices"))

    guard means.streams == streams else {
      throw contradiction(file("means"), "the streams of feat.params")
    }
    guard variances == means else { throw contradiction(file("variances"), "the means") }
    guard transitions.matrices == definition.matrices, transitions.states == definition.states
    else {
      throw contradiction(file("transition_matrices"), "the mdef")
    }
    guard [1, definition.phones.count, definition.senones].contains(means.codebooks) else {
      throw contradiction(file("means"), "the mdef")
    }
    try checkWeights(folder, definition, means)
    try checkNoises(file("noisedict"), definition)
    return definition
  }

  private static func exists(_ name: String, in folder: URL) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
  }

  private static func contradiction(_ url: URL, _ other: String) -> SpeechRecognitionError {
    ModelFileReader.broken(url, "its sizes do not fit \(other)")
  }

  /// The weights of the densities: a `sendump`, or the file that it is made from.
  private static func checkWeights(
    _ folder: URL, _ definition: ModelDefinition, _ means: GaussianSizes
  ) throws(SpeechRecognitionError) {
    if exists("sendump", in: folder) {
      _ = try SenoneDump(
        folder.appendingPathComponent("sendump"), senones: definition.senones,
        streams: means.streams.count, densities: means.densities)
      return
    }
    let url = folder.appendingPathComponent("mixture_weights")
    guard exists("mixture_weights", in: folder) else {
      throw .recognitionFailed(
        "The acoustic model in “\(folder.path)” has neither “sendump” nor “mixture_weights”. "
          + "Install \(PocketSphinxModel.package) again, or choose another model.")
    }
    let weights = try MixtureWeightSizes(url)
    let expected = MixtureWeightSizes(
      senones: definition.senones, streams: means.streams.count, densities: means.densities)
    guard weights == expected else { throw contradiction(url, "the mdef and the means") }
  }

  /// The entries for silence and noises, each with an existing phone.
  private static func checkNoises(
    _ url: URL, _ definition: ModelDefinition
  ) throws(SpeechRecognitionError) {
    guard let data = try? Data(contentsOf: url), data.count <= 65_536,
      let text = String(data: data, encoding: .utf8)
    else { throw ModelFileReader.broken(url, "it is not text") }
    var words: Set<Substring> = []
    for line in text.split(separator: "\n") where !line.hasPrefix("##") {
      let fields = line.split(whereSeparator: \.isWhitespace)
      guard let word = fields.first else { continue }
      guard fields.count >= 2,
        fields.dropFirst().allSatisfy({ definition.phones.contains(String($0)) })
      else { throw ModelFileReader.broken(url, "“\(word)” has no known phones") }
      words.insert(word)
    }
    guard words.isSuperset(of: ["<s>", "</s>", "<sil>"]) else {
      throw ModelFileReader.broken(url, "it lacks <s>, </s> or <sil>")
    }
  }
}
