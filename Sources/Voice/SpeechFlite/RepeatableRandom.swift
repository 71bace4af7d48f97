import Foundation

/// The C library's random numbers, from the same start each time.
///
/// Flite's clearer voices mix in noise from `rand()`, so that the same words would never produce
/// the same samples. Seeding it would change the program's own sequence; a separate sequence
/// replaces it temporarily.
enum RepeatableRandom {
  static func during<Result>(_ work: () throws -> Result) rethrows -> Result {
    let size = 128
    let state = UnsafeMutablePointer<CChar>.allocate(capacity: size)
    let others = initstate(1, state, size)
    defer {
      // The state is freed only if another one has replaced it.
      if let others, setstate(others) != nil { state.deallocate() }
    }
    return try work()
  }
}
