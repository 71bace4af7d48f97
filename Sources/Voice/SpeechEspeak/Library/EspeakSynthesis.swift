import CEspeakNG
import Synchronization

/// An event that the library reports for a piece.
struct EspeakEvent: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    case sentence
    case word
    case phoneme(String)
  }

  var kind: Kind
  /// The index of the first character, from 0, in the text that was passed.
  var position: Int
  /// The number of characters.
  var length: Int
  /// The first sample.
  var sample: Int
}

/// One call of `espeak_Synth`. It collects samples and events until it is cancelled.
///
/// `@unchecked Sendable` because all but `isCancelled` is accessed only by the library's queue
/// until the call has returned, and only by its caller afterwards.
final class EspeakSynthesis: @unchecked Sendable {
  private let isCancelledFlag = Atomic(false)
  private(set) var samples: [Int16] = []
  private(set) var events: [EspeakEvent] = []
  private let reportsPhonemes: Bool

  init(reportsPhonemes: Bool) {
    self.reportsPhonemes = reportsPhonemes
  }

  /// True if the result is no longer wanted.
  var isCancelled: Bool { isCancelledFlag.load(ordering: .relaxed) }

  /// Stops collecting. The library continues to the end of the piece, which takes milliseconds:
  /// aborted within a clause, it has crashed in a later one.
  func cancel() {
    isCancelledFlag.store(true, ordering: .relaxed)
  }

  /// Collects a buffer and the events that belong to it.
  func receive(
    _ wave: UnsafeMutablePointer<Int16>?, count: Int,
    events list: UnsafeMutablePointer<espeak_EVENT>
  ) {
    if isCancelled { return }
    if let wave, count > 0 {
      samples.append(contentsOf: UnsafeBufferPointer(start: wave, count: count))
    }
    var cursor = list
    while cursor.pointee.type != espeakEVENT_LIST_TERMINATED {
      receive(cursor.pointee)
      cursor += 1
    }
  }

  private func receive(_ event: espeak_EVENT) {
    let kind: EspeakEvent.Kind
    switch event.type {
    case espeakEVENT_SENTENCE: kind = .sentence
    case espeakEVENT_WORD: kind = .word
    case espeakEVENT_PHONEME where reportsPhonemes:
      // Eight bytes, not always terminated by a zero.
      let bytes = withUnsafeBytes(of: event.id.string) { Array($0.prefix { $0 != 0 }) }
      kind = .phoneme(String(decoding: bytes, as: UTF8.self))
    default: return
    }
    events.append(
      EspeakEvent(
        kind: kind, position: max(0, Int(event.text_position) - 1),
        length: max(0, Int(event.length)), sample: max(0, Int(event.sample))))
  }
}

/// The library's callback. It finds the synthesis by the pointer that was passed with the call.
func receiveEspeakBuffer(
  _ wave: UnsafeMutablePointer<Int16>?, _ count: Int32,
  _ events: UnsafeMutablePointer<espeak_EVENT>?
) -> Int32 {
  guard let events, let context = events.pointee.user_data else { return 0 }
  let synthesis = Unmanaged<EspeakSynthesis>.fromOpaque(context).takeUnretainedValue()
  synthesis.receive(wave, count: Int(count), events: events)
  return 0
}
