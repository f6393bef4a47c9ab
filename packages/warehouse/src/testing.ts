export * from "./facts/FactFixtures.js"
export * from "./facts/FactsLog.laws.js"
export * from "./laws/CallFacts.js"
export * from "./Warehouse.laws.js"
