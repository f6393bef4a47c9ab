export * from "./PropertyRuns.js"
export * from "./Transactions.laws.js"
export * from "./VirtualTest.js"
