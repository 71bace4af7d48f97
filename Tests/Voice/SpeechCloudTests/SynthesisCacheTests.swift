import AIServices
import AIServiceTesting
import Foundation
import SpeechAudio
import SpeechCore
import TestSupport
import Testing

@testable import SpeechCloud

/// Tests of the cache on disk.
struct SynthesisCacheTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "speech-\(UUID().uuidString)")
  }

  private func speech(_ number: Int, frames: Int = 500) -> CachedSpeech {
    CachedSpeech(
      audio: PCMBuffer(
        samples: (0..<frames).map { Int16(truncatingIfNeeded: number * 7_919 + $0) },
        format: AudioFormat(sampleRate: 24_000)),
      timings: [CharacterTiming(character: "\(number)", start: 0, end: 0.1)])
  }

  private func key(_ number: Int) -> SynthesisCache.Key { SynthesisCache.Key(["\(number)"]) }

  private func clean() { try? FileManager.default.removeItem(at: folder) }

  private var files: [URL] {
    (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil))
      ?? []
  }

  private func mode(_ url: URL) -> Int? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    return (attributes?[.posixPermissions] as? NSNumber)?.intValue
  }

  @Test func `an entry is returned as it was stored`() async {
    defer { clean() }
    let cache = SynthesisCache(folder: folder)
    #expect(await cache.speech(for: key(1)) == nil)
    await cache.keep(speech(1), for: key(1))
    await cache.keep(speech(2, frames: 0), for: key(2))
    #expect(await cache.speech(for: key(1)) == speech(1))
    #expect(await SynthesisCache(folder: folder).speech(for: key(2)) == speech(2, frames: 0))
    await cache.removeAll()
    #expect(files.isEmpty)
    #expect(await cache.size == 0)
  }

  @Test func `different inputs have different keys, which reveal nothing`() {
    let lists = [
      ["a", "b"], ["ab"], ["ab", ""], ["", "ab"], ["a", "", "b"], ["a\0b"], ["a", "b", ""], [],
      ["../../etc/passwd"], [String(repeating: "x", count: 100_000)], ["1:a1:b"],
    ]
    let names = lists.map { SynthesisCache.Key($0).name }
    #expect(Set(names).count == lists.count)
    #expect(names.allSatisfy { $0.count == 64 && $0.allSatisfy(\.isHexDigit) })
  }

  @Test func `only the owner can access the folder and its files`() async {
    defer { clean() }
    let inner = folder.appending(path: "a/b")
    let cache = SynthesisCache(folder: inner)
    await cache.keep(speech(1), for: key(1))
    #expect(mode(inner) == 0o700)
    await cache.keep(speech(2), for: key(1))
    let file = inner.appending(path: key(1).name + ".speech")
    #expect(mode(file) == 0o600)
    #expect(await cache.speech(for: key(1)) == speech(2))
  }

  @Test func `beyond the limit the least recently used entries are removed`() async throws {
    defer { clean() }
    let size = try speech(10).encoded().count
    let cache = SynthesisCache(folder: folder, sizeLimit: size * 20)
    for number in 10..<30 {
      await cache.keep(speech(number), for: key(number))
      // File systems do not distinguish times within a tick, whose length is unspecified.
      age(key(number), bySeconds: 100 - Double(number))
    }
    #expect(await cache.size == size * 20)
    #expect(await cache.speech(for: key(10)) != nil)
    await cache.keep(speech(30), for: key(30))
    #expect(await cache.size <= size * 20)
    #expect(await cache.speech(for: key(10)) != nil, "it was heard a moment ago")
    #expect(await cache.speech(for: key(11)) == nil, "it was not heard for the longest time")
    #expect(await cache.speech(for: key(30)) != nil, "it is new")
    #expect(files.count >= 18)
  }

  @Test func `short-lived programs stay within the limit too`() async throws {
    defer { clean() }
    let size = try speech(0).encoded().count
    for number in 0..<30 {
      let cache = SynthesisCache(folder: folder, sizeLimit: size * 10)
      await cache.keep(speech(number), for: key(number))
    }
    #expect(files.count <= 10)
  }

  @Test func `an entry larger than the limit is not stored`() async throws {
    defer { clean() }
    let cache = SynthesisCache(folder: folder, sizeLimit: 100)
    await cache.keep(speech(1), for: key(1))
    #expect(files.isEmpty)
    await SynthesisCache(folder: folder, sizeLimit: -5).keep(speech(1), for: key(1))
    #expect(files.isEmpty)
  }

  @Test func `a damaged entry counts as missing, and is removed`() async throws {
    defer { clean() }
    let cache = SynthesisCache(folder: folder)
    await cache.keep(speech(1, frames: 30), for: key(1))
    let file = try #require(files.first)
    let whole = try Data(contentsOf: file)
    var damaged = (0..<whole.count).map { Data(whole.prefix($0)) }
    for index in whole.indices {
      var flipped = whole
      flipped[index] ^= 0x20
      damaged.append(flipped)
    }
    damaged += [whole + [0], Data(repeating: 0, count: 100), Data("\n\n".utf8)]
    for data in damaged {
      try data.write(to: file)
      #expect(await cache.speech(for: key(1)) == nil)
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }

  @Test(arguments: [
    #"{"version":2,"sampleRate":0,"characters":[],"starts":[],"ends":[]}"#,
    #"{"version":2,"sampleRate":9223372036854775807,"characters":[],"starts":[],"ends":[]}"#,
    #"{"version":1,"sampleRate":24000,"characters":[],"starts":[],"ends":[]}"#,
    #"{"version":2,"sampleRate":24000,"characters":["a"],"starts":[],"ends":[]}"#,
    #"{"version":2,"sampleRate":24000,"characters":["a"],"starts":[0],"ends":[1,2]}"#, "[]", "",
  ])
  func `an implausible header is rejected although its hash is right`(_ head: String) {
    let content = Data("\(head)\nab".utf8)
    #expect(CachedSpeech(encoded: Data("\(Digest.sha256(content))\n".utf8) + content) == nil)
  }

  @Test func `files of killed programs are removed, files in use are not`() async throws {
    defer { clean() }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let old = folder.appending(path: ".old.part")
    let fresh = folder.appending(path: ".fresh.part")
    let foreign = folder.appending(path: "notes.txt")
    for file in [old, fresh, foreign] { try Data("half".utf8).write(to: file) }
    for file in [old, foreign] { age(file, bySeconds: 7_200) }
    await SynthesisCache(folder: folder).keep(speech(1), for: key(1))
    #expect(!FileManager.default.fileExists(atPath: old.path))
    #expect(FileManager.default.fileExists(atPath: fresh.path))
    #expect(FileManager.default.fileExists(atPath: foreign.path))
  }

  @Test(arguments: ["/proc/nowhere/cache", "/dev/null/cache", "/dev/full"])
  func `a folder that cannot be written to is ignored`(_ path: String) async throws {
    let cache = SynthesisCache(folder: URL(filePath: path))
    await cache.keep(speech(1), for: key(1))
    #expect(await cache.speech(for: key(1)) == nil)
    #expect(await cache.size == 0)
    await cache.removeAll()
  }

  @Test func `links in the folder are not followed`() async throws {
    defer { clean() }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let outside = folder.appendingPathExtension("outside")
    defer { try? FileManager.default.removeItem(at: outside) }
    try Data("precious".utf8).write(to: outside)
    let place = folder.appending(path: key(1).name + ".speech")
    try FileManager.default.createSymbolicLink(at: place, withDestinationURL: outside)
    let cache = SynthesisCache(folder: folder)
    #expect(await cache.speech(for: key(1)) == nil)
    await cache.keep(speech(1), for: key(1))
    #expect(await cache.speech(for: key(1)) == speech(1))
    #expect(try String(contentsOf: outside, encoding: .utf8) == "precious")
  }

  @Test func `concurrent programs share a folder without partial entries`() async throws {
    defer { clean() }
    let programs = try (1...2).map {
      try WorkerProcess([
        "share", folder.path, "\($0)", "\(Endurance.count(full: 1_000, short: 100))",
      ])
    }
    for program in programs { #expect(await program.line() == "ready") }
    for program in programs { try program.tell("go") }
    for program in programs {
      #expect(await program.line() == "found true wrong 0")
      #expect(await program.status() == 0)
    }
    // No temporary file is left, and no entry is damaged.
    #expect(!files.isEmpty)
    for file in files {
      #expect(file.pathExtension == "speech")
      #expect(CachedSpeech(encoded: try Data(contentsOf: file)) != nil)
    }
  }

  /// The steps of writing an entry, each as the first one that the program does not reach.
  @Test(arguments: ["makeFile", "write", "rename"])
  func `a program that is killed while it writes leaves only complete entries`(
    before step: String
  ) async throws {
    defer { clean() }
    let program = try WorkerProcess(["keep-and-die", folder.path, step])
    #expect(await program.status() == SIGSYS)
    let (entries, others) = (
      files.filter { $0.pathExtension == "speech" }, files.filter { $0.pathExtension != "speech" }
    )
    #expect(entries.count == 3)
    for file in entries { #expect(CachedSpeech(encoded: try Data(contentsOf: file)) != nil) }
    #expect(others.count == (step == "makeFile" ? 0 : 1))
    #expect(others.allSatisfy { mode($0) == 0o600 })
  }

  private func age(_ key: SynthesisCache.Key, bySeconds seconds: Double) {
    age(folder.appending(path: key.name + ".speech"), bySeconds: seconds)
  }

  private func age(_ url: URL, bySeconds seconds: Double) {
    let moment = Date(timeIntervalSinceNow: -seconds)
    try? FileManager.default.setAttributes([.modificationDate: moment], ofItemAtPath: url.path)
  }
}
