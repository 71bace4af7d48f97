import Foundation
import SpeechCore

/// Which senones the states of a phone are, by itself and between other phones. Read from a `mdef` in
/// its binary form that was checked before (`ModelDefinition`).
struct PhoneDefinition: Sendable {
  let phones: [String]
  let indices: [String: Int]
  let silence: Int
  let states: Int
  let senones: Int
  /// The senones of each phone whose neighbours do not matter.
  let plainSenones: [[Int]]

  /// Where a phone stands in its word, as the file numbers it.
  enum Place: Int16 { case inside, first, last, only }

  private struct Node {
    var key: Int16
    var below: Int16
    var target: Int32
  }

  private let nodes: [Node]
  private let sequenceOfPhone: [Int32]
  private let sequences: [UInt16]

  init(_ url: URL) throws(SpeechRecognitionError) {
    var reader = try ModelFileReader(url)
    let magic = try reader.uint32()
    guard magic == 0x4644_4D42 || magic == 0x424D_4446 else {
      throw reader.broken("it is in the form of text")
    }
    reader.isSwapped = magic == 0x424D_4446
    _ = try reader.int32()
    try reader.skip(try reader.int32())
    var sizes: [Int] = []
    for _ in 0..<10 { sizes.append(try reader.int32()) }
    let start = reader.offset
    var names: [String] = []
    for _ in 0..<sizes[0] { names.append(try reader.text(upTo: 0, limit: 64)) }
    try reader.skip((4 - (reader.offset - start) % 4) % 4)

    let isSwapped = reader.isSwapped
    func half(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int16 {
      let value = bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self)
      return isSwapped ? value.byteSwapped : value
    }
    func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int32 {
      let value = bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)
      return isSwapped ? value.byteSwapped : value
    }
    nodes = try reader.withWords(sizes[8] * 2) { bytes in
      (0..<sizes[8]).map {
        Node(
          key: half(bytes, $0 * 8), below: half(bytes, $0 * 8 + 2), target: word(bytes, $0 * 8 + 4))
      }
    }
    try reader.skip(sizes[8] * 8)
    sequenceOfPhone = try reader.withWords(sizes[1] * 3) { bytes in
      (0..<sizes[1]).map { word(bytes, $0 * 12) }
    }
    try reader.skip(sizes[1] * 12)
    let entries = try reader.int32()
    sequences = try reader.bytes(entries * 2).withUnsafeBytes { bytes in
      (0..<entries).map { UInt16(bitPattern: half(bytes, $0 * 2)) }
    }
    phones = names
    indices = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
    silence = sizes[9]
    states = sizes[2]
    senones = sizes[4]
    let (found, sequences, states) = (sequenceOfPhone, sequences, states)
    plainSenones = names.indices.map { phone in
      let first = Int(found[phone]) * states
      return sequences[first..<first + states].map(Int.init)
    }
  }

  func isNoise(_ phone: Int) -> Bool { phone == silence || phones[phone].hasPrefix("+") }

  /// The senones of a phone between two others.
  func senones(of phone: Int, between left: Int, and right: Int, at place: Place) -> [Int] {
    for place in [place, .inside, .last, .first, .only] {
      let keys = [
        place.rawValue, Int16(phone), Int16(isNoise(left) ? silence : left),
        Int16(isNoise(right) ? silence : right),
      ]
      if let found = find(keys) {
        let first = Int(sequenceOfPhone[found]) * states
        return sequences[first..<first + states].map(Int.init)
      }
    }
    return plainSenones[phone]
  }

  private func find(_ keys: [Int16]) -> Int? {
    var level = 0..<min(4, nodes.count)
    for key in keys {
      guard let place = level.first(where: { nodes[$0].key == key }) else { return nil }
      let node = nodes[place]
      guard node.below > 0 else { return node.target >= 0 ? Int(node.target) : nil }
      level = Int(node.target)..<Int(node.target) + Int(node.below)
    }
    return nil
  }
}
