import AIServiceTesting
import Foundation
import ServiceCredentials
import ServiceTransport
import SpeechConcurrency
import SpeechFiles
import Testing

@testable import ServiceDownloads

/// A model host on this machine, a folder to install into, and a file of a quarter of a megabyte.
final class DownloadBench: Sendable {
  static let path = "/models/ggml-small.bin"

  let server: LoopbackServer
  let folder: URL
  let content: Data
  let progress = Guarded<[Int]>([])

  init() throws {
    server = try LoopbackServer()
    folder = FileManager.default.temporaryDirectory.appending(
      path: "speechkit-downloads-\(UUID().uuidString)", directoryHint: .isDirectory)
    content = Data((0..<250_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) })
    let content = content
    server.reply(to: Self.path) { .file(content, for: $0) }
  }

  deinit {
    server.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  var file: PublishedFile { file(content) }

  /// The file as its publisher describes it.
  func file(_ content: Data) -> PublishedFile {
    PublishedFile(
      "bench:small", title: "Small", address: server.url(Self.path).absoluteString,
      size: content.count, digest: .sha256(Digest.sha256(content)), licence: "MIT")
  }

  var place: URL { folder.appending(path: "ggml-small.bin") }

  /// All names in the folder.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  /// The bytes of the part that is kept.
  var kept: Data? {
    names.first { $0.hasSuffix(".download") }
      .flatMap { try? Data(contentsOf: folder.appending(path: $0)) }
  }

  /// The ranges of the requests, in order; empty text for a request of the whole file.
  var ranges: [String] { server.requests.map { $0.headers["Range"] ?? "" } }

  func add(
    _ file: PublishedFile? = nil, from source: FileSource = .publisher,
    digest: PublishedFile.Digest? = nil, with installer: FileInstaller? = nil
  ) async throws -> FileInstaller.Outcome {
    try await (installer ?? FileInstaller(transport: CurlTransport())).add(
      file ?? self.file, to: folder, from: source, digest: digest
    ) { count, _ in self.progress.withLock { $0.append(count) } }
  }

  /// Checks that the file is there as it was published, and nothing else.
  func expectInstalled(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(names == ["ggml-small.bin"], sourceLocation: sourceLocation)
    #expect(try Data(contentsOf: place) == content, sourceLocation: sourceLocation)
  }
}

extension DownloadError {
  /// The error that a body throws.
  static func of(_ body: () async throws -> Any) async -> DownloadError? {
    do {
      _ = try await body()
      return nil
    } catch {
      return error as? DownloadError
    }
  }
}
