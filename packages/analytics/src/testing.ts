export * from "./CallFixtures.js"
export * from "./CallRecords.laws.js"
