import Foundation
import SpeechKit

/// Speech for recognisers: recordings of a corpus, or synthesised speech and the distribution's
/// sounds.
struct SpokenMaterial {
  let folder: URL
  /// The minimum length in seconds; the last file may exceed it.
  let seconds: Double

  /// Returns the first recordings of a corpus, up to the length.
  func recordings(of entries: [Corpus.Entry]) throws -> [Recording] {
    var made: [Recording] = []
    for entry in entries where made.seconds < seconds {
      made.append(try recording(entry))
    }
    return made
  }

  /// Returns sentences spoken by Flite, and the distribution's phrases for testing loudspeakers.
  func synthesizedRecordings() async throws -> [Recording] {
    var made: [Recording] = []
    let phrases = URL(fileURLWithPath: "/usr/share/sounds/alsa")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: phrases.path)) ?? []
    for name in names.sorted() where name.contains("_") && name.hasSuffix(".wav") {
      made.append(
        try Recording(
          try AudioFile.read(phrases.appendingPathComponent(name)), named: "a\(made.count)",
          in: folder))
    }
    let voice = FliteEngine()
    for sentence in ReadingMatter.sentences where made.seconds < seconds {
      let sound = try await voice.render(
        voice.makeRequest(text: sentence, voiceId: "slt"), configuration: .default)
      made.append(
        try Recording(sound, named: "f\(made.count)", in: folder, transcript: sentence))
    }
    return made
  }

  /// Returns a recording of the corpus, with a name that is valid in the peer's control file.
  private func recording(_ entry: Corpus.Entry) throws -> Recording {
    let name = String(entry.file.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    return try Recording(
      try AudioFile.read(entry.url), named: name, in: folder, transcript: entry.transcript)
  }
}
