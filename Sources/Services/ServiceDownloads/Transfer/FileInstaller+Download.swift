import Foundation
import SpeechFiles

#if Cloud
import ServiceTransport

extension FileInstaller {
  /// The number of requests for a file, redirects not counted, until the transfer is abandoned.
  private static let attempts = 5
  private static let redirects = 5
  /// The longest time that a server may ask to wait.
  private static let longestWait = Duration.seconds(60)

  /// The result of a request.
  private enum Reply {
    case whole
    /// The server did not resume where the file ends.
    case startAgain
    case wait(Duration)
  }

  /// Transfers what is missing of a file.
  func download(
    _ file: PublishedFile, from source: FileSource, to partial: inout PartialFile,
    progress: Progress
  ) async throws {
    guard let address = source.address(of: file) else {
      throw DownloadError.unavailable("“\(file.address)” is not an address.")
    }
    for attempt in 1... {
      let before = partial.count
      do {
        switch try await request(address, file, &partial, progress) {
        case .whole: return
        case .startAgain: try partial.clear()
        case .wait(let duration):
          if attempt < Self.attempts { try await Task.sleep(for: duration) }
        }
        guard attempt < Self.attempts else {
          throw DownloadError.unavailable(
            "\(address.host() ?? "The server") does not send “\(file.fileName)”. Try again "
              + "later, or name another server or a folder with --from.")
        }
      } catch let failure as HTTPFailure {
        // Another attempt helps only where this one made progress.
        guard partial.count > before, attempt < Self.attempts else {
          throw Self.error(failure, file, kept: partial.count)
        }
      }
    }
  }

  private func request(
    _ address: URL, _ file: PublishedFile, _ partial: inout PartialFile, _ progress: Progress
  ) async throws -> Reply {
    let start = partial.count
    // Other servers have other tags for the same bytes.
    let known = partial.version.flatMap { $0.address == address.absoluteString ? $0.tag : nil }
    let response = try await follow(address, from: start, unlessChangedFrom: known, file)
    let tag = Self.tag(of: response)
    switch response.status {
    case 200:
      try partial.clear()
      if let tag { partial.store(.init(address: address.absoluteString, tag: tag)) }
    case 206:
      // A server may have a new version and ignore the condition.
      guard start > 0, Self.start(of: response) == start, known == nil || tag == nil || tag == known
      else { return .startAgain }
    case 416: return .startAgain
    case 429, 503:
      let host = address.host() ?? ""
      guard let wish = RetryAfter.wish(in: response.headers, at: Date()) else {
        throw DownloadError.unavailable(
          "\(host) is overloaded (\(response.status)). Try again later, or name another server "
            + "or a folder with --from.")
      }
      guard wish <= Self.longestWait else {
        throw DownloadError.unavailable(
          "\(host) allows another request only in \(Int(wish / .seconds(1))) seconds "
            + "(\(response.status)). Try again then, or name another server or a folder with "
            + "--from.")
      }
      return .wait(wish)
    default:
      throw DownloadError.unavailable(
        "\(address.host() ?? "The server") answers with status \(response.status) instead of "
          + "“\(file.fileName)”. Check the address, or name another server or a folder with "
          + "--from.")
    }
    for try await piece in response.body {
      try partial.append(piece)
      await progress(partial.count, file.size)
    }
    return .whole
  }

  /// Requests a file from a position on, and follows redirects. No request has credentials.
  ///
  /// - Parameter tag: that of the version whose beginning is there; a server that has another one
  ///   sends all of it.
  private func follow(
    _ address: URL, from start: Int, unlessChangedFrom tag: String?, _ file: PublishedFile
  ) async throws -> HTTPResponse {
    var address = address
    for _ in 0...Self.redirects {
      var headers = HTTPHeaders()
      if start > 0 { headers.append("Range", "bytes=\(start)-") }
      if start > 0, let tag { headers.append("If-Range", tag) }
      // A file of another digest may be larger than the published one.
      let response = try await transport.send(
        HTTPRequest(
          .get, address, headers: headers, timeouts: timeouts,
          responseLimit: max(2 * file.size, 64 << 20)))
      guard [301, 302, 303, 307, 308].contains(response.status),
        let location = response.headers["Location"]
      else { return response }
      guard let next = URL(string: location, relativeTo: address)?.absoluteURL,
        let scheme = next.scheme?.lowercased(), scheme == "https" || scheme == address.scheme,
        next.user() == nil, next.password() == nil
      else { throw DownloadError.unsafeRedirect(location) }
      address = next
    }
    throw DownloadError.unavailable(
      "The server redirects without end. Name another server or a folder with --from.")
  }

  /// The name of the version, if it stands for the same bytes each time.
  private static func tag(of response: HTTPResponse) -> String? {
    guard let tag = response.headers["ETag"], tag.hasPrefix("\""), tag.hasSuffix("\""),
      tag.utf8.count <= 1_024
    else { return nil }
    return tag
  }

  /// The position of the first byte that a response has.
  private static func start(of response: HTTPResponse) -> Int? {
    guard let range = response.headers["Content-Range"], range.hasPrefix("bytes "),
      let first = range.dropFirst(6).split(separator: "-").first
    else { return nil }
    return Int(first)
  }

  private static func error(
    _ failure: HTTPFailure, _ file: PublishedFile, kept: Int
  ) -> DownloadError {
    let reason = failure.localizedDescription
    switch failure {
    case .offline(let host):
      return .unavailable(
        "The network is switched off (offline), so \(host) was not contacted. Name a folder with "
          + "--from, or unset SPEECHKIT_OFFLINE.")
    case .interrupted, .timedOut, .truncated:
      guard kept > 0 else { return .unavailable(reason) }
      return .incomplete(name: file.fileName, kept: kept, reason: reason)
    default: return .unavailable(reason)
    }
  }
}
#else
extension FileInstaller {
  /// Refuses, because the package was built without a network.
  func download(
    _ file: PublishedFile, from source: FileSource, to partial: inout PartialFile,
    progress: Progress
  ) async throws {
    throw DownloadError.unavailable(
      "This speechkit was built without a network. Download “\(file.address)” and name the file "
        + "with --from.")
  }
}
#endif
