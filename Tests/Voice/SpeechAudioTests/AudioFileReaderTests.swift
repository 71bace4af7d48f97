import Foundation
@testable import SpeechAudio
import Testing

struct AudioFileReaderTests {
  @Test(arguments: AudioContainer.allCases)
  func `encoded audio is read back with its length and level`(container: AudioContainer) throws {
    let sound = SoundFixtures.tone(seconds: 1.5)
    let read = try AudioFile.read(try AudioFile.encode(sound, as: container))
    #expect(read.format == sound.format || container == .opus)
    #expect(abs(read.duration.inSeconds - 1.5) < (container == .mp3 ? 0.12 : 0.001))
    #expect(abs(read.level - sound.level) < 1)
    if container == .wav || container == .flac { #expect(read == sound) }
  }

  @Test(arguments: AudioContainer.allCases)
  func `a pipe is read like a file`(container: AudioContainer) throws {
    let data = try AudioFile.encode(SoundFixtures.tone(seconds: 2), as: container)
    let fromPipe = try SoundFixtures.inPipe(data) { try AudioFile.read(descriptor: $0) }
    #expect(try fromPipe == AudioFile.read(data))
  }

  struct Encoding: Sendable {
    let tag: Int
    let bits: Int
    let bytes: [UInt8]
    let expected: [Int16]
  }

  @Test(arguments: [
    Encoding(tag: 1, bits: 8, bytes: [0, 0x80, 0xFF], expected: [-32_768, 0, 32_512]),
    Encoding(tag: 1, bits: 16, bytes: [0, 0x80, 0xFF, 0x7F], expected: [-32_768, 32_767]),
    // 24 bit: 0x000180 is one and a half steps, 0x7FFFFF rounds beyond full scale and stays there.
    Encoding(
      tag: 1, bits: 24, bytes: [0x80, 0x01, 0, 0xFF, 0xFF, 0x7F, 0, 0, 0x80],
      expected: [2, 32_767, -32_768]),
    Encoding(
      tag: 1, bits: 32, bytes: [0, 0, 1, 0, 0xFF, 0xFF, 0xFF, 0x7F], expected: [1, 32_767]),
    // 1.0, -1.0, 0.5, 2.0, infinity, not a number.
    Encoding(
      tag: 3, bits: 32,
      bytes: [
        0, 0, 0x80, 0x3F, 0, 0, 0x80, 0xBF, 0, 0, 0, 0x3F, 0, 0, 0, 0x40, 0, 0, 0x80, 0x7F, 0, 0,
        0xC0, 0x7F,
      ], expected: [32_767, -32_768, 16_384, 32_767, 32_767, 0]),
    Encoding(
      tag: 3, bits: 64, bytes: [0, 0, 0, 0, 0, 0, 0xE0, 0xBF], expected: [-16_384]),
    Encoding(tag: 6, bits: 8, bytes: [0xD5, 0x2A, 0xAA], expected: [8, -32_256, 32_256]),
    Encoding(tag: 7, bits: 8, bytes: [0xFF, 0x00, 0x80], expected: [0, -32_124, 32_124]),
  ])
  func `each encoding is scaled to 16 bit`(encoding: Encoding) throws {
    let plain = SoundFixtures.wave(tag: encoding.tag, bits: encoding.bits, data: encoding.bytes)
    #expect(try AudioFile.read(plain).samples == encoding.expected)
    let extensible = SoundFixtures.wave(
      tag: 0xFFFE, bits: encoding.bits, data: encoding.bytes,
      extraFormat: SoundFixtures.extensible(tag: encoding.tag, validBits: encoding.bits))
    #expect(try AudioFile.read(extensible).samples == encoding.expected)
  }

  @Test(arguments: [2, 6, 8, 32])
  func `channels are mixed to their mean`(channels: Int) throws {
    let frames: [[Int16]] =
      [[1_000] + .init(repeating: 0, count: channels - 1)] + [
        .init(repeating: 32_767, count: channels), .init(repeating: -32_768, count: channels),
      ]
    let data = SoundFixtures.wave(
      channels: channels, data: SoundFixtures.bytes(frames.flatMap { $0 }))
    let mean = Int16((1_000 / Double(channels)).rounded())
    #expect(try AudioFile.read(data).samples == [mean, 32_767, -32_768])
    let reader = try AudioFileReader(data)
    #expect(reader.info.channels == channels)
    #expect(reader.info.frameCount == 3)
  }

  @Test(arguments: [0, 36, 0x7FFF_F000, 0x8000_0000, 0xFFFF_FFFF])
  func `a stream that does not know its length is read to its end`(declared: Int) throws {
    let sound = SoundFixtures.tone(seconds: 0.5)
    let data = SoundFixtures.wave(
      data: SoundFixtures.bytes(sound.samples), declared: declared == 36 ? 0 : declared,
      riffLength: declared)
    #expect(try AudioFile.read(data) == sound)
    #expect(try SoundFixtures.inPipe(data) { try AudioFile.read(descriptor: $0) } == sound)
    try SoundFixtures.inPipe(data) { descriptor in
      let reader = try AudioFileReader(descriptor: descriptor)
      #expect(reader.info.frameCount == nil)
    }
  }

  @Test func `chunks before and after the audio are skipped`() throws {
    let data = SoundFixtures.wave(
      data: SoundFixtures.bytes([1, 2, 3]),
      before: SoundFixtures.chunk("JUNK", .init(repeating: 7, count: 28))
        + SoundFixtures.chunk("bext", .init(repeating: 9, count: 603)),
      after: SoundFixtures.chunk("LIST", Array("INFOISFT".utf8)))
    #expect(try AudioFile.read(data).samples == [1, 2, 3])
    #expect(
      try SoundFixtures.inPipe(data) { try AudioFile.read(descriptor: $0) }.samples == [1, 2, 3])
  }

