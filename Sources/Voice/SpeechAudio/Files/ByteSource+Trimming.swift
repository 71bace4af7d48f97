extension ByteSource {
  /// Ends an Ogg stream after its last complete page: libsndfile refuses a file that was cut off
  /// within a page, although everything before it can be decoded.
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
    // Without one complete page this is of no use; the library reports the error.
    if end > 0 { rebase(length: end) }
  }

  /// Ends an MP3 after its last complete frame, and makes its header agree: the decoder would write
  /// to the terminal about a cut-off frame, about data that other programs append to the audio, and
  /// about a length that differs from the file's.
  func dropIncompleteFrame() {
    let first = peek(64)
    var end = 0
    while seek(to: end), let frame = AudioContainer.frameLength(read(4), at: 0),
      end + frame <= length ?? 0
    {
      end += frame
    }
    // With more frames further on, the damage is in the middle, and the decoder recovers from it.
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

  /// The position in the first frame of the number of bytes in the file, if it states one.
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
