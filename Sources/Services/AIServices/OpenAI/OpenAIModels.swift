extension ModelTable {
  /// OpenAI's retirement schedule, as published in November 2026.
  package static let openAI = ModelTable(
    vendor: "OpenAI", hosts: ["api.openai.com"],
    retirements: [
      "gpt-3.5-turbo": Retirement(lastDay: "2026-10-23", successor: "gpt-5.6-terra"),
      "gpt-4": Retirement(lastDay: "2026-10-23", successor: "gpt-5.6-sol"),
      "gpt-4-turbo": Retirement(lastDay: "2026-10-23", successor: "gpt-5.6-sol"),
      "o1": Retirement(lastDay: "2026-10-23", successor: "gpt-5.6-sol"),
      "o3-mini": Retirement(lastDay: "2026-10-23", successor: "gpt-5.6-terra"),
      "o4-mini": Retirement(lastDay: "2026-10-23", successor: "gpt-5.6-terra"),
      "gpt-4.1-nano": Retirement(lastDay: "2026-10-23", successor: "gpt-5.6-terra"),
      "gpt-5": Retirement(lastDay: "2026-12-11", successor: "gpt-5.6-sol"),
      "gpt-5-mini": Retirement(lastDay: "2026-12-11", successor: "gpt-5.6-terra"),
      "gpt-5-nano": Retirement(lastDay: "2026-12-11", successor: "gpt-5.6-terra"),
      "o3": Retirement(lastDay: "2026-12-11", successor: "gpt-5.6-sol"),
      "tts-1": Retirement(lastDay: "2027-01-06"),
      "tts-1-hd": Retirement(lastDay: "2027-01-06"),
      "gpt-4o-mini-tts": Retirement(lastDay: "2027-01-06"),
      "gpt-4o": Retirement(lastDay: "2027-01-14", successor: "gpt-6-luna"),
      "gpt-4o-mini": Retirement(lastDay: "2027-01-14", successor: "gpt-6-luna"),
      "gpt-4.1": Retirement(lastDay: "2027-01-14", successor: "gpt-6-luna"),
      "gpt-4.1-mini": Retirement(lastDay: "2027-01-14", successor: "gpt-6-luna"),
      "whisper-1": Retirement(lastDay: "2027-02-26", successor: "gpt-transcribe"),
      "gpt-4o-transcribe": Retirement(lastDay: "2027-02-26", successor: "gpt-transcribe"),
      "gpt-4o-mini-transcribe": Retirement(lastDay: "2027-02-26", successor: "gpt-transcribe"),
      "gpt-4o-transcribe-diarize": Retirement(lastDay: "2027-02-26", successor: "gpt-transcribe"),
    ])
}
