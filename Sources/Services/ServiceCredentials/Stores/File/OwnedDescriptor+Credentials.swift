import Foundation
import SpeechFiles

extension OwnedDescriptor {
  /// The status of the open file. Errors name the path.
  func status(of path: String) throws(AICredentialError) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else {
      throw .storageFailed("“\(path)” cannot be examined: \(SystemFailure(code: errno)).")
    }
    return status
  }

  /// Lends the contents of the file; the memory is zeroed afterwards. Errors name the path.
  func withContents<Result>(
    of path: String, upTo limit: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(limit, 1), alignment: 1)
    var count = 0
    defer {
      if let start = buffer.baseAddress { explicit_bzero(start, count) }
      buffer.deallocate()
    }
    while count < limit {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let read = Foundation.read(number, rest.baseAddress, rest.count)
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else {
        throw AICredentialError.storageFailed(
          "“\(path)” cannot be read: \(SystemFailure(code: errno)).")
      }
      if read == 0 { break }
      count += read
    }
    return try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
  }
}

extension stat {
  /// The date of the last change to the contents.
  var modified: Date {
    Date(timeIntervalSince1970: Double(st_mtim.tv_sec) + Double(st_mtim.tv_nsec) / 1e9)
  }
}
