extension ByteSource {
  /// Ends an Ogg stream behind its last complete page: libsndfile refuses a file that was cut off within
  /// one, though all before it can be heard.
  func dropIncompletePage() {
    var end = 0
    while seek(to: end) {
      let header = read(27)
      guard header.count == 27, header.starts(with: "OggS".utf8) else { break }
      let sizes = read(Int(header[26]))
      let next = end + 27 + sizes.count + sizes.reduce(0) { $0 + Int($1) }
      guard sizes.count == Int(header[26]), next <= length ?? 0 else { break }
      end = next
    }
    _ = seek(to: 0)
    // Without one complete page there is nothing to be gained; let the library say what is wrong.
    if end > 0 { rebase(length: end) }
  }
}
