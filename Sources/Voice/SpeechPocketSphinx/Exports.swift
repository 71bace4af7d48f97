// The properties and results of `LanguageModelPlan` have types of that module.
@_exported import SpeechLanguageModels
