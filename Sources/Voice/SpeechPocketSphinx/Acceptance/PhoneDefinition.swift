import Foundation
import SpeechCore

/// The senones of the states of the phones, without and with their context.
///
/// Read from an `mdef` in its binary form, whose bytes are kept: a sentence needs a few of its
/// hundred thousand phones, which its tree finds quickly.
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
    let tree = PhoneTree(
      layout, bytes: [UInt8](try reader.bytes(reader.left)), isSwapped: reader.isSwapped)
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
  private let bytes: [UInt8]
  private let isSwapped: Bool
  private let firstPhone: Int
  private let firstSequence: Int

  init(_ layout: ModelDefinitionLayout, bytes: [UInt8], isSwapped: Bool) {
    self.layout = layout
    self.bytes = bytes
    self.isSwapped = isSwapped
    firstPhone = layout.nodes * ModelDefinitionLayout.nodeLength
    // Their number comes before them.
    firstSequence = firstPhone + layout.allPhones * ModelDefinitionLayout.phoneLength + 4
  }

  /// The senones of a phone; `nil` if it has none.
  func senones(of phone: Int) -> [Int]? {
    let sequence = integer(Int32.self, firstPhone + phone * ModelDefinitionLayout.phoneLength)
    guard (0..<layout.sequences).contains(sequence) else { return nil }
    let states = layout.definition.states
    let senones = (0..<states).map {
      integer(UInt16.self, firstSequence + (sequence * states + $0) * 2)
    }
    return senones.allSatisfy { $0 < layout.definition.senones } ? senones : nil
  }

  /// The phone that these branches lead to.
  func phone(_ keys: [Int]) -> Int? {
    var level = 0..<min(4, layout.nodes)
    for key in keys {
      let length = ModelDefinitionLayout.nodeLength
      guard let node = level.first(where: { integer(Int16.self, $0 * length) == key }) else {
        return nil
      }
      let below = integer(Int16.self, node * length + 2)
      let target = integer(Int32.self, node * length + 4)
      guard below > 0 else { return (0..<layout.allPhones).contains(target) ? target : nil }
      guard target >= 0, target <= layout.nodes - below else { return nil }
      level = target..<target + below
    }
    return nil
  }

  private func integer<Number: FixedWidthInteger & BitwiseCopyable>(
    _ type: Number.Type, _ offset: Int
  ) -> Int {
    bytes.withUnsafeBytes { $0.integer(type, at: offset, isSwapped) }
  }
}