  @Test func `RF64 has its length in a chunk of its own`() throws {
    let format =
      SoundFixtures.chunk(
        "ds64",
        SoundFixtures.little(0, 8) + SoundFixtures.little(4, 8) + SoundFixtures.little(2, 8) + [
          0, 0, 0, 0,
        ])
      + SoundFixtures.chunk(
        "fmt ",
        SoundFixtures.little(1, 2) + SoundFixtures.little(1, 2)
          + SoundFixtures.little(8_000, 4) + SoundFixtures.little(16_000, 4) + [2, 0, 16, 0])
    let data = Data(
      Array("RF64".utf8) + [255, 255, 255, 255] + Array("WAVE".utf8) + format + Array("data".utf8)
        + [255, 255, 255, 255, 5, 0, 6, 0, 7, 0])
    let sound = try AudioFile.read(data)
    #expect(sound.samples == [5, 6])
    #expect(sound.format.sampleRate == 8_000)
  }

  @Test func `a finished file without audio is empty`() throws {
    #expect(try AudioFile.read(SoundFixtures.wave(data: [])).isEmpty)
    let tagged = SoundFixtures.wave(
      data: [], after: SoundFixtures.chunk("LIST", Array("INFO".utf8)))
    #expect(try AudioFile.read(tagged).isEmpty)
  }

  @Test(arguments: [1, 160, 333, 100_000])
  func `pieces of any size give the same audio`(size: Int) throws {
    let sound = SoundFixtures.tone(seconds: 0.5)
    var reader = try AudioFileReader(try AudioFile.encode(sound, as: .flac))
    var pieces = PCMBuffer(format: reader.format)
    while let piece = try reader.read(frames: size) {
      #expect(piece.frameCount <= size)
      pieces.append(piece)
    }
    #expect(pieces == sound)
    #expect(reader.framesRead == sound.frameCount)
    #expect(try reader.read(frames: size) == nil)
  }

  @Test func `reading can convert to another rate`() throws {
    let data = try AudioFile.encode(SoundFixtures.tone(seconds: 2, rate: 44_100), as: .wav)
    let sound = try AudioFile.read(data, as: .recognition)
    #expect(sound.format == .recognition)
    #expect(sound.frameCount == 32_000)
    #expect(abs(sound.level + 9.03) < 0.1)
  }

  @Test func `a live stream gives each piece when it arrives`() throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let samples = SoundFixtures.bytes([Int16](repeating: 5, count: 512))
    let start = SoundFixtures.wave(data: samples, declared: 0x7FFF_F000)
    _ = start.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
    // Nothing more is written before this returns, so waiting for more would never end.
    var reader = try AudioFileReader(descriptor: ends[0])
    #expect(try reader.read(frames: 320)?.frameCount == 320)
    close(ends[1])
    #expect(try reader.read(frames: 320)?.frameCount == 192)
    #expect(try reader.read(frames: 320) == nil)
    close(ends[0])
  }

  @Test func `a file as standard input is read from its current position`() throws {
    try SoundFixtures.inFolder { folder in
      let url = folder.appending(path: "two.wav")
      let sound = SoundFixtures.tone(seconds: 0.1)
      try (Data(repeating: 1, count: 10) + AudioFile.encode(sound)).write(to: url)
      let descriptor = open(url.path, O_RDONLY)
      defer { close(descriptor) }
      lseek(descriptor, 10, SEEK_SET)
      #expect(try AudioFile.read(descriptor: descriptor) == sound)
    }
  }

  @Test func `an ID3 tag before the MP3 is skipped`() throws {
    let sound = try AudioFile.encode(SoundFixtures.tone(rate: 44_100), as: .mp3)
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 7, 0x68] + [UInt8](repeating: 0, count: 1_000)
    #expect(try AudioFile.read(Data(tag) + sound) == AudioFile.read(sound))
    let other = Data(tag) + SoundFixtures.wave(data: [0, 0])
    #expect(throws: AudioError.self) { try AudioFile.read(other) }
  }

  @Test func `data after an MP3 is ignored`() throws {
    let sound = try AudioFile.encode(SoundFixtures.tone(rate: 44_100), as: .mp3)
    let tag = Data("TAG".utf8) + Data(repeating: 0x20, count: 125)
    #expect(try AudioFile.read(sound + tag) == AudioFile.read(sound))
    #expect(try AudioFile.read(sound + Data(count: 3_000)) == AudioFile.read(sound))
  }

  @Test func `an MP3 that was cut off says so and keeps its beginning`() throws {
    let sound = try AudioFile.encode(SoundFixtures.noise(seconds: 4), as: .mp3)
    var reader = try AudioFileReader(sound.prefix(sound.count / 2))
    let half = try #require(try reader.read(frames: 100_000))
    let isCutOff = reader.isCutOff
    #expect(isCutOff)
    #expect(half.slice(0..<16_000) == (try AudioFile.read(sound)).slice(0..<16_000))
  }
}
