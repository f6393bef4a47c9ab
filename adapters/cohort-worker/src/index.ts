export { CohortWorker, type CohortWorkerOptions, DatabaseNotShareable } from "./CohortWorker.js"
export type { ImportFiles, ImportPlace } from "./ImportPlace.js"
