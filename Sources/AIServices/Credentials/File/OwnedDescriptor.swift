import Foundation

/// A descriptor of a file or folder that is closed at the end.
struct OwnedDescriptor: ~Copyable {
  let number: Int32

  init(_ number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// - Throws: `AICredentialError.storageFailed`, naming the path.
  func status(of path: String) throws(AICredentialError) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else {
      throw .storageFailed("“\(path)” cannot be looked at: \(systemMessage(errno)).")
    }
    return status
  }

  /// Lends what is in the file; the memory is zeroed afterwards.
  ///
  /// - Throws: `AICredentialError.storageFailed`, naming the path; what the body throws.
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
          "“\(path)” cannot be read: \(systemMessage(errno)).")
      }
      if read == 0 { break }
      count += read
    }
    return try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
  }

  /// Writes all of the bytes.
  ///
  /// - Returns: 0, or the number of the error.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Foundation.write(
        number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return errno }
      rest = rest.dropFirst(count)
    }
    return 0
  }
}

/// What the system calls an error.
func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }

extension stat {
  /// When the contents last changed.
  var modified: Date {
    Date(timeIntervalSince1970: Double(st_mtim.tv_sec) + Double(st_mtim.tv_nsec) / 1e9)
  }
}
