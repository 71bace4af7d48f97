import Foundation
import ServiceCredentials
import SpeechFiles
import TestSupport
import Testing

@testable import ServiceDownloads

struct ZipArchiveTests {
  /// Made by Python's zipfile: a folder engine.libs with a deflated library of 1,400 bytes and a
  /// stored licence, and a file in another folder.
  private static let archive =
    Data(
      base64Encoded: """
        UEsDBBQAAAAAAAAAIVwAAAAAAAAAAAAAAAAMAAAAZW5naW5lLmxpYnMvUEsDBBQAAAAIAAAAIVzjsJVJFQAAAHgF
        AAAYAAAAZW5naW5lLmxpYnMvbGliZW5naW5lLnNvS81Lz8xLVUgdpUapUWqUGqXoQwEAUEsDBBQAAAAAAAAAIVwg
        pr7KAwAAAAMAAAATAAAAZW5naW5lLmxpYnMvTElDRU5TRU1JVFBLAwQUAAAACAAAACFcJNRwzgYAAAAEAAAAEgAA
        AGVuZ2luZS9fX2luaXRfXy5weStILC4GAFBLAQIUAxQAAAAAAAAAIVwAAAAAAAAAAAAAAAAMAAAAAAAAAAAAAACA
        AQAAAABlbmdpbmUubGlicy9QSwECFAMUAAAACAAAACFc47CVSRUAAAB4BQAAGAAAAAAAAAAAAAAAgAEqAAAAZW5n
        aW5lLmxpYnMvbGliZW5naW5lLnNvUEsBAhQDFAAAAAAAAAAhXCCmvsoDAAAAAwAAABMAAAAAAAAAAAAAAIABdQAA
        AGVuZ2luZS5saWJzL0xJQ0VOU0VQSwECFAMUAAAACAAAACFcJNRwzgYAAAAEAAAAEgAAAAAAAAAAAAAAgAGpAAAA
        ZW5naW5lL19faW5pdF9fLnB5UEsFBgAAAAAEAAQAAQEAAN8AAAAAAA==
        """, options: .ignoreUnknownCharacters) ?? Data()
  private static let library = Data(String(repeating: "engine ", count: 200).utf8)

  private func unpacked(_ entry: ZipArchive.Entry, of zip: ZipArchive) throws -> Data {
    var content = Data()
    try zip.unpack(entry) { content.append(contentsOf: $0) }
    return content
  }

  @Test func `deflated and stored files are unpacked`() throws {
    let zip = try ZipArchive(Self.archive)
    #expect(
      zip.entries.map(\.name) == [
        "engine.libs/", "engine.libs/libengine.so", "engine.libs/LICENSE", "engine/__init__.py",
      ])
    #expect(try unpacked(zip.entries[1], of: zip) == Self.library)
    #expect(try unpacked(zip.entries[2], of: zip) == Data("MIT".utf8))
  }

  @Test func `an archive that is cut off anywhere is refused`() {
    for count in 0..<Self.archive.count {
      #expect(throws: ZipError.self) { try ZipArchive(Self.archive.prefix(count)) }
    }
  }

  @Test func `damaged archives give the right files or an error`() throws {
    var random = SplitMix(seed: 5)
    for _ in 0..<Endurance.count(full: 200_000, short: 4_000) {
      var archive = Self.archive
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<archive.count, using: &random)
        archive[index] = UInt8.random(in: 0...255, using: &random)
      }
      guard let zip = try? ZipArchive(archive) else { continue }
      for entry in zip.entries where entry.name == "engine.libs/libengine.so" {
        guard let content = try? unpacked(entry, of: zip) else { continue }
        // A checksum of 32 bits finds these; a changed one is of changed content.
        #expect(content.count == entry.size)
      }
    }
  }

  @Test func `a file that is longer than stated is not written further`() throws {
    // The size in the directory, which follows its signature and 20 bytes.
    var archive = Self.archive
    let signature = Data([0x50, 0x4B, 0x01, 0x02])
    let first = try #require(archive.range(of: signature))
    let second = try #require(
      archive.range(of: signature, in: first.upperBound..<archive.endIndex))
    archive.replaceSubrange(second.lowerBound + 24..<second.lowerBound + 28, with: [9, 0, 0, 0])
    let zip = try ZipArchive(archive)
    var written = 0
    #expect(throws: ZipError.self) { try zip.unpack(zip.entries[1]) { written += $0.count } }
    #expect(written <= 9)
  }

  // MARK: Installation

  private func wheel(_ archive: Data, in folder: URL) throws -> (PublishedFile, FileSource) {
    let path = folder.appending(path: "engine-1.0.whl")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try archive.write(to: path)
    var file = PublishedFile(
      "engine", title: "Engine", address: "https://example.com/engine-1.0.whl",
      size: archive.count, digest: .sha256(Digest.sha256(archive)), licence: "MIT")
    file.unpackedFolder = "engine.libs"
    return (file, .local(path.path))
  }

  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  private func names(in folder: URL) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  @Test func `the folder of a library is installed, kept and removed`() async throws {
    try await withFolder { folder in
      let (file, source) = try wheel(Self.archive, in: folder.appending(path: "source"))
      let own = folder.appending(path: "own")
      let place = own.appending(path: "engine.libs")
      let installer = FileInstaller()
      // What a killed program left.
      let draft = own.appending(path: ".engine.libs.new")
      try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: true)
      try Data("old".utf8).write(to: draft.appending(path: "old.so"))

      #expect(try await installer.add(file, to: own, from: source) == .installed(path: place.path))
      #expect(names(in: own) == ["engine.libs"])
      #expect(names(in: place) == ["LICENSE", "libengine.so", "origin.txt"])
      #expect(try Data(contentsOf: place.appending(path: "libengine.so")) == Self.library)
      #expect(try await installer.add(file, to: own, from: source) == .present(path: place.path))

      try Data("another".utf8).write(to: place.appending(path: "origin.txt"))
      let error = await DownloadError.of { try await installer.add(file, to: own, from: source) }
      #expect(error == .occupied(path: place.path, name: "engine"))

      #expect(try await installer.remove(file, from: own) == place.path)
      #expect(names(in: own).filter { !$0.hasSuffix(".download") }.isEmpty)
      #expect(try await installer.remove(file, from: own) == nil)
    }
  }

  @Test func `names that lead out of the folder are not unpacked`() async throws {
    try await withFolder { folder in
      // A name of the same length, in both places where it stands.
      var text = Self.archive
      let old = Data("engine.libs/LICENSE".utf8)
      while let range = text.range(of: old) {
        text.replaceSubrange(range, with: Data("engine.libs/../evil".utf8))
      }
      let (file, source) = try wheel(text, in: folder.appending(path: "source"))
      let own = folder.appending(path: "own")
      _ = try await FileInstaller().add(file, to: own, from: source)
      #expect(names(in: own) == ["engine.libs"])
      #expect(names(in: own.appending(path: "engine.libs")) == ["libengine.so", "origin.txt"])
    }
  }

  @Test func `an archive without the folder is refused`() async throws {
    try await withFolder { folder in
      var (file, source) = try wheel(Self.archive, in: folder.appending(path: "source"))
      file.unpackedFolder = "other.libs"
      let own = folder.appending(path: "own")
      let error = await DownloadError.of { [file] in
        try await FileInstaller().add(file, to: own, from: source)
      }
      guard case .damagedArchive(_, "it has no folder other.libs") = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(!names(in: own).contains("other.libs"))
    }
  }
}
