export { arbitraryInvalidSchema, arbitrarySchema, conditionalSchema } from "./testing/ArbitrarySchema.js"
export {
  answers,
  ends,
  fails,
  type FakeCall,
  type FakeModel,
  fakeModel,
  type FakeStep,
  hangs,
  says,
  sends,
  waits
} from "./testing/FakeModel.js"
export { type LanguageModelLawOptions, languageModelLaws } from "./testing/LanguageModel.laws.js"
export { tokenCounterLaws } from "./testing/TokenCounter.laws.js"
