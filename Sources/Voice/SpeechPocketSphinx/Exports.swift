// A plan for a language model takes and makes values of that module.
@_exported import SpeechLanguageModels
