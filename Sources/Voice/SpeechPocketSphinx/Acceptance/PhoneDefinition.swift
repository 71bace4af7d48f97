import Foundation
import SpeechCore

/// The senones of the states of the phones, without and with their context.
///
/// Read from an `mdef` in its binary form, which stays open: a sentence needs a few of its hundred
/// thousand phones, which its tree finds with a few short reads. Mapped or copied it would take
/// three megabytes beside those of the library.
struct PhoneDefinition: Sendable {
  let phones: [String]
  let indices: [String: Int]
  let silence: Int
  let states: Int
  let senones: Int
  /// The senones of each phone without context.
  let plainSenones: [[Int]]

  /// The position of a phone in its word, as the file numbers it.
  enum Place: Int { case inside, first, last, only }

  private let tree: PhoneTree

  init(_ url: URL) throws(SpeechRecognitionError) {
    var reader = try ModelFileReader(url)
    guard let layout = try ModelDefinitionLayout(&reader) else {
      throw reader.broken("it is in the form of text")
    }
    let definition = layout.definition
    guard let file = try? FileHandle(forReadingFrom: url) else {
      throw reader.broken("it cannot be read")
    }
    let tree = PhoneTree(
      layout, file: file, start: reader.offset, isSwapped: reader.isSwapped)
    var plain: [[Int]] = []
    for phone in definition.phones.indices {
      guard let senones = tree.senones(of: phone) else {
        throw reader.broken("some of its phones have no states")
      }
      plain.append(senones)
    }
    phones = definition.phones
    indices = Dictionary(uniqueKeysWithValues: phones.enumerated().map { ($1, $0) })
    (silence, states, senones) = (layout.silence, definition.states, definition.senones)
    plainSenones = plain
    self.tree = tree
  }

  func isNoise(_ phone: Int) -> Bool { phone == silence || phones[phone].hasPrefix("+") }

  /// The senones of a phone between two others.
  func senones(of phone: Int, between left: Int, and right: Int, at place: Place) -> [Int] {
    for place in [place, .inside, .last, .first, .only] {
      let keys = [
        place.rawValue, phone, isNoise(left) ? silence : left, isNoise(right) ? silence : right,
      ]
      if let found = tree.phone(keys), let senones = tree.senones(of: found) { return senones }
    }
    return plainSenones[phone]
  }
}

/// The tree of an `mdef`, its phones and their senones. Nothing in it is trusted.
private struct PhoneTree: Sendable {
  private let layout: ModelDefinitionLayout
  private let file: FileHandle
  private let isSwapped: Bool
  private let firstNode: Int
  private let firstPhone: Int
  private let firstSequence: Int

  /// - Parameter start: the offset of the tree in the file.
  init(_ layout: ModelDefinitionLayout, file: FileHandle, start: Int, isSwapped: Bool) {
    self.layout = layout
    self.file = file
    self.isSwapped = isSwapped
    firstNode = start
    firstPhone = firstNode + layout.nodes * ModelDefinitionLayout.nodeLength
    // Their number comes before them.
    firstSequence = firstPhone + layout.allPhones * ModelDefinitionLayout.phoneLength + 4
  }

  /// The senones of a phone; `nil` if it has none.
  func senones(of phone: Int) -> [Int]? {
    let entry = read(4, at: firstPhone + phone * ModelDefinitionLayout.phoneLength)
    guard let sequence = entry.map({ integer(Int32.self, in: $0, at: 0) }),
      (0..<layout.sequences).contains(sequence)
    else { return nil }
    let states = layout.definition.states
    guard let row = read(states * 2, at: firstSequence + sequence * states * 2) else { return nil }
    let senones = (0..<states).map { integer(UInt16.self, in: row, at: $0 * 2) }
    return senones.allSatisfy { $0 < layout.definition.senones } ? senones : nil
  }

  /// The phone that these branches lead to.
  func phone(_ keys: [Int]) -> Int? {
    let length = ModelDefinitionLayout.nodeLength
    var level = 0..<min(4, layout.nodes)
    for key in keys {
      guard let nodes = read(level.count * length, at: firstNode + level.lowerBound * length),
        let node = (0..<level.count).first(where: {
          integer(Int16.self, in: nodes, at: $0 * length) == key
        })
      else { return nil }
      let below = integer(Int16.self, in: nodes, at: node * length + 2)
      let target = integer(Int32.self, in: nodes, at: node * length + 4)
      guard below > 0 else { return (0..<layout.allPhones).contains(target) ? target : nil }
      guard target >= 0, target <= layout.nodes - below else { return nil }
      level = target..<target + below
    }
    return nil
  }

  /// The bytes at that offset; `nil` if the file has become shorter.
  private func read(_ count: Int, at offset: Int) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
      filled = max(0, pread(file.fileDescriptor, bytes.baseAddress, count, off_t(offset)))
    }
    return bytes.count == count ? bytes : nil
  }

  private func integer<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type, in bytes: [UInt8], at offset: Int
  ) -> Int {
    bytes.withUnsafeBytes { $0.integer(type, at: offset, isSwapped) }
  }
}
