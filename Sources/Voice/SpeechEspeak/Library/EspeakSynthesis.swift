import CEspeakNG
import Synchronization

/// What the library reports while it works on one piece.
struct EspeakEvent: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    case sentence
    case word
    case phoneme(String)
  }

  var kind: Kind
  /// The index of the first character, from 0, in the text as handed over.
  var position: Int
  /// How many characters.
  var length: Int
  /// The first sample.
  var sample: Int
}

/// One call of `espeak_Synth`: collects samples and events, until from elsewhere it is told that nobody
/// wants them any more.
///
/// `@unchecked Sendable` because all but `isCancelled` is touched by the library's queue only until
/// the call has returned, and by its caller only afterwards.
final class EspeakSynthesis: @unchecked Sendable {
  private let isCancelledFlag = Atomic(false)
  private(set) var samples: [Int16] = []
  private(set) var events: [EspeakEvent] = []
  private let reportsPhonemes: Bool

  init(reportsPhonemes: Bool) {
    self.reportsPhonemes = reportsPhonemes
  }

  /// Whether nobody wants the result any more.
  var isCancelled: Bool { isCancelledFlag.load(ordering: .relaxed) }

  /// Collects no more. The library works on to the end of the piece, which takes it milliseconds: broken
  /// off in the middle of a clause, it has been seen to crash in a later one.
  func cancel() {
    isCancelledFlag.store(true, ordering: .relaxed)
  }

  /// Takes a buffer and the list of events that belong to it.
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
      // Eight bytes, not always with a zero at the end.
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

/// The library's callback: it finds the synthesis by the pointer that came with the order.
func receiveEspeakBuffer(
  _ wave: UnsafeMutablePointer<Int16>?, _ count: Int32,
  _ events: UnsafeMutablePointer<espeak_EVENT>?
) -> Int32 {
  guard let events, let context = events.pointee.user_data else { return 0 }
  let synthesis = Unmanaged<EspeakSynthesis>.fromOpaque(context).takeUnretainedValue()
  synthesis.receive(wave, count: Int(count), events: events)
  return 0
}
