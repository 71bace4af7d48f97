import Foundation
import SpeechCore

/// The contents of an `mdef`: the phones of a model, and the sizes of its other files.
struct ModelDefinition: Equatable {
  var phones: [String]
  var states: Int
  var senones: Int
  var matrices: Int

  init(_ url: URL) throws(SpeechRecognitionError) {
    var reader = try ModelFileReader(url)
    guard reader.count >= 4 else { throw reader.broken("it is too short") }
    let magic = try reader.uint32()
    // “BMDF” in this byte order or in the other one; everything else has to be text.
    if magic == 0x4644_4D42 || magic == 0x424D_4446 {
      reader.isSwapped = magic == 0x424D_4446
      self = try Self.binary(&reader)
    } else {
      self = try ModelDefinitionText.read(url)
    }
    guard phones.contains("SIL") else { throw reader.broken("it has no phone for silence (SIL)") }
  }

  init(phones: [String], states: Int, senones: Int, matrices: Int) {
    self.phones = phones
    self.states = states
    self.senones = senones
    self.matrices = matrices
  }

  /// The phones of spoken words: all but noises and silence.
  var spokenPhones: Set<String> {
    Set(phones.filter { !$0.hasPrefix("+") && $0 != "SIL" })
  }

  // MARK: - The binary form

  private static func binary(
    _ reader: inout ModelFileReader
  ) throws(SpeechRecognitionError) -> ModelDefinition {
    let layout = try ModelDefinitionLayout(&reader)
    try checkTree(
      &reader, nodes: layout.nodes, basePhones: layout.phones.count, allPhones: layout.allPhones)
    try checkPhones(
      &reader, allPhones: layout.allPhones, sequences: layout.sequences, matrices: layout.matrices)
    try reader.skip(4)
    try checkSequences(
      &reader, entries: layout.sequences * layout.states, senones: layout.senones)
    return ModelDefinition(
      phones: layout.phones, states: layout.states, senones: layout.senones,
      matrices: layout.matrices)
  }

  /// The tree of contexts: each node leads to later nodes or to a phone.
  private static func checkTree(
    _ reader: inout ModelFileReader, nodes: Int, basePhones: Int, allPhones: Int
  ) throws(SpeechRecognitionError) {
    let isSwapped = reader.isSwapped
    let isSound = try reader.withWords(nodes * 2) { bytes in
      (0..<nodes).allSatisfy { node in
        let first = number16(bytes, node * 8, isSwapped)
        let below = number16(bytes, node * 8 + 2, isSwapped)
        let target = number32(bytes, node * 8 + 4, isSwapped)
        guard (0..<max(basePhones, 4)).contains(first), below >= 0 else { return false }
        if below == 0 { return (-1..<allPhones).contains(target) }
        return target > node && target <= nodes - below
      }
    }
    guard isSound else { throw reader.broken("its tree of phones leads astray") }
    try reader.skip(nodes * 8)
  }

  private static func checkPhones(
    _ reader: inout ModelFileReader, allPhones: Int, sequences: Int, matrices: Int
  ) throws(SpeechRecognitionError) {
    let isSwapped = reader.isSwapped
    let isSound = try reader.withWords(allPhones * 3) { bytes in
      (0..<allPhones).allSatisfy { phone in
        (0..<sequences).contains(number32(bytes, phone * 12, isSwapped))
          && (0..<matrices).contains(number32(bytes, phone * 12 + 4, isSwapped))
      }
    }
    guard isSound else { throw reader.broken("some of its phones have no states") }
    try reader.skip(allPhones * 12)
  }

  private static func checkSequences(
    _ reader: inout ModelFileReader, entries: Int, senones: Int
  ) throws(SpeechRecognitionError) {
    let isSwapped = reader.isSwapped
    let data = try reader.bytes(entries * 2)
    let isSound = data.withUnsafeBytes { bytes in
      (0..<entries).allSatisfy { entry in
        Int(UInt16(truncatingIfNeeded: number16(bytes, entry * 2, isSwapped))) < senones
      }
    }
    guard isSound else { throw reader.broken("some of its states do not exist") }
  }

  private static func number16(
    _ bytes: UnsafeRawBufferPointer, _ offset: Int, _ isSwapped: Bool
  ) -> Int {
    let value = bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self)
    return Int(isSwapped ? value.byteSwapped : value)
  }

  private static func number32(
    _ bytes: UnsafeRawBufferPointer, _ offset: Int, _ isSwapped: Bool
  ) -> Int {
    let value = bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)
    return Int(isSwapped ? value.byteSwapped : value)
  }
}
