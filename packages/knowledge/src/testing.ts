export { documentNamed, passageOf, workspaceOf } from "./testing/KnowledgeFixtures.js"
export { knowledgeStoreLaws } from "./testing/KnowledgeStore.laws.js"
export { passageIndexLaws } from "./testing/PassageIndex.laws.js"
export { type LanguageSample, languageSamples } from "./testing/SampleTexts.js"
