export { propertyCases, propertyRuns, virtualTest } from "./TestSupport.js"
export { transactionsLaws, TransactionsProbe } from "./transactions/Transactions.laws.js"
