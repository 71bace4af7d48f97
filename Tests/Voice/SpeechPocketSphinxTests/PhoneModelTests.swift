import ConformanceTesting
import Foundation
import SpeechCore
import TestSupport
import Testing

@testable import SpeechPocketSphinx

@DecodingQueue struct PhoneModelTests {
  private let features: Features = {
    var random = SplitMix(seed: 3)
    return Features(values: (0..<7 * 25).map { _ in Float(random.next(800)) / 100 - 4 }, width: 7)
  }()

  private func frame(_ index: Int) -> [Float] { Array(features.values[index * 7..<index * 7 + 7]) }

  @Test(arguments: [false, true])
  func `states are scored by their likeliest densities in both byte orders`(
    isSwapped: Bool
  ) throws {
    var tiny = TinyModel()
    tiny.isSwapped = isSwapped
    let folder = try ModelFolder(tiny.files)
    let model = try PhoneModel(folder: folder.url)
    let scores = try #require(model.scores(features))
    #expect(scores.count == 25 * 9)
    for index in 0..<25 {
      for state in 0..<9 {
        let expected = tiny.score(frame(index), phone: state / 3, senone: state)
        #expect(abs(scores[index * 9 + state] - expected) < 0.001)
      }
    }
  }

  @Test func `weights are the same in every stored form`() throws {
    let tiny = TinyModel()
    let folder = try ModelFolder(tiny.files)
    let whole = try #require(try PhoneModel(folder: folder.url).scores(features))
    try folder.write(tiny.clusteredSendump, to: "sendump")
    #expect(try PhoneModel(folder: folder.url).scores(features) == whole)
    // Counts give other weights, which are rounded as in the library.
    try folder.remove("sendump")
    try folder.write(tiny.mixtureWeights, to: "mixture_weights")
    let counted = try #require(try PhoneModel(folder: folder.url).scores(features))
    #expect(counted.allSatisfy(\.isFinite) && counted != whole)
  }

  @Test func `a phone in context has its own senones if the tree contains it`() throws {
    let folder = try ModelFolder(TinyModel().files)
    let definition = try PhoneDefinition(folder.url.appendingPathComponent("mdef"))
    #expect(definition.senones(of: 1, between: 0, and: 0, at: .inside) == [9, 10, 11])
    // A noise counts as silence, and other positions count as inside.
    #expect(definition.senones(of: 1, between: 2, and: 0, at: .last) == [9, 10, 11])
    #expect(definition.senones(of: 1, between: 1, and: 0, at: .inside) == [3, 4, 5])
  }

  @Test func `a path follows the frames, and the loop is no worse than any phone`() throws {
    let folder = try ModelFolder(TinyModel().files)
    let model = try PhoneModel(folder: folder.url)
    let loop = try #require(PhoneLoop(features, model: model))
    #expect(loop.segments.first?.frames.lowerBound == 0)
    #expect(loop.segments.last?.frames.upperBound == 25)
    #expect(
      zip(loop.segments, loop.segments.dropFirst()).allSatisfy {
        $0.frames.upperBound == $1.frames.lowerBound
      })
    #expect(loop.score(of: 0..<25) >= loop.bestPhone(in: 0..<25))
    let states = model.states(of: [1, 0], senones: [[3, 4, 5], [0, 1, 2]])
    let scores = try #require(model.scores(states, features, 2..<20))
    let alignment = try #require(
      PhoneAlignment(phones: 2, states: 3, frames: 2..<20, scores: scores))
    #expect(alignment.phones.map(\.frames.lowerBound)[0] == 2)
    #expect(alignment.phones[0].frames.upperBound == alignment.phones[1].frames.lowerBound)
    #expect(alignment.phones[1].frames.upperBound == 20)
    #expect(alignment.phones.allSatisfy { $0.frames.count >= 3 })
    #expect(PhoneAlignment(phones: 2, states: 3, frames: 0..<5, scores: scores) == nil)
  }

  @Test func `features of another model are not scored`() throws {
    let folder = try ModelFolder(TinyModel().files)
    let model = try PhoneModel(folder: folder.url)
    #expect(model.scores(Features(values: [1, 2, 3, 4], width: 2)) == nil)
    #expect(PhoneLoop(Features(values: [], width: 7), model: model) == nil)
  }

  // MARK: - Broken files

  @Test(arguments: ["mdef", "means", "variances", "sendump", "halves", "mixture_weights"])
  func `changed bytes in a file are refused or scored`(name: String) throws {
    let tiny = TinyModel()
    var files = tiny.files
    switch name {
    case "halves": files["sendump"] = tiny.clusteredSendump
    case "mixture_weights":
      files["sendump"] = nil
      files["mixture_weights"] = tiny.mixtureWeights
    default: break
    }
    let file = name == "halves" ? "sendump" : name
    let folder = try ModelFolder(files)
    let whole = try #require(files[file])
    var bytes = HostileBytes([whole], seed: 40)
    var refused = 0
    let rounds = Endurance.count(full: 150, short: 30)
    var holdings = ProcessHoldings.now()
    for round in 0..<rounds {
      if round == rounds / 10 { holdings = .now() }
      try folder.write(bytes.next(), to: file)
      do {
        try use(try PhoneModel(folder: folder.url))
      } catch let error as SpeechRecognitionError {
        guard case .recognitionFailed(let reason) = error else { throw error }
        #expect(reason.contains(file) || reason.contains("variances") || reason.contains("sendump"))
        refused += 1
      }
      if file == "mdef" { _ = try? ModelDefinition(folder.url.appendingPathComponent("mdef")) }
    }
    #expect(refused > rounds / 4)
    // With fewer rounds the memory of other tests dominates.
    if rounds >= 10_000 {
      #expect(ProcessHoldings.now().kibibytes - holdings.kibibytes < 30_000)
    }
  }

  /// Uses the model as a decoder does.
  private func use(_ model: PhoneModel) throws {
    let definition = model.definition
    let phones = min(model.phones, 4)
    for left in 0..<phones {
      for place in [PhoneDefinition.Place.inside, .first, .last, .only] {
        let senones = definition.senones(of: left, between: left, and: phones - 1, at: place)
        guard senones.allSatisfy((0..<definition.senones).contains) else {
          throw SpeechRecognitionError.notAvailable
        }
      }
    }
    let frames = Features(values: features.values, width: model.width)
    guard let loop = PhoneLoop(frames, model: model) else { return }
    _ = loop.bestPhone(in: 0..<min(5, frames.frameCount))
    let senones = Array(definition.plainSenones.prefix(2))
    let states = model.states(of: Array(senones.indices), senones: senones)
    if let scores = model.scores(states, frames, 0..<frames.frameCount) {
      _ = PhoneAlignment(
        phones: senones.count, states: model.states, frames: 0..<frames.frameCount,
        scores: scores)
    }
  }
}
