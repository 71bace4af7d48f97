import Foundation
import SpeechConcurrency
import SpeechFiles

#if Cloud
import ServiceTransport
#endif

/// Installs published files: from their publisher, a mirror or a folder, verified by their digests.
///
/// A file takes its name when it is whole and verified. A transfer that ended early is resumed by
/// the next one.
package actor FileInstaller {
  /// The result of adding a file.
  package enum Outcome: Sendable, Equatable {
    case installed(path: String)
    /// It was there already.
    case present(path: String)
  }

  /// Called with the number of bytes transferred so far, and the size of the file.
  package typealias Progress = @Sendable (_ count: Int, _ size: Int) async -> Void

  #if Cloud
  let transport: any HTTPTransport
  let timeouts: HTTPTimeouts

  /// - Parameters:
  ///   - timeouts: those of each request; there is no limit for a transfer that makes progress.
  package init(
    transport: any HTTPTransport = CurlTransport.shared,
    timeouts: HTTPTimeouts = HTTPTimeouts(connect: .seconds(15), total: nil)
  ) {
    self.transport = transport
    self.timeouts = timeouts
  }
  #else
  package init() {}
  #endif

  private let executor = SerialQueueExecutor(label: "speechkit.installer")

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Installs a file.
  ///
  /// - Parameters:
  ///   - folder: the folder, which is created if necessary.
  ///   - digest: the digest of a file of the user's own, instead of the published one.
  /// - Throws: `DownloadError`; `CancellationError`. The beginning of a download is kept.
  package func add(
    _ file: PublishedFile, to folder: URL?, from source: FileSource = .publisher,
    digest: PublishedFile.Digest? = nil, progress: Progress = { _, _ in }
  ) async throws -> Outcome {
    guard let folder else { throw DownloadError.noFolder }
    try checkProcessor(for: file)
    let digest = digest ?? file.digest
    let place = folder.appending(path: file.fileName).path
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw DownloadError.unwritable(path: folder.path, reason: error.localizedDescription)
    }
    // Its lock is held until the file is installed.
    var partial = try PartialFile(for: place, digest: digest)
    do {
      if let installed = try installed(file, in: folder, digest: digest) {
        partial.remove()
        return .present(path: installed)
      }
      try await fill(&partial, file, from: source, digest: digest, progress: progress)
      guard let unpacked = unpacked(file, in: folder) else {
        try partial.commit(to: place)
        return .installed(path: place)
      }
      try unpacked.install(from: partial.path, origin: digest.digits)
      partial.remove()
      return .installed(path: unpacked.path)
    } catch {
      // Only the beginning of a transfer is worth keeping.
      let isTooLong = digest == file.digest && partial.count > file.size
      let isOfContent = (error as? DownloadError)?.isOfContent == true
      if partial.count == 0 || source.isLocal || isTooLong || isOfContent { partial.remove() }
      throw error
    }
  }

  /// Removes a file from the user's folder, and what was transferred of it.
  ///
  /// - Returns: the path; `nil` if it was not there.
  /// - Throws: `DownloadError`, among others `inUse` while another program installs it.
  package func remove(_ file: PublishedFile, from folder: URL?) throws(DownloadError) -> String? {
    guard let folder else { throw .noFolder }
    guard FileManager.default.fileExists(atPath: folder.path) else { return nil }
    let place = folder.appending(path: file.fileName).path
    // Its lock keeps other programs from installing the file until it is removed.
    let own = try PartialFile(for: place, digest: file.digest)
    defer { own.remove() }
    for path in PartialFile.paths(for: place) where path != own.path {
      try PartialFile(path, for: place).remove()
    }
    if let unpacked = unpacked(file, in: folder) {
      guard FileManager.default.fileExists(atPath: unpacked.path) else { return nil }
      try unpacked.remove()
      return unpacked.path
    }
    guard unlink(place) == 0 else {
      if errno == ENOENT { return nil }
      throw .unwritable(path: place, reason: SystemFailure(code: errno).description)
    }
    return place
  }

  private func unpacked(_ file: PublishedFile, in folder: URL) -> UnpackedFolder? {
    file.unpackedFolder.map { UnpackedFolder(path: folder.appending(path: $0).path, name: $0) }
  }

  /// The place of the file if it is installed.
  private func installed(
    _ file: PublishedFile, in folder: URL, digest: PublishedFile.Digest
  ) throws -> String? {
    let unpacked = unpacked(file, in: folder)
    let place = unpacked?.path ?? folder.appending(path: file.fileName).path
    guard FileManager.default.fileExists(atPath: place) else { return nil }
    let isSame =
      if let unpacked { unpacked.origin == digest.digits } else {
        try PartialFile.has(digest, at: place)
      }
    guard isSame else { throw DownloadError.occupied(path: place, name: file.name) }
    return place
  }

  private func fill(
    _ partial: inout PartialFile, _ file: PublishedFile, from source: FileSource,
    digest: PublishedFile.Digest, progress: Progress
  ) async throws {
    let isPublished = digest == file.digest
    if let path = source.path(of: file) {
      try await copy(path, to: &partial, progress: progress)
    } else {
      // A program may have been killed between the last byte and the file's name.
      let isWhole = isPublished && partial.count == file.size
      if partial.count > file.size, isPublished { try partial.clear() }
      if isPublished { try checkSpace(file.size - partial.count, for: partial.path) }
      if !isWhole {
        try await download(file, from: source, to: &partial, progress: progress)
      }
    }
    try partial.check(digest, source: origin(of: file, from: source))
  }

  private func origin(of file: PublishedFile, from source: FileSource) -> String {
    source.path(of: file) ?? source.address(of: file)?.absoluteString ?? file.address
  }

  private func copy(
    _ path: String, to partial: inout PartialFile, progress: Progress
  ) async throws {
    let number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else {
      throw DownloadError.unreadable(path: path, reason: SystemFailure(code: errno).description)
    }
    let source = OwnedDescriptor(number)
    var status = stat()
    guard fstat(source.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw DownloadError.unreadable(path: path, reason: "it is not a file")
    }
    try partial.clear()
    try checkSpace(Int(status.st_size), for: partial.path)
    var piece = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      try Task.checkCancellation()
      let count = read(source.number, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw DownloadError.unreadable(path: path, reason: SystemFailure(code: errno).description)
      }
      guard count > 0 else { return }
      try partial.append(piece[..<count])
      await progress(partial.count, Int(status.st_size))
    }
  }

  private func checkSpace(_ needed: Int, for path: String) throws(DownloadError) {
    let folder = (path as NSString).deletingLastPathComponent
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return }
    let free = Int(status.f_bavail) * Int(status.f_frsize)
    guard free >= needed else { throw .noSpace(folder: folder, needed: needed, free: free) }
  }

  private func checkProcessor(for file: PublishedFile) throws(DownloadError) {
    guard !file.processorFeatures.isEmpty,
      let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("flags") })
    else { return }
    let known = Set(line.split(separator: " ").map(String.init))
    let missing = file.processorFeatures.filter { !known.contains($0) }
    guard missing.isEmpty else { throw .unsuitedProcessor(title: file.title, missing: missing) }
  }
}
