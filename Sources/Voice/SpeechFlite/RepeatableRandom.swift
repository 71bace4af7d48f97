import CRepeatableRandom

/// The C library's random numbers, from the same start each time.
///
/// Flite's clearer voices mix in noise from `rand()`, so that the same words would never produce
/// the same samples. Seeding it would change the sequence of the rest of the program, and other
/// threads take numbers from it, as eSpeak NG does: this sequence is of the thread alone.
enum RepeatableRandom {
  static func during<Result>(_ work: () throws -> Result) rethrows -> Result {
    speechkit_repeatable_random_begin()
    defer { speechkit_repeatable_random_end() }
    return try work()
  }
}
