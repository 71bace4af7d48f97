import Foundation

/// The C library's random numbers, from their beginning each time.
///
/// Flite's clearer voices mix in noise that they draw from `rand()`, so that the same words never sounded the
/// same twice. Seeding it would take a program its own sequence; this one is put in its place meanwhile.
enum RepeatableChance {
  static func during<Result>(_ work: () throws -> Result) rethrows -> Result {
    let size = 128
    let state = UnsafeMutablePointer<CChar>.allocate(capacity: size)
    let others = initstate(1, state, size)
    defer {
      // The state is given up only where another one took its place.
      if let others, setstate(others) != nil { state.deallocate() }
    }
    return try work()
  }
}
