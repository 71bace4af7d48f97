import Testing

@testable import AIServices

struct CircuitBreakerTests {
  private var breaker = CircuitBreaker(threshold: 2, coolDown: .seconds(10))

  @Test mutating func `it opens after consecutive failures and not before`() {
    breaker.noteFailure(at: .zero)
    breaker.noteSuccess()
    breaker.noteFailure(at: .zero)
    #expect(breaker.admit(at: .zero) == nil)
    breaker.noteFailure(at: .seconds(1))
    #expect(breaker.admit(at: .seconds(2)) == .seconds(9))
    #expect(breaker.health(at: .seconds(2)) == .suspended(for: .seconds(9)))
  }

  @Test mutating func `it admits one request after its time`() {
    breaker.noteFailure(at: .zero)
    breaker.noteFailure(at: .zero)
    #expect(breaker.admit(at: .seconds(10)) == nil)
    #expect(breaker.admit(at: .seconds(10)) == .zero)
    breaker.noteSuccess()
    #expect(breaker.admit(at: .seconds(10)) == nil)
    #expect(breaker.admit(at: .seconds(10)) == nil)
  }

  @Test mutating func `a late failure of an earlier request does not extend it`() {
    breaker.noteFailure(at: .zero)
    breaker.noteFailure(at: .zero)
    breaker.noteFailure(at: .seconds(9))
    #expect(breaker.admit(at: .seconds(10)) == nil)
  }

  @Test mutating func `a response that begins closes it, and the next failure opens it again`() {
    breaker.noteFailure(at: .zero)
    breaker.noteFailure(at: .zero)
    #expect(breaker.admit(at: .seconds(10)) == nil)
    breaker.noteAnswer()
    #expect(breaker.health(at: .seconds(10)) == .working)
    breaker.noteFailure(at: .seconds(11))
    #expect(breaker.admit(at: .seconds(12)) == .seconds(9))
  }
}
