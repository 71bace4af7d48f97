import Foundation

/// A descriptor of a file or folder that is closed with the value.
package struct OwnedDescriptor: ~Copyable {
  package let number: Int32

  package init(_ number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }

  /// Writes all of the bytes.
  ///
  /// - Returns: 0, or the number of the error.
  package func write(_ bytes: UnsafeRawBufferPointer) -> Int32 { Self.write(bytes, to: number) }

  /// Writes all of the bytes to a descriptor that another value owns.
  ///
  /// - Returns: 0, or the number of the error.
  package static func write(_ bytes: UnsafeRawBufferPointer, to number: Int32) -> Int32 {
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
