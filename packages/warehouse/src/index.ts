export { type FactRevision, FactRevisions } from "./FactRevisions.js"
export { Fact, FactNameLookup, type FactNames } from "./facts/Fact.js"
export { type ErasedFact, FactsLog, type LoggedFact, type ScopedFact } from "./facts/FactsLog.js"
export { type ColumnKind, columnTypeOf, type ViewColumn, viewColumns, viewName } from "./facts/ViewColumns.js"
export { Projector, type ProjectorOptions } from "./Projector.js"
export {
  createStatements,
  deleteFact,
  factRow,
  originType,
  readState,
  schemaVersion,
  stateTable,
  upsertFact,
  writeState
} from "./sql/Ddl.js"
export { queryRefusedOf } from "./sql/SqliteResults.js"
export { checkStatement, maxRowsFor, type StatementFacts } from "./sql/Statement.js"
export {
  formatPosition,
  isKeyword,
  isSignificant,
  type SqlToken,
  tokenize,
  type TokenizeOptions,
  type TokenKind
} from "./sql/Tokenizer.js"
export {
  type Cell,
  type ChangeBatch,
  type FactChange,
  type Parameter,
  type Query,
  QueryRefused,
  type QueryResult,
  RefusalCode,
  type ResultColumn,
  Warehouse,
  WarehouseBusy,
  type WarehouseStatement
} from "./Warehouse.js"
export { warehouseMemory } from "./WarehouseMemory.js"
