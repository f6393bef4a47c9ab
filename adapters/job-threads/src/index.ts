export { CohortWorker, type CohortWorkerOptions, DatabaseNotShareable } from "./imports/CohortWorker.js"
export type { ImportFiles, ImportPlace } from "./imports/ImportPlace.js"
export { RehearsalBroke } from "./rehearsals/RehearsalThread.js"
export { RehearsalWorker, type RehearsalWorkerOptions } from "./rehearsals/RehearsalWorker.js"
