export * from "./CohortWorker.js"
