export * from "./LanguageModel.laws.js"
export * from "./routing/FakeModel.js"
export * from "./tokens/TokenCounter.laws.js"
