export { CohortWorker, type CohortWorkerOptions, DatabaseNotShareable } from "./CohortWorker.js"
