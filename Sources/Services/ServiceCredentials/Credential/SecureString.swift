import Foundation
import SpeechConcurrency

/// A secret in memory that is zeroed when it is released.
///
/// It prints, mirrors and dumps as `••••` and cannot be encoded. Its memory is excluded from core
/// dumps, and from swap as far as the system lets ordinary users lock memory; otherwise the secret
/// is kept all the same. `value` returns an ordinary string, whose copies are not zeroed: prefer
/// `withBytes`.
///
/// ```swift
/// let key = SecureString("sk-…")
/// print(key)   // ••••
/// ```
public final class SecureString: Sendable {
  /// The text that replaces a secret wherever it might be seen.
  public static let mask = "••••"

  private let memory: Guarded<SecretMemory>

  /// Copies a string into protected memory.
  public convenience init(_ value: String) {
    var value = value
    self.init(memory: value.withUTF8 { Guarded(SecretMemory(UnsafeRawBufferPointer($0))) })
  }

  /// Copies bytes, normally UTF-8, into protected memory. Zeroing the original is up to the caller.
  public convenience init(bytes: UnsafeRawBufferPointer) {
    self.init(memory: Guarded(SecretMemory(bytes)))
  }

  private init(memory: Guarded<SecretMemory>) {
    self.memory = memory
  }

  /// The secret as an ordinary string, whose memory is not zeroed.
  public var value: String {
    withBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// True if there is no secret, or it has been cleared.
  public var isEmpty: Bool {
    withBytes { $0.isEmpty }
  }

  /// Lends the bytes of the secret. They must not escape the body, and the body must not use this
  /// secret in another way.
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var outcome: Swift.Result<Result, Failure>?
    memory.withLock { memory in
      do throws(Failure) {
        outcome = .success(try body(memory.bytes))
      } catch {
        outcome = .failure(error)
      }
    }
    switch outcome {
    case .success(let result)?: return result
    case .failure(let error)?: throw error
    case nil: preconditionFailure("the lock runs its body")
    }
  }

  /// Returns the same secret in separate memory, which clearing this one does not affect.
  public func copy() -> SecureString {
    withBytes { SecureString(bytes: $0) }
  }

  /// Zeroes the secret now and leaves it empty.
  public func clear() {
    memory.withLock { $0.clear() }
  }
}

extension SecureString: Equatable {
  /// Compares two secrets in constant time; only a difference in length is faster.
  public static func == (one: SecureString, other: SecureString) -> Bool {
    // A copy, because holding both locks at once would require an order between them.
    let other = other.copy()
    return one.withBytes { bytes in
      other.withBytes { otherBytes in
        guard bytes.count == otherBytes.count else { return false }
        var difference: UInt8 = 0
        for index in bytes.indices { difference |= bytes[index] ^ otherBytes[index] }
        return difference == 0
      }
    }
  }
}

extension SecureString: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always `••••`, never the secret.
  public var description: String { Self.mask }
  /// Always `••••`, never the secret.
  public var debugDescription: String { Self.mask }
  /// A mirror without children, which reveals nothing.
  public var customMirror: Mirror {
    Mirror(self, children: [], ancestorRepresentation: .suppressed)
  }
}
