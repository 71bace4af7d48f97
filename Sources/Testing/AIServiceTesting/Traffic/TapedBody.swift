import AIServices
import Foundation

/// The body of an answer, which is recorded while it is read.
final class TapedBody: Sendable {
  private let body: HTTPBody
  private let tape: TrafficTape
  private let index: Int

  init(_ body: HTTPBody, _ tape: TrafficTape, _ index: Int) {
    self.body = body
    self.tape = tape
    self.index = index
  }

  deinit {
    tape.noteEnd(.abandoned, of: index, after: .zero)
  }

  func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
    let started = tape.clock.now()
    do {
      let piece = try await body.next(isolation: actor)
      let waited = tape.clock.now() - started
      if let piece {
        tape.notePiece(piece, of: index, after: waited)
      } else {
        tape.noteEnd(.complete, of: index, after: waited)
      }
      return piece
    } catch {
      tape.noteEnd(.init(error), of: index, after: tape.clock.now() - started)
      throw error
    }
  }
}
