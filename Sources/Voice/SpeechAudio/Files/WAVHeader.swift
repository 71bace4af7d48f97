/// The header of a RIFF WAVE file.
///
/// It is read here and not by libsndfile. A foreign file thus never reaches its parser nor its
/// ADPCM decoders, where its security holes have been, and files, memory and live pipes take the
/// same path. libsndfile gets the bare samples and converts them.
struct WAVHeader: Equatable {
  enum Encoding: Equatable {
    case unsigned8, signed16, signed24, signed32, float32, float64, aLaw, muLaw

    var bytesPerSample: Int {
      switch self {
      case .unsigned8, .aLaw, .muLaw: 1
      case .signed16: 2
      case .signed24: 3
      case .signed32, .float32: 4
      case .float64: 8
      }
    }
  }

  var encoding: Encoding
  var channels: Int
  var sampleRate: Int
  /// The number of bytes of audio that follow; `nil` if the header does not state it, as in a
  /// stream.
  var dataLength: Int?

  var bytesPerFrame: Int { channels * encoding.bytesPerSample }

  /// Streams put 0xFFFFFFFF, 0x7FFFF000 and similar numbers in the place of the length.
  private static let leastUnknownLength = 0x7FFF_0000
  /// A file with more chunks before its audio is not a recording.
  private static let mostChunks = 1_000

  /// Reads up to the first sample and leaves the source there.
  static func read(from source: ByteSource) throws(AudioError) -> WAVHeader {
    let refuse = { (reason: String) in
      AudioError.unsupportedFormat(source: source.name, reason: reason)
    }
    let riff = source.read(12)
    guard riff.count == 12 else { throw refuse("its header is cut off") }
    let riffLength = Int(riff.littleEndian(at: 4, bytes: 4))
    var largeDataLength: Int?
    var header: WAVHeader?

    for _ in 0..<mostChunks {
      let start = source.read(8)
      try source.checkFailure()
      guard start.count == 8 else { break }
      let length = Int(start.littleEndian(at: 4, bytes: 4))
      switch String(decoding: start[..<4], as: UTF8.self) {
      case "ds64":
        let sizes = source.read(min(length, 28))
        guard sizes.count >= 16 else { throw refuse("its 64-bit sizes are cut off") }
        largeDataLength = Int(clamping: sizes.littleEndian(at: 8, bytes: 8))
        guard source.skip(padded(length) - sizes.count) else { break }
      case "fmt ":
        let format = source.read(min(length, 40))
        guard format.count == min(length, 40) else { throw refuse("its header is cut off") }
        header = try parse(format, refuse)
        guard source.skip(padded(length) - format.count) else { break }
      case "data":
        guard var header else { throw refuse("its audio comes before its format") }
        header.dataLength =
          if length == 0xFFFF_FFFF, let largeDataLength {
            largeDataLength
          } else if length == 0 {
            // A finished file without audio, or one whose length was never filled in.
            source.length == riffLength + 8 ? 0 : nil
          } else if source.length == nil && length >= leastUnknownLength {
            nil
          } else {
            length
          }
        return header
      default:
        guard source.skip(padded(length)) else { break }
      }
    }
    try source.checkFailure()
    throw refuse(header == nil ? "it does not state its format" : "it contains no audio")
  }

  /// The header of mono 16-bit audio; without a length it states “until the end”.
  static func bytes(sampleRate: Int, dataLength: Int?) -> [UInt8] {
    // A length that does not fit into 32 bits is written as unknown: readers continue to the end.
    let known = dataLength.flatMap { $0 + 36 < 0xFFFF_FFFF ? $0 : nil }
    var bytes = Array("RIFF".utf8)
    bytes.appendLittleEndian(known.map { UInt32($0 + 36) } ?? .max)
    bytes += Array("WAVEfmt ".utf8)
    bytes.appendLittleEndian(UInt32(16))
    bytes.appendLittleEndian(UInt16(1))
    bytes.appendLittleEndian(UInt16(1))
    bytes.appendLittleEndian(UInt32(sampleRate))
    bytes.appendLittleEndian(UInt32(sampleRate * 2))
    bytes.appendLittleEndian(UInt16(2))
    bytes.appendLittleEndian(UInt16(16))
    bytes += Array("data".utf8)
    bytes.appendLittleEndian(known.map { UInt32($0) } ?? .max)
    return bytes
  }

  private static func padded(_ length: Int) -> Int { length + length % 2 }

  private static func parse(
    _ bytes: [UInt8], _ refuse: (String) -> AudioError
  ) throws(AudioError) -> WAVHeader {
    guard bytes.count >= 16 else { throw refuse("its format chunk is too short") }
    var tag = Int(bytes.littleEndian(at: 0, bytes: 2))
    let channels = Int(bytes.littleEndian(at: 2, bytes: 2))
    let sampleRate = Int(bytes.littleEndian(at: 4, bytes: 4))
    let alignment = Int(bytes.littleEndian(at: 12, bytes: 2))
    let bits = Int(bytes.littleEndian(at: 14, bytes: 2))
    if tag == 0xFFFE {
      let tail: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
      guard bytes.count >= 40, Array(bytes[26..<40]) == tail else {
        throw refuse("its encoding is unknown")
      }
      tag = Int(bytes.littleEndian(at: 24, bytes: 2))
    }
    let encoding: Encoding
    switch (tag, bits) {
    case (1, 8): encoding = .unsigned8
    case (1, 16): encoding = .signed16
    case (1, 24): encoding = .signed24
    case (1, 32): encoding = .signed32
    case (3, 32): encoding = .float32
    case (3, 64): encoding = .float64
    case (6, 8): encoding = .aLaw
    case (7, 8): encoding = .muLaw
    case (2, _), (0x11, _): throw refuse("it is ADPCM")
    case (1, _), (3, _): throw refuse("it has \(bits) bits per sample")
    default: throw refuse("its encoding \(tag) is unknown")
    }
    try AudioFileReader.check(channels: channels, sampleRate: sampleRate, refuse)
    let header = WAVHeader(
      encoding: encoding, channels: channels, sampleRate: sampleRate, dataLength: nil)
    guard alignment == header.bytesPerFrame else {
      throw refuse(
        "its header contradicts itself: \(alignment) bytes for a frame of \(channels) × "
          + "\(bits) bits")
    }
    return header
  }
}

extension [UInt8] {
  /// The number at that index, lowest byte first.
  func littleEndian(at index: Int, bytes count: Int) -> UInt64 {
    self[index..<index + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The number at that index, highest byte first.
  func bigEndian(at index: Int, bytes count: Int) -> UInt64 {
    self[index..<index + count].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Appends the number, lowest byte first.
  mutating func appendLittleEndian(_ value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}
