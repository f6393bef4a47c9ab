export * from "./TestEngine.js"
export * from "./TestFacts.js"
