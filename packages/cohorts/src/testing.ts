export * from "./CohortStore.laws.js"
export * from "./FileStore.laws.js"
