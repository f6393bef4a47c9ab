export * from "./csv/CsvReader.laws.js"
export * from "./files/FileStore.laws.js"
export * from "./store/CohortStore.laws.js"
