export { busLaws, type BusUnderTest } from "./bus/Bus.laws.js"
export { propertyCases, propertyRuns, virtualTest } from "./TestSupport.js"
export { transactionsLaws, TransactionsProbe } from "./transactions/Transactions.laws.js"
