export { propertyCases, propertyRuns, virtual } from "./TestSupport.js"
export { type CrashableOptions, type CrashableTransactions, crashableTransactions } from "./transactions/FaultPoints.js"
export { transactionsLaws, TransactionsProbe } from "./transactions/Transactions.laws.js"
