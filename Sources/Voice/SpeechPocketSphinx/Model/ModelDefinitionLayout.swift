import SpeechCore

/// The head of an `mdef` in its binary form: the sizes and positions of its parts.
struct ModelDefinitionLayout {
  let phones: [String]
  /// The number of phones, including those in context.
  let allPhones: Int
  let states: Int
  let senones: Int
  let matrices: Int
  /// The number of different rows of senones.
  let sequences: Int
  /// The number of nodes in the tree of the phones in context.
  let nodes: Int
  let silence: Int

  static let nodeLength = 8
  static let phoneLength = 12

  /// Reads the head after the magic number, and leaves the reader at the tree. The length of the
  /// rest is stated in the head.
  init(_ reader: inout ModelFileReader) throws(SpeechRecognitionError) {
    guard try reader.int32() == 1 else { throw reader.broken("its version is unknown") }
    try reader.skip(try reader.int32())
    var sizes: [Int] = []
    for _ in 0..<10 { sizes.append(try reader.int32()) }
    let basePhones = sizes[0]
    (allPhones, states, senones, matrices) = (sizes[1], sizes[2], sizes[4], sizes[5])
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
    phones = names
    try reader.skip((4 - (reader.offset - start) % 4) % 4)

    var rest = reader
    try rest.skip(nodes * Self.nodeLength + allPhones * Self.phoneLength)
    let entries = try rest.int32()
    guard entries == sequences * states, rest.left == entries * 2 else {
      throw reader.broken("its length does not fit its sizes")
    }
  }
}
