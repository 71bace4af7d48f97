import Foundation

/// A step of the replacing of a file before which the system kills this process.
///
/// By a filter of system calls: the store needs no door for it, and the moment is exact.
enum DeathPoint: String {
  /// A folder is there, as the process's mask left it.
  case closeFolder
  /// Nothing is there yet beside the old file.
  case makeFile
  /// The new file is there, as the process's mask left it.
  case closeFile
  /// The new file is empty.
  case write
  /// The new file is whole, and perhaps not on the disk.
  case sync
  /// The new file is whole and has not its name yet.
  case rename
  /// The new file is in the place of the old one, and the lock is still held.
  case unlock

  /// Has the process killed when it comes to that step, whichever of its threads.
  ///
  /// - Returns: whether the system allows it.
  func arm() -> Bool {
    guard let address = dlsym(nil, "syscall") else { return false }
    // Because Swift does not see functions with variable arguments. Whole numbers travel as in any other
    // function here.
    let call = unsafeBitCast(
      address, to: (@convention(c) (Int, Int, Int, Int, Int, Int) -> Int).self)
    // PR_SET_NO_NEW_PRIVS, which the system wants before it takes a filter.
    guard call(SystemCall.prctl, 38, 1, 0, 0, 0) == 0 else { return false }
    return filter.withUnsafeBufferPointer { instructions in
      var program = FilterProgram(
        count: UInt16(instructions.count), instructions: instructions.baseAddress)
      return withUnsafePointer(to: &program) {
        // SECCOMP_SET_MODE_FILTER with SECCOMP_FILTER_FLAG_TSYNC, for the threads that are there already.
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

  /// The call, and what has to be true of one of its arguments.
  private var condition: (calls: [Int], argument: Int, test: Test, value: UInt32) {
    switch self {
    case .closeFolder: ([SystemCall.chmod], 0, .isAtLeast, 0)
    case .makeFile: ([SystemCall.openat], 2, .hasBits, UInt32(O_EXCL))
    case .closeFile: ([SystemCall.fchmod], 0, .isAtLeast, 0)
    // Others write a few bytes to wake one another.
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

/// An instruction of a filter, as the system has it.
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
