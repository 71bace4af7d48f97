import SpeechCore

/// The head of an `mdef` in its binary form: the sizes and positions of its parts.
struct ModelDefinitionLayout {
  let definition: ModelDefinition
  /// The number of phones, including those in context.
  let allPhones: Int
  /// The number of different rows of senones.
  let sequences: Int
  /// The number of nodes in the tree of the phones in context.
  let nodes: Int
  let silence: Int

  static let nodeLength = 8
  static let phoneLength = 12

  /// Reads the head, and leaves the reader at the tree; `nil` if the file is in the form of text.
  /// The length of the rest is stated in the head.
  init?(_ reader: inout ModelFileReader) throws(SpeechRecognitionError) {
    guard reader.count >= 4 else { throw reader.broken("it is too short") }
    // “BMDF” in this byte order or in the other one.
    switch try reader.uint32() {
    case 0x4644_4D42: break
    case 0x424D_4446: reader.isSwapped = true
    default: return nil
    }
    guard try reader.int32() == 1 else { throw reader.broken("its version is unknown") }
    try reader.skip(try reader.int32())
    var sizes: [Int] = []
    for _ in 0..<10 { sizes.append(try reader.int32()) }
    let (basePhones, states, senones, matrices) = (sizes[0], sizes[2], sizes[4], sizes[5])
    allPhones = sizes[1]
    (sequences, nodes, silence) = (sizes[6], sizes[8], sizes[9])
    guard (1...255).contains(basePhones), (basePhones...10_000_000).contains(allPhones),
      (1...16).contains(states), (1...65_535).contains(senones),
      (1...senones).contains(sizes[3]), (1...1_000_000).contains(matrices),
      (1...10_000_000).contains(sequences), (0...20_000_000).contains(nodes),
      (0..<basePhones).contains(silence), sizes[7] == 3
    else { throw reader.broken("its sizes are absurd") }

    let start = reader.offset
    var names: [String] = []
    for _ in 0..<basePhones { names.append(try reader.text(upTo: 0, limit: 64)) }
    guard Set(names).count == basePhones, names.allSatisfy({ !$0.isEmpty }) else {
      throw reader.broken("its phones have no names")
    }
    definition = ModelDefinition(
      phones: names, states: states, senones: senones, matrices: matrices)
    try reader.skip((4 - (reader.offset - start) % 4) % 4)

    var rest = reader
    try rest.skip(nodes * Self.nodeLength + allPhones * Self.phoneLength)
    let entries = try rest.int32()
    guard entries == sequences * states, rest.left == entries * 2 else {
      throw reader.broken("its length does not fit its sizes")
    }
  }
}

extension ModelDefinitionLayout {
  /// Checks the parts after the head.
  func check(_ reader: inout ModelFileReader) throws(SpeechRecognitionError) {
    try checkTree(&reader)
    try checkPhones(&reader)
    try reader.skip(4)
    try checkSequences(&reader)
  }

  /// The tree of contexts: each node leads to later nodes or to a phone.
  private func checkTree(_ reader: inout ModelFileReader) throws(SpeechRecognitionError) {
    let isSwapped = reader.isSwapped
    let isSound = try reader.withWords(nodes * 2) { bytes in
      (0..<nodes).allSatisfy { node in
        let first = bytes.integer(Int16.self, at: node * Self.nodeLength, isSwapped)
        let below = bytes.integer(Int16.self, at: node * Self.nodeLength + 2, isSwapped)
        let target = bytes.integer(Int32.self, at: node * Self.nodeLength + 4, isSwapped)
        guard (0..<max(definition.phones.count, 4)).contains(first), below >= 0 else {
          return false
        }
        if below == 0 { return (-1..<allPhones).contains(target) }
        return target > node && target <= nodes - below
      }
    }
    guard isSound else { throw reader.broken("its tree of phones leads astray") }
    try reader.skip(nodes * Self.nodeLength)
  }

  private func checkPhones(_ reader: inout ModelFileReader) throws(SpeechRecognitionError) {
    let isSwapped = reader.isSwapped
    let isSound = try reader.withWords(allPhones * 3) { bytes in
      (0..<allPhones).allSatisfy { phone in
        let start = phone * Self.phoneLength
        return (0..<sequences).contains(bytes.integer(Int32.self, at: start, isSwapped))
          && (0..<definition.matrices)
            .contains(bytes.integer(Int32.self, at: start + 4, isSwapped))
      }
    }
    guard isSound else { throw reader.broken("some of its phones have no states") }
    try reader.skip(allPhones * Self.phoneLength)
  }

  private func checkSequences(_ reader: inout ModelFileReader) throws(SpeechRecognitionError) {
    let isSwapped = reader.isSwapped
    let entries = sequences * definition.states
    let isSound = try reader.bytes(entries * 2).withUnsafeBytes { bytes in
      (0..<entries).allSatisfy {
        bytes.integer(UInt16.self, at: $0 * 2, isSwapped) < definition.senones
      }
    }
    guard isSound else { throw reader.broken("some of its states do not exist") }
  }
}
