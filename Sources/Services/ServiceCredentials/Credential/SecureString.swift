import Foundation
import SpeechConcurrency

/// A secret, kept in memory of its own that is zeroed when nobody holds it any more.
///
/// It prints, mirrors and dumps as `••••` and cannot be encoded. Its memory is left out of core dumps, and
/// out of swap as far as the system lets ordinary users lock memory; where it does not, the secret is kept
/// all the same. What `value` returns is an ordinary string, whose copies nobody zeroes: prefer `withBytes`.
///
/// ```swift
/// let key = SecureString("sk-…")
/// print(key)   // ••••
/// ```
public final class SecureString: Sendable {
  /// What stands for a secret wherever it might be seen.
  public static let mask = "••••"

  private let memory: Guarded<SecretMemory>

  /// A secret.
  public convenience init(_ value: String) {
    var value = value
    self.init(memory: value.withUTF8 { Guarded(SecretMemory(UnsafeRawBufferPointer($0))) })
  }

  /// A copy of bytes, which are in UTF-8 as a rule. Zeroing the original is up to the caller.
  public convenience init(bytes: UnsafeRawBufferPointer) {
    self.init(memory: Guarded(SecretMemory(bytes)))
  }

  private init(memory: Guarded<SecretMemory>) {
    self.memory = memory
  }

  /// The secret as a string. Its memory is not zeroed.
  public var value: String {
    withBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether there is nothing in it, or nothing any more.
  public var isEmpty: Bool {
    withBytes { $0.isEmpty }
  }

  /// Lends the bytes of the secret. They must not leave the body, and the body must not use this secret in
  /// another way.
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

  /// The same secret in memory of its own, which is not touched when this one is cleared.
  public func copy() -> SecureString {
    withBytes { SecureString(bytes: $0) }
  }

  /// Zeroes the secret now; it is empty from then on.
  public func clear() {
    memory.withLock { $0.clear() }
  }
}

extension SecureString: Equatable {
  /// Whether both are the same secret. How long that takes tells only whether their lengths are the same.
  public static func == (one: SecureString, other: SecureString) -> Bool {
    // A copy, because holding both locks at once would need an order among them.
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
  /// `••••`.
  public var description: String { Self.mask }
  /// `••••`.
  public var debugDescription: String { Self.mask }
  /// Shows nothing of the secret.
  public var customMirror: Mirror {
    Mirror(self, children: [], ancestorRepresentation: .suppressed)
  }
}
