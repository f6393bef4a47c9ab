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
} from "./FakeModel.js"
export { type LanguageModelLawOptions, languageModelLaws } from "./LanguageModel.laws.js"
export { arbitraryInvalidSchema, arbitrarySchema, conditionalSchema } from "./schema/ArbitrarySchema.js"
export { tokenCounterLaws } from "./tokens/TokenCounter.laws.js"
