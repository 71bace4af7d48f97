extension ByteSource {
  /// Ends an Ogg stream behind its last complete page: libsndfile refuses a file that was cut off within
  /// one, though all before it can be heard.
  func dropIncompletePage() {
    var end = 0
    var isLast = false
    while seek(to: end) {
      let header = read(27)
      guard header.count == 27, header.starts(with: "OggS".utf8) else { break }
      let sizes = read(Int(header[26]))
      let next = end + 27 + sizes.count + sizes.reduce(0) { $0 + Int($1) }
      guard sizes.count == Int(header[26]), next <= length ?? 0 else { break }
      end = next
      isLast = header[5] & 4 != 0
    }
    _ = seek(to: 0)
    if !isLast { noteCutOff() }
    // Without one complete page there is nothing to be gained; let the library say what is wrong.
    if end > 0 { rebase(length: end) }
  }

  /// Ends an MP3 behind its last complete frame, and makes its header agree with that: the decoder would
  /// write to the terminal about a cut-off frame, about what other programs put behind the sound, and
  /// about a length that is not the file's.
  func dropIncompleteFrame() {
    let first = peek(64)
    var end = 0
    while seek(to: end), let frame = AudioContainer.frameLength(read(4), at: 0),
      end + frame <= length ?? 0
    {
      end += frame
    }
    // With more frames somewhere behind, it is damage in the middle, which the decoder gets over.
    let rest = seek(to: end) ? read(65_536) : []
    let goesOn = rest.indices.dropFirst().contains { index in
      guard let frame = AudioContainer.frameLength(rest, at: index) else { return false }
      return AudioContainer.frameLength(rest, at: index + frame) != nil
    }
    _ = seek(to: 0)
    if !goesOn, AudioContainer.frameLength(rest, at: 0) != nil { noteCutOff() }
    if end > 0, !goesOn { rebase(length: end) }

    guard let length, let mark = Self.lengthMark(in: first),
      abs(Int(first.bigEndian(at: mark, bytes: 4)) - length) > length / 200
    else { return }
    if Int(first.bigEndian(at: mark, bytes: 4)) > length { noteCutOff() }
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) }
    replace(bytes, at: mark)
  }

  /// Where the first frame says how many bytes the file has, if it does.
  private static func lengthMark(in frame: [UInt8]) -> Int? {
    let names = ["Xing", "Info"].map { Array($0.utf8) }
    for index in 4..<44 where index + 16 <= frame.count {
      guard names.contains(Array(frame[index..<index + 4])) else { continue }
      let flags = frame[index + 7]
      return flags & 2 == 0 ? nil : index + (flags & 1 == 0 ? 8 : 12)
    }
    return nil
  }
}
