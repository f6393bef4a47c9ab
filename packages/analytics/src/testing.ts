export * from "./CallFixtures.js"
export * from "./CallRecords.laws.js"
export * from "./Recordings.laws.js"
