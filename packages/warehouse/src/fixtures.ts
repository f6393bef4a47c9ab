export * from "./facts/FactFixtures.js"
