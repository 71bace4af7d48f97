import Foundation
@testable import SpeechAudio
import Testing

struct AudioFileWriterTests {
  static let sound = SoundFixtures.tone(seconds: 2.5)

  @Test(arguments: ["a.wav", "a.WAV", "a.flac", "a.ogg", "a.opus", "a.mp3"])
  func `the extension determines the container`(name: String) throws {
    try SoundFixtures.inFolder { folder in
      let url = folder.appending(path: name)
      try AudioFile.write(Self.sound, to: url)
      let reader = try AudioFileReader(url)
      #expect(reader.info.container == AudioContainer(pathExtension: url.pathExtension))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
    }
  }

  @Test func `an unknown extension is refused`() throws {
    try SoundFixtures.inFolder { folder in
      for name in ["a.m4a", "a", "a.txt"] {
        #expect(throws: AudioError.self) {
          try AudioFile.write(Self.sound, to: folder.appending(path: name))
        }
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names == [])
    }
  }

  @Test func `a container that does not support the rate is an error`() {
    let error = #expect(throws: AudioError.self) {
      try AudioFile.encode(SoundFixtures.tone(rate: 22_050), as: .opus)
    }
    #expect(error?.errorDescription?.contains("22050 Hz") == true)
  }

  @Test func `pieces make the same file as the whole`() throws {
    try SoundFixtures.inFolder { folder in
      let url = folder.appending(path: "pieces.wav")
      var writer = try AudioFileWriter(url, format: Self.sound.format)
      for start in stride(from: 0, to: Self.sound.frameCount, by: 333) {
        try writer.write(Self.sound.slice(start..<start + 333))
      }
      try writer.finish()
      try writer.finish()
      #expect(writer.framesWritten == Self.sound.frameCount)
      #expect(try Data(contentsOf: url) == AudioFile.encode(Self.sound))
      #expect(throws: AudioError.self) { try writer.write(Self.sound) }
    }
  }

  @Test func `a WAV is playable while it is written`() throws {
    try SoundFixtures.inFolder { folder in
      let url = folder.appending(path: "note.wav")
      var writer = try AudioFileWriter(url, format: Self.sound.format)
      try writer.write(Self.sound)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let part = folder.appending(path: try #require(names.first))
      #expect(names.count == 1 && part.pathExtension == "part")
      #expect(try AudioFile.read(part) == Self.sound)
      try writer.finish()
    }
  }

  @Test func `a dropped writer leaves no file and the old one unchanged`() throws {
    try SoundFixtures.inFolder { folder in
      let url = folder.appending(path: "note.flac")
      try AudioFile.write(Self.sound, to: url)
      let old = try Data(contentsOf: url)
      do {
        var writer = try AudioFileWriter(url, format: .recognition)
        try writer.write(.silence(.seconds(1), format: .recognition))
      }
      #expect(try Data(contentsOf: url) == old)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["note.flac"])
    }
  }

  @Test(arguments: AudioContainer.allCases)
  func `a full disk is an error`(container: AudioContainer) throws {
    let error = #expect(throws: AudioError.self) {
      var writer = try AudioFileWriter(
        URL(filePath: "/dev/full"), as: container, format: .recognition)
      try writer.write(Self.sound)
      try writer.finish()
    }
    #expect(error == .writeFailed(path: "/dev/full", reason: "No space left on device"))
  }

  @Test func `missing folders, folders and read-only files are errors`() throws {
    try SoundFixtures.inFolder { folder in
      for path in ["no/such/a.wav", "", "folder.wav/"] {
        #expect(throws: AudioError.self) {
          try AudioFile.write(Self.sound, to: folder.appending(path: path))
        }
      }
      let url = folder.appending(path: "fixed.wav")
      try AudioFile.write(Self.sound, to: url)
      chmod(url.path, 0o444)
      guard access(url.path, W_OK) != 0 else { return }  // The superuser may write everything.
      #expect(throws: AudioError.self) { try AudioFile.write(Self.sound, to: url) }
    }
  }

  @Test func `a new file keeps the mode of the old one and the link to it`() throws {
    try SoundFixtures.inFolder { folder in
      let url = folder.appending(path: "private.wav")
      let link = folder.appending(path: "link.wav")
      try AudioFile.write(Self.sound, to: url)
      chmod(url.path, 0o600)
      symlink(url.path, link.path)
      try AudioFile.write(SoundFixtures.tone(seconds: 0.1), to: link)
      var status = stat()
      #expect(lstat(url.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
      #expect(lstat(link.path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
      #expect(try AudioFile.read(url).frameCount == 1_600)
    }
  }

  @Test(arguments: AudioContainer.allCases)
  func `a pipe accepts every container`(container: AudioContainer) throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let short = SoundFixtures.tone(seconds: 0.5)
    var writer = try AudioFileWriter(descriptor: ends[1], as: container, format: short.format)
    try writer.write(short)
    try writer.finish()
    close(ends[1])
    let sound = try AudioFile.read(descriptor: ends[0])
    close(ends[0])
    #expect(abs(sound.duration.inSeconds - 0.5) < 0.12)
    #expect(abs(sound.level - short.level) < 1)
  }

  @Test func `audio of another rate is refused`() throws {
    var writer = try AudioFileWriter(
      URL(filePath: "/dev/null"), as: .wav, format: .recognition)
    #expect(throws: AudioError.self) { try writer.write(SoundFixtures.tone(rate: 8_000)) }
  }

  @Test func `a name may be as long as the system allows, in any script`() throws {
    try SoundFixtures.inFolder { folder in
      // 239 bytes in 30 characters.
      let url = folder.appending(path: String(repeating: "क्षि", count: 19) + "abcdefg.wav")
      try AudioFile.write(Self.sound, to: url)
      #expect(try AudioFile.read(url).frameCount == Self.sound.frameCount)
    }
  }
}
