import Foundation
@testable import SpeechAudio
import TestSupport
import Testing

/// Each kind of bad input gives an error of its own kind, at once.
struct AudioFileBadInputTests {
  static let sound = SoundFixtures.tone(seconds: 1)

  static let refused: [(name: String, data: Data, reason: String)] = [
    ("nothing", Data(), "empty"),
    ("ten bytes", Data("RIFF....WA".utf8), "cut off"),
    ("a bare RIFF header", Data("RIFF....WAVE".utf8), "format"),
    ("text", Data("Once upon a time there was a microphone.".utf8), "first bytes"),
    ("PNG", Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]), "first bytes"),
    ("zeroes", Data(count: 4_096), "first bytes"),
    ("AIFF", Data("FORM....AIFFCOMM".utf8), "AIFF"),
    ("CAF", Data("caff....".utf8), "CAF"),
    ("M4A", Data("....ftypM4A ".utf8), "MPEG 4"),
    ("AVI", Data("RIFF....AVI LIST".utf8), "not WAVE"),
    ("Ogg without Vorbis", Data("OggS".utf8) + Data(count: 60), "neither"),
    ("an ID3 tag without end", Data("ID3".utf8) + Data([4, 0, 0, 127, 127, 127, 127]), "ID3"),
    ("no channel", SoundFixtures.wave(channels: 0, data: [0, 0], alignment: 2), "0 channels"),
    ("65535 channels", SoundFixtures.wave(channels: 65_535, data: [0, 0]), "65535 channels"),
    ("rate 0", SoundFixtures.wave(rate: 0, data: [0, 0]), "0 samples"),
    ("rate 2^32-1", SoundFixtures.wave(rate: 0xFFFF_FFFF, data: [0, 0]), "4294967295"),
    ("12 bits", SoundFixtures.wave(bits: 12, data: [0, 0]), "12 bits"),
    ("MS ADPCM", SoundFixtures.wave(tag: 2, bits: 4, data: [0, 0], alignment: 256), "ADPCM"),
    ("IMA ADPCM", SoundFixtures.wave(tag: 0x11, bits: 4, data: [0, 0], alignment: 256), "ADPCM"),
    (
      "extensible ADPCM",
      SoundFixtures.wave(
        tag: 0xFFFE, bits: 16, data: [0, 0],
        extraFormat: SoundFixtures.extensible(tag: 2, validBits: 16)), "ADPCM"
    ),
    ("GSM", SoundFixtures.wave(tag: 0x31, bits: 0, data: [0, 0], alignment: 65), "encoding 49"),
    ("a wrong block size", SoundFixtures.wave(data: [0, 0], alignment: 4), "contradicts"),
    ("FLAC cut in its header", Data("fLaC".utf8) + Data([0, 0, 0, 34, 16, 0]), "cut off"),
  ]

  @Test(arguments: refused.indices)
  func `is refused with its reason, from memory, file and pipe`(index: Int) throws {
    let (name, data, reason) = Self.refused[index]
    func check(_ read: () throws -> PCMBuffer) {
      let error = #expect(throws: AudioError.self, "\(name)") { try read() }
      guard case .unsupportedFormat(_, let given) = error else {
        Issue.record("\(name) gave \(String(describing: error))")
        return
      }
      #expect(given.contains(reason), "\(name)")
    }
    check { try AudioFile.read(data) }
    check { try SoundFixtures.inPipe(data) { try AudioFile.read(descriptor: $0) } }
    try SoundFixtures.inFolder { folder in
      let url = folder.appending(path: "bad")
      try data.write(to: url)
      check { try AudioFile.read(url) }
    }
  }

  @Test(arguments: [AudioContainer.flac, .ogg, .opus, .mp3])
  func `garbage after a valid beginning gives an error or the valid part`(
    container: AudioContainer
  ) throws {
    let whole = try AudioFile.encode(SoundFixtures.noise(seconds: 6), as: container)
    for share in [0.1, 0.3, 0.6, 0.9] {
      let part = whole.prefix(Int(Double(whole.count) * share))
      do {
        #expect(try AudioFile.read(part).duration < .milliseconds(6_150))
      } catch let error as AudioError {
        #expect(error.errorDescription?.isEmpty == false)
      }
    }
    // Two thirds of the file contain at least four tenths of the audio.
    let most = try AudioFile.read(whole.prefix(whole.count * 2 / 3))
    #expect(most.duration > .seconds(2.5), "\(container)")
  }

  @Test func `a cut-off WAV is read as far as possible`() throws {
    let whole = try AudioFile.encode(Self.sound, as: .wav)
    let part = try AudioFile.read(whole.prefix(44 + 8_001))
    #expect(part == Self.sound.slice(0..<4_000))
  }

  @Test(arguments: [AudioContainer.wav, .flac, .ogg, .opus, .mp3])
  func `only a cut-off file is reported as such`(
    container: AudioContainer
  ) throws {
    func isCutOff(_ data: Data) throws -> [Bool] {
      func readToItsEnd(_ reader: consuming AudioFileReader) throws -> Bool {
        while try reader.read(frames: 4_096) != nil {}
        return reader.isCutOff
      }
      return [
        try readToItsEnd(AudioFileReader(data)),
        try SoundFixtures.inPipe(data) { try readToItsEnd(AudioFileReader(descriptor: $0)) },
      ]
    }
    let whole = try AudioFile.encode(SoundFixtures.noise(seconds: 6), as: container)
    #expect(try isCutOff(whole) == [false, false])
    #expect(try isCutOff(whole.prefix(whole.count * 2 / 3)) == [true, true])
  }

  @Test func `a WAV of unknown length is not cut off`() throws {
    for declared in [0xFFFF_FFFF, 0xFFFF_FF00, 0x7FFF_FFFF] {
      var reader = try AudioFileReader(
        SoundFixtures.wave(data: [UInt8](repeating: 1, count: 1_024), declared: declared))
      while try reader.read(frames: 4_096) != nil {}
      let isCutOff = reader.isCutOff
      #expect(!isCutOff, "\(declared)")
    }
  }

  @Test func `a declared size of four gigabytes is not trusted`() throws {
    for declared in [0xFFFF_FFFF, 0xFFFF_FF00, 0x7FFF_FFFF] {
      let data = SoundFixtures.wave(data: [UInt8](repeating: 1, count: 1_024), declared: declared)
      #expect(try AudioFile.read(data).frameCount == 512)
    }
    let chunk = Array("LIST".utf8) + [0xF0, 0xFF, 0xFF, 0xFF]
    #expect(throws: AudioError.self) {
      try AudioFile.read(SoundFixtures.wave(data: [0, 0], before: chunk))
    }
  }

  @Test func `a missing file is named`() {
    #expect(throws: AudioError.fileNotFound(path: "/nowhere/at/all.wav")) {
      try AudioFile.read(URL(filePath: "/nowhere/at/all.wav"))
    }
  }

  @Test(arguments: ["/", "/dev/zero", "/dev/null"])
  func `folders and devices are not read as files`(path: String) {
    let error = #expect(throws: AudioError.self) { try AudioFile.read(URL(filePath: path)) }
    guard case .unreadableFile = error else {
      Issue.record("\(path) gave \(String(describing: error))")
      return
    }
  }

  @Test func `a named pipe without a writer does not hang`() throws {
    try SoundFixtures.inFolder { folder in
      let url = folder.appending(path: "pipe")
      #expect(mkfifo(url.path, 0o600) == 0)
      #expect(throws: AudioError.self) { try AudioFile.read(url) }
      #expect(throws: AudioError.self) {
        try AudioFile.write(Self.sound, to: url.appending(path: "x"))
      }
      #expect(throws: AudioError.self) {
        _ = try AudioFileWriter(url, as: .wav, format: .recognition)
      }
    }
  }

  @Test func `endless zeroes from a descriptor are refused`() throws {
    let descriptor = open("/dev/zero", O_RDONLY)
    defer { close(descriptor) }
    #expect(throws: AudioError.self) { try AudioFile.read(descriptor: descriptor) }
    #expect(throws: AudioError.self) { try AudioFile.read(descriptor: -1) }
  }

  @Test func `a file without permission is unreadable`() throws {
    try SoundFixtures.inFolder { folder in
      let url = folder.appending(path: "secret.wav")
      try AudioFile.write(Self.sound, to: url)
      chmod(url.path, 0)
      guard access(url.path, R_OK) != 0 else { return }  // The superuser may read everything.
      #expect(throws: AudioError.self) { try AudioFile.read(url) }
    }
  }

  @Test func `URLs that are not files are refused`() {
    #expect(throws: AudioError.self) {
      try AudioFile.read(URL(string: "https://example.org/a.wav")!)
    }
    #expect(throws: AudioError.self) { try AudioFile.read(URL(string: "file:///tmp/a%00.wav")!) }
  }

  @Test func `refused files leave no descriptor open`() throws {
    func descriptors() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
    try SoundFixtures.inFolder { folder in
      let url = folder.appending(path: "text.wav")
      try Data("text".utf8).write(to: url)
      let before = try descriptors()
      for _ in 0..<300 {
        _ = try? AudioFile.read(url)
        _ = try? AudioFile.read(folder)
        _ = try? AudioFileWriter(url, format: AudioFormat(sampleRate: 0))
        _ = try? AudioFileWriter(
          folder.appending(path: "new.opus"), format: .init(sampleRate: 11_025))
      }
      // Other tests open and close files meanwhile.
      #expect(try descriptors() < before + 100)
    }
  }

  @Test(arguments: AudioContainer.allCases)
  func `damaged headers never do more than throw`(container: AudioContainer) throws {
    let whole = [UInt8](try AudioFile.encode(SoundFixtures.tone(seconds: 0.2), as: container))
    var numbers = RepeatableNumbers(seed: 42)
    var readable = 0
    let rounds = Endurance.count(full: 1_000, short: 150)
    for _ in 0..<rounds {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &numbers) {
        let index = Int.random(in: 0..<min(bytes.count, 128), using: &numbers)
        switch Int.random(in: 0..<5, using: &numbers) {
        case 0: bytes[index] = .random(in: 0...255, using: &numbers)
        case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
        case 2: bytes[index] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &numbers) ?? 0
        case 3: bytes.removeSubrange(index..<min(index + 3, bytes.count))
        default: bytes.insert(0xFF, at: index)
        }
      }
      do {
        readable += try AudioFile.read(Data(bytes)).frameCount > 0 ? 1 : 0
      } catch is AudioError {}
    }
    #expect(readable < rounds)
  }
}
