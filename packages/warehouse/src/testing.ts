export { factsLogLaws } from "./facts/FactsLog.laws.js"
export { factMoment, factOf, factScope, unansweredFact } from "./fixtures.js"
export { changeOf, type NamedFact } from "./laws/LawFixtures.js"
export { warehouseLaws, type WarehouseLawsOptions } from "./Warehouse.laws.js"
