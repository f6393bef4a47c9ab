export { factMoment, factOf, factScope, unansweredFact } from "./fixtures.js"
export { factsLogLaws } from "./testing/FactsLog.laws.js"
export { changeOf, type NamedFact } from "./testing/LawFixtures.js"
export { warehouseLaws, type WarehouseLawsOptions } from "./testing/Warehouse.laws.js"
