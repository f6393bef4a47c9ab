export { busLaws, type BusUnderTest } from "./testing/Bus.laws.js"
export { meterReading } from "./testing/MeterReading.js"
export { propertyCases, propertyRuns, virtualTest } from "./testing/TestSupport.js"
export { transactionsLaws, TransactionsProbe } from "./testing/Transactions.laws.js"
