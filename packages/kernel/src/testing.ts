export { propertyCases, propertyRuns, virtualTest } from "./TestSupport.js"
export { type CrashableOptions, type CrashableTransactions, crashableTransactions } from "./transactions/FaultPoints.js"
export { transactionsLaws, TransactionsProbe } from "./transactions/Transactions.laws.js"
