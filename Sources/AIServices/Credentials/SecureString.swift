import Foundation

/// A secret, kept in memory of its own that is zeroed when nobody holds it any more.
///
/// It prints, mirrors and dumps as `••••` and cannot be encoded. What `value` returns is an ordinary
/// string, whose copies nobody zeroes: prefer `withBytes`.
///
/// ```swift
/// let key = SecureString("sk-…")
/// print(key)   // ••••
/// ```
public final class SecureString: Sendable {
  /// What stands for a secret wherever it might be seen.
  public static let mask = "••••"

  // Unsafe because it is only touched with the lock held, and freed when nobody is left to touch it.
  private nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer
  private let lock = NSLock()

  /// A secret.
  public init(_ value: String) {
    var value = value
    bytes = value.withUTF8 { source in
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 1)
      bytes.copyBytes(from: source)
      return bytes
    }
  }

  deinit {
    zero()
    bytes.deallocate()
  }

  /// The secret as a string. Its memory is not zeroed.
  public var value: String {
    withBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether there is nothing in it, or nothing any more.
  public var isEmpty: Bool {
    withBytes { $0.allSatisfy { $0 == 0 } }
  }

  /// Lends the bytes of the secret. They must not leave the body.
  public func withBytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(UnsafeRawBufferPointer(bytes))
  }

  /// Zeroes the secret now.
  public func clear() {
    lock.lock()
    defer { lock.unlock() }
    zero()
  }

  private func zero() {
    // Not an ordinary loop, because the optimiser may leave out writes to memory that is freed next.
    if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
  }
}

extension SecureString: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// `••••`.
  public var description: String { Self.mask }
  /// `••••`.
  public var debugDescription: String { Self.mask }
  /// Shows nothing of the secret.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
