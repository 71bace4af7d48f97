extension AudioContainer {
  /// Recognises the container from the first bytes of a source, and skips a leading ID3 tag.
  ///
  /// Only the containers named here reach libsndfile, which reads two dozen formats, some of them
  /// badly.
  static func recognise(_ source: ByteSource) throws(AudioError) -> AudioContainer {
    let tagged = try skipTag(source)
    let bytes = source.peek(512)
    try source.checkFailure()
    let refuse = { (reason: String) in
      AudioError.unsupportedFormat(source: source.name, reason: reason)
    }
    func has(_ text: String, at index: Int = 0) -> Bool {
      bytes.dropFirst(index).starts(with: text.utf8)
    }

    if has("fLaC") {
      try checkFLAC(bytes, refuse)
      return .flac
    }
    if isFrame(bytes) { return .mp3 }
    guard !tagged else { throw refuse("there is no MP3 after its ID3 tag") }
    if has("RIFF") || has("RF64") || has("BW64") {
      guard bytes.count >= 12 else { throw refuse("its header is cut off") }
      guard has("WAVE", at: 8) else { throw refuse("it is RIFF, but not WAVE") }
      return .wav
    }
    if has("OggS") {
      guard bytes.count > 27 else { throw refuse("its header is cut off") }
      let payload = 27 + Int(bytes[26])
      if has("\u{1}vorbis", at: payload) { return .ogg }
      if has("OpusHead", at: payload) { return .opus }
      throw refuse("it is Ogg with neither Vorbis nor Opus in it")
    }

    if bytes.isEmpty { throw refuse("it is empty") }
    let known = [
      ("FORM", "AIFF"), ("caff", "CAF"), (".snd", "AU"), ("RIFX", "big-endian WAV"),
      ("riff", "Wave64"), ("wvpk", "WavPack"), ("\u{1A}E", "Matroska or WebM"), ("#!AMR", "AMR"),
    ]
    if let (_, name) = known.first(where: { has($0.0) }) { throw refuse("it is \(name)") }
    if has("ftyp", at: 4) { throw refuse("it is MPEG 4") }
    throw refuse("its first bytes match no supported audio format")
  }

  /// Skips an ID3 tag; libsndfile would try every format it knows after one.
  private static func skipTag(_ source: ByteSource) throws(AudioError) -> Bool {
    let bytes = source.peek(10)
    guard bytes.count == 10, bytes.starts(with: "ID3".utf8) else { return false }
    let size = bytes[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    let footer = bytes[5] & 0x10 == 0 ? 0 : 10
    guard source.skip(10 + size + footer) else {
      throw .unsupportedFormat(source: source.name, reason: "it ends within its ID3 tag")
    }
    source.rebase()
    return true
  }

  /// True if a frame of MPEG layer 3 begins here, followed by another if there are enough bytes.
  private static func isFrame(_ bytes: [UInt8]) -> Bool {
    guard let length = frameLength(bytes, at: 0) else { return false }
    return length + 4 > bytes.count || frameLength(bytes, at: length) != nil
  }

  /// The length of the frame of MPEG layer 3 at that index; `nil` if there is none.
  static func frameLength(_ bytes: [UInt8], at index: Int) -> Int? {
    guard index + 4 <= bytes.count, bytes[index] == 0xFF, bytes[index + 1] & 0xE6 == 0xE2 else {
      return nil
    }
    let version = bytes[index + 1] >> 3 & 3
    let bitRate = Int(bytes[index + 2] >> 4)
    let rate = Int(bytes[index + 2] >> 2 & 3)
    guard version != 1, rate != 3, bitRate != 15, bitRate != 0 else { return nil }
    let kilobits =
      version == 3
      ? [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
      : [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    let hertz = [44_100, 48_000, 32_000][rate] / (version == 3 ? 1 : version == 2 ? 2 : 4)
    let padding = Int(bytes[index + 2] >> 1 & 1)
    return (version == 3 ? 144_000 : 72_000) * kilobits[bitRate] / hertz + padding
  }

  /// Checks the properties in the stream's first block before any memory is allocated for them.
  private static func checkFLAC(
    _ bytes: [UInt8], _ refuse: (String) -> AudioError
  ) throws(AudioError) {
    guard bytes.count >= 42 else { throw refuse("its header is cut off") }
    guard bytes[4] & 0x7F == 0, bytes.bigEndian(at: 5, bytes: 3) == 34 else {
      throw refuse("its header is damaged")
    }
    let rate = Int(bytes.bigEndian(at: 18, bytes: 3) >> 4)
    try AudioFileReader.check(
      channels: Int(bytes[20] >> 1 & 7) + 1, sampleRate: rate, refuse)
  }
}
