import Foundation
import SpeechCore

/// The header of a model file in whisper.cpp's ggml format.
///
/// Reading it checks the whole file: whether each size in it fits the length of the file. The
/// library trusts most of them.
package struct WhisperModelFile: Sendable, Hashable {
  /// The place of the file.
  package let url: URL
  /// The number of tokens.
  package private(set) var vocabulary = 0
  /// The number of frames of the encoder's window, which lasts for 30 seconds.
  package private(set) var audioContext = 0
  package private(set) var audioLayers = 0
  package private(set) var textLayers = 0
  package private(set) var melBands = 0

  /// True if the model knows languages other than English.
  package var isMultilingual: Bool { vocabulary >= 51_865 }

  /// Reads and checks a model file.
  ///
  /// - Throws: `SpeechRecognitionError.recognitionFailed` if it cannot be read, is not a model, or
  ///   is damaged.
  package init(_ url: URL) throws(SpeechRecognitionError) {
    self.url = url
    let data: Data
    do {
      data = try Data(contentsOf: url, options: .alwaysMapped)
    } catch {
      throw .recognitionFailed(
        "The model “\(url.path)” cannot be read: \(error.localizedDescription) Check the file.")
    }
    let failure = data.withUnsafeBytes { bytes -> WhisperModelError? in
      do throws(WhisperModelError) {
        try read(WhisperModelBytes(bytes))
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw .recognitionFailed("“\(url.path)” \(failure.description)") }
  }

  private mutating func read(_ file: consuming WhisperModelBytes) throws(WhisperModelError) {
    guard try file.integer() == 0x6767_6D6C else { throw .notAModel }
    vocabulary = try file.count(1_000...1_000_000)
    audioContext = try file.count(8...100_000)
    let audioState = try file.count(8...16_384)
    let audioHeads = try file.count(1...1_024)
    audioLayers = try file.count(1...256)
    let textContext = try file.count(8...100_000)
    let textState = try file.count(8...16_384)
    let textHeads = try file.count(1...1_024)
    textLayers = try file.count(1...256)
    melBands = try file.count(1...1_024)
    _ = try file.integer()
    guard audioState == textState, audioState % audioHeads == 0, textState % textHeads == 0,
      textContext <= vocabulary
    else { throw .damaged }
    let filters = try file.count(1...1_024) * file.count(1...65_536)
    try file.skip(filters * 4)
    for _ in 0..<(try file.count(1...1_000_000)) { try file.skip(try file.count(0...4_096)) }
    while !file.isAtEnd { try skipTensor(&file) }
  }

  private func skipTensor(_ file: inout WhisperModelBytes) throws(WhisperModelError) {
    let dimensions = try file.count(1...4)
    let nameLength = try file.count(1...256)
    guard let format = WhisperModelBytes.formats[try file.integer()] else { throw .newer }
    var elements = 1
    for _ in 0..<dimensions {
      let (product, isTooLarge) = elements.multipliedReportingOverflow(
        by: try file.count(1...10_000_000))
      guard !isTooLarge, product <= 1 << 40 else { throw .damaged }
      elements = product
    }
    try file.skip(nameLength)
    guard elements % format.block == 0 else { throw .damaged }
    try file.skip(elements / format.block * format.bytes)
  }
}

/// A fault of a model file, as the end of a sentence about it.
enum WhisperModelError: Error {
  case notAModel
  case cutOff
  case damaged
  case newer

  var description: String {
    switch self {
    case .notAModel:
      "is not a Whisper model in ggml format. Choose a file such as ggml-tiny.en.bin."
    case .cutOff: "is cut off. Download it again."
    case .damaged: "is damaged. Download it again."
    case .newer:
      "stores numbers in an unknown way. Install a newer SpeechKit, or choose another model."
    }
  }
}

/// The bytes of a model file, read from their beginning.
struct WhisperModelBytes: ~Copyable {
  /// The number of values in a block of a tensor, and the number of bytes of the block, by the
  /// number of its type.
  static let formats: [Int32: (block: Int, bytes: Int)] = [
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34),
    10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 30: (1, 2),
  ]

  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }

  mutating func integer() throws(WhisperModelError) -> Int32 {
    guard bytes.count - position >= 4 else { throw position == 0 ? .notAModel : .cutOff }
    defer { position += 4 }
    return Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int32.self))
  }

  mutating func count(_ range: ClosedRange<Int>) throws(WhisperModelError) -> Int {
    let number = Int(try integer())
    guard range.contains(number) else { throw .damaged }
    return number
  }

  mutating func skip(_ count: Int) throws(WhisperModelError) {
    guard count >= 0, count <= bytes.count - position else { throw .cutOff }
    position += count
  }
}
