export { pendingCohortFixture } from "./testing/CohortFixtures.js"
export { cohortStoreLaws } from "./testing/CohortStore.laws.js"
export { csvReaderLaws } from "./testing/CsvReader.laws.js"
export { fileStoreLaws } from "./testing/FileStore.laws.js"
