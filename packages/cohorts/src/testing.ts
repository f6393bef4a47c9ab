export { csvReaderLaws } from "./csv/CsvReader.laws.js"
export { fileStoreLaws } from "./files/FileStore.laws.js"
export { pendingCohortFixture } from "./store/CohortFixtures.js"
export { cohortStoreLaws } from "./store/CohortStore.laws.js"
