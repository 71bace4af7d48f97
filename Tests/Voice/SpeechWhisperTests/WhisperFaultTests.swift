import Foundation
import SpeechCore
import TestSupport
import Testing

@testable import SpeechWhisper

/// Libraries and models that are missing, foreign or damaged.
@Suite(.enabled(if: Peers.areExpected, "\(Peers.areMissing)"))
struct WhisperFaultTests {
  private func message(library path: String) -> String? {
    do throws(SpeechRecognitionError) {
      _ = try WhisperLibrary.load(WhisperPlaces([:], library: URL(filePath: path)))
      return nil
    } catch {
      return error.localizedDescription
    }
  }

  @Test func `a library that is none is refused with the reason`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(message(library: folder.path)?.contains("There is no whisper.cpp library in") == true)
    let text = folder.appending(path: "libwhisper.so")
    try Data("no library".utf8).write(to: text)
    #expect(message(library: folder.path)?.contains("cannot be loaded") == true)
    #expect(message(library: "/nonexistent")?.contains("There is no whisper.cpp library") == true)
  }

  @Test func `a foreign library is refused with the reason`() throws {
    let foreign = try #require(
      ["/lib/x86_64-linux-gnu/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6"]
        .first { FileManager.default.fileExists(atPath: $0) })
    #expect(message(library: foreign)?.contains("reports no version") == true)
  }

  @Test func `the library that is installed is supported`() throws {
    let library = try WhisperLibrary.load(WhisperPlaces([:], library: Peers.whisperLibrary))
    #expect(library.version.hasPrefix("1."))
  }

  @Test func `a model that is cut off anywhere is refused before it is loaded`() throws {
    let whole = try Data(contentsOf: Peers.whisperModel, options: .alwaysMapped)
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "ggml-tiny.en.bin")
    #expect(throws: Never.self) { try WhisperModelFile(Peers.whisperModel) }
    for length in [0, 3, 4, 47, 48, 1_000, 64_000, 400_000, 1_000_000, whole.count - 1] {
      try whole.prefix(length).write(to: file)
      let error = #expect(throws: SpeechRecognitionError.self, "\(length)") {
        try WhisperModelFile(file)
      }
      let text = error?.localizedDescription ?? ""
      #expect(text.contains("cut off") || text.contains("not a Whisper model"), "\(text)")
    }
  }

  @Test func `a damaged header is refused or loaded, and never trusted`() throws {
    let whole = try Data(contentsOf: Peers.whisperModel, options: .alwaysMapped)
    let head = [UInt8](whole.prefix(600_000))
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "model.bin")
    var random = SplitMix(seed: 5)
    var refused = 0
    for _ in 0..<300 {
      var bytes = head
      // The numbers of the header, of a tensor's description, or of the vocabulary.
      let place =
        [0..<48, 64_300..<64_400, 550_000..<600_000].randomElement(using: &random) ?? 0..<48
      bytes[Int.random(in: place, using: &random)] = UInt8.random(in: 0...255, using: &random)
      try Data(bytes).write(to: file)
      do throws(SpeechRecognitionError) {
        _ = try WhisperModelFile(file)
      } catch {
        refused += 1
      }
    }
    // The file is cut off, so that none of them may pass.
    #expect(refused == 300)
  }

  @Test func `a missing model is reported with the places`() {
    let places = WhisperPlaces(["XDG_DATA_HOME": "/nonexistent"])
    let error = #expect(throws: SpeechRecognitionError.self) {
      try WhisperModelName("tiny.en").find(for: "en", in: places)
    }
    let text = error?.localizedDescription ?? ""
    #expect(text.contains("ggml-tiny.en.bin") && text.contains("/nonexistent/speechkit/whisper"))
  }

  @Test func `a name without a way of storage finds the file that is there`() throws {
    let folder = try Peers.whisperModel.deletingLastPathComponent()
    let places = WhisperPlaces([:], library: folder)
    #expect(
      try WhisperModelName("tiny.en").find(for: "en", in: places).path
        == Peers.whisperModel.path)
    #expect(try WhisperModelName("").find(for: "en", in: places).path == Peers.whisperModel.path)
  }
}
