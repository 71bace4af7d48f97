import Foundation
import SpeechConversation
import Testing

struct TurnTimingsTableTests {
  private static func table(_ milliseconds: [Int]) -> TurnTimingsTable {
    TurnTimingsTable(
      milliseconds.enumerated().map { turn, time in
        var timings = TurnTimings(turn: turn + 1)
        timings.endOfTurn = .milliseconds(time)
        return timings
      })
  }

  @Test func `percentiles are measured values`() {
    let table = Self.table([300, 100, 200, 400])
    #expect(table.median(.endOfTurn) == .milliseconds(200))
    #expect(table.percentile(95, .endOfTurn) == .milliseconds(400))
    #expect(table.percentile(0, .endOfTurn) == .milliseconds(100))
    #expect(table.median(.firstSound) == nil)
    #expect(Self.table(Array(1...100)).percentile(95, .endOfTurn) == .milliseconds(95))
    #expect(TurnTimingsTable().median(.total) == nil)
  }

  @Test func `the last timings of a turn count`() {
    var timings = TurnTimings(turn: 1)
    timings.endOfTurn = .seconds(1)
    var later = timings
    later.interruption = .seconds(2)
    let table = TurnTimingsTable(events: [
      .init(time: .zero, turn: 1, kind: .timings(timings)),
      .init(time: .zero, turn: 1, kind: .away),
      .init(time: .zero, turn: 1, kind: .timings(later)),
    ])
    #expect(table.turns == [later])
  }

  @Test func `Prometheus receives a summary`() {
    #expect(
      Self.table([300, 100]).prometheusText == """
        # HELP speechkit_turn_stage_seconds How long \
        the stages of a voice conversation's turns took.
        # TYPE speechkit_turn_stage_seconds summary
        speechkit_turn_stage_seconds{stage="endOfTurn",quantile="0.5"} 0.1
        speechkit_turn_stage_seconds{stage="endOfTurn",quantile="0.95"} 0.3
        speechkit_turn_stage_seconds_sum{stage="endOfTurn"} 0.4
        speechkit_turn_stage_seconds_count{stage="endOfTurn"} 2

        """)
  }

  @Test func `OpenTelemetry receives a histogram with its 64-bit integers as strings`() throws {
    let data = try Self.table([300, 100]).openTelemetryJSON(
      from: Date(timeIntervalSince1970: 1_700_000_000),
      to: Date(timeIntervalSince1970: 1_700_000_001.5))
    let expected = """
      {"resourceMetrics": [{
        "resource": {"attributes": [
          {"key": "service.name", "value": {"stringValue": "speechkit"}}
        ]},
        "scopeMetrics": [{
          "scope": {"name": "SpeechKit"},
          "metrics": [{
            "name": "speechkit.turn.stage.duration",
            "description": "How long the stages of a voice conversation's turns took.",
            "unit": "s",
            "histogram": {
              "aggregationTemporality": 2,
              "dataPoints": [{
                "attributes": [{"key": "stage", "value": {"stringValue": "endOfTurn"}}],
                "startTimeUnixNano": "1700000000000000000",
                "timeUnixNano": "1700000001500000000",
                "count": "2", "sum": 0.4, "min": 0.1, "max": 0.3,
                "bucketCounts": ["0","1","0","1","0","0","0","0","0","0","0","0","0"],
                "explicitBounds": [0.05,0.1,0.2,0.3,0.5,0.75,1,1.5,2,3,5,10]
              }]
            }
          }]
        }]
      }]}
      """
    let values = try JSONSerialization.jsonObject(with: Data(expected.utf8)) as? NSDictionary
    #expect(try JSONSerialization.jsonObject(with: data) as? NSDictionary == values)
    #expect(String(decoding: data, as: UTF8.self).contains(#""max":0.3,"min":0.1"#))
  }
}
