import Foundation

/// A step in the replacement of a file before which the system kills this process.
///
/// It is implemented as a filter of system calls: the store needs no hook, and the moment is exact.
enum DeathPoint: String {
  /// The folder exists, with permissions from the process's umask.
  case closeFolder
  /// Only the old file exists.
  case makeFile
  /// The new file exists, with permissions from the process's umask.
  case closeFile
  /// The new file is empty.
  case write
  /// The new file is complete, but may not be on the disk.
  case sync
  /// The new file is complete, but still has its temporary name.
  case rename
  /// The new file has replaced the old one, and the lock is still held.
  case unlock

  /// Kills the process when any of its threads reaches that step.
  ///
  /// - Returns: false if the system does not allow the filter.
  func arm() -> Bool {
    guard let address = dlsym(nil, "syscall") else { return false }
    // Because Swift cannot call functions with variable arguments. Integers are passed as to any
    // other function here.
    let call = unsafeBitCast(
      address, to: (@convention(c) (Int, Int, Int, Int, Int, Int) -> Int).self)
    // PR_SET_NO_NEW_PRIVS, which is required before a filter is accepted.
    guard call(SystemCall.prctl, 38, 1, 0, 0, 0) == 0 else { return false }
    return filter.withUnsafeBufferPointer { instructions in
      var program = FilterProgram(
        count: UInt16(instructions.count), instructions: instructions.baseAddress)
      return withUnsafePointer(to: &program) {
        // SECCOMP_SET_MODE_FILTER with SECCOMP_FILTER_FLAG_TSYNC, for the existing threads.
        call(SystemCall.seccomp, 1, 1, Int(bitPattern: $0), 0, 0) == 0
      }
    }
  }

  private var filter: [FilterInstruction] {
    let (numbers, argument, test, value) = condition
    // The number of the call, then the lower half of an argument.
    return [FilterInstruction(code: 0x20, operand: 0)]
      + numbers.enumerated().map { index, number in
        let isLast = index == numbers.count - 1
        return FilterInstruction(
          code: 0x15, ifTrue: UInt8(numbers.count - 1 - index), ifFalse: isLast ? 3 : 0,
          operand: UInt32(number))
      } + [
        FilterInstruction(code: 0x20, operand: UInt32(16 + 8 * argument)),
        FilterInstruction(code: test.rawValue, ifFalse: 1, operand: value),
        // SECCOMP_RET_KILL_PROCESS, else SECCOMP_RET_ALLOW.
        FilterInstruction(code: 0x06, operand: 0x8000_0000),
        FilterInstruction(code: 0x06, operand: 0x7FFF_0000),
      ]
  }

  private enum Test: UInt16 {
    case equals = 0x15
    case isGreater = 0x25
    case isAtLeast = 0x35
    case hasBits = 0x45
  }

  /// The system call, and a condition on one of its arguments.
  private var condition: (calls: [Int], argument: Int, test: Test, value: UInt32) {
    switch self {
    case .closeFolder: ([SystemCall.chmod], 0, .isAtLeast, 0)
    case .makeFile: ([SystemCall.openat], 2, .hasBits, UInt32(O_EXCL))
    case .closeFile: ([SystemCall.fchmod], 0, .isAtLeast, 0)
    // Other threads write a few bytes to wake each other.
    case .write: ([SystemCall.write], 2, .isGreater, 1_000)
    case .sync: ([SystemCall.fsync], 0, .isAtLeast, 0)
    case .rename: (SystemCall.renames, 0, .isAtLeast, 0)
    case .unlock: ([SystemCall.flock], 1, .equals, UInt32(LOCK_UN))
    }
  }
}

private enum SystemCall {
  #if arch(arm64)
  static let chmod = 53
  static let openat = 56
  static let fchmod = 52
  static let write = 64
  static let fsync = 82
  static let renames = [38]
  static let flock = 32
  static let prctl = 167
  static let seccomp = 277
  #else
  static let chmod = 90
  static let openat = 257
  static let fchmod = 91
  static let write = 1
  static let fsync = 74
  static let renames = [82, 264]
  static let flock = 73
  static let prctl = 157
  static let seccomp = 317
  #endif
}

/// An instruction of a filter, in the system's layout.
private struct FilterInstruction {
  var code: UInt16
  var ifTrue: UInt8 = 0
  var ifFalse: UInt8 = 0
  var operand: UInt32
}

private struct FilterProgram {
  var count: UInt16
  var instructions: UnsafePointer<FilterInstruction>?
}
