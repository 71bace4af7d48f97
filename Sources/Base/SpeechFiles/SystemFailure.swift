import Foundation

/// An error of the operating system.
package struct SystemFailure: Error, CustomStringConvertible {
  /// The value of `errno`.
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// The system's message.
  package var description: String { String(cString: strerror(code)) }
}
