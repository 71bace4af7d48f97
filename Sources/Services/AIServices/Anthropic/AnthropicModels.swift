extension ModelTable {
  /// Anthropic's retired models as of November 2026. Its list of models contains no Claude 3.
  package static let anthropic = ModelTable(
    vendor: "Anthropic", hosts: ["api.anthropic.com"],
    retirements: [
      "claude-3-opus-20240229": Retirement(successor: "claude-opus-5-5"),
      "claude-3-sonnet-20240229": Retirement(successor: "claude-sonnet-5-5"),
      "claude-3-haiku-20240307": Retirement(successor: "claude-haiku-5-5"),
    ])
}
