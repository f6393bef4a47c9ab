import type { Parameter, RefusalCode } from "../Warehouse.js"

/**
 * Expected outcome of a hostile statement:
 *
 * - `refused`: rejected with one of these codes, by `prepare` as well;
 * - `stopped`: stopped for its time or memory;
 * - `bounded`: returns at most what a result may hold, or is stopped;
 * - `contained`: returns nothing but the workspace's own data, or is rejected.
 */
type ExpectedOutcome =
  | { readonly kind: "refused"; readonly codes: ReadonlyArray<RefusalCode> }
  | { readonly kind: "stopped" }
  | { readonly kind: "bounded" }
  | { readonly kind: "contained" }

/** A hostile statement. */
export interface Attack {
  readonly sql: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly expected: ExpectedOutcome
  /** Runs only against warehouses that stop statements; elsewhere it would never end or exhaust memory. */
  readonly heavy?: true
}

/** Statements that must be rejected with one of these codes. */
export const expectRefused = (...codes: ReadonlyArray<RefusalCode>) => (...statements: ReadonlyArray<string>) =>
  statements.map((sql): Attack => ({ sql, expected: { kind: "refused", codes } }))

/** Statements that must be stopped. */
export const expectStopped = (...statements: ReadonlyArray<string>) =>
  statements.map((sql): Attack => ({ sql, expected: { kind: "stopped" }, heavy: true }))

/** Statements whose results must stay within the limits. */
export const expectBounded = (...statements: ReadonlyArray<string>) =>
  statements.map((sql): Attack => ({ sql, expected: { kind: "bounded" } }))

/** Statements whose results must stay within the limits, and whose memory use must be bounded. */
export const expectHeavyBounded = (...statements: ReadonlyArray<string>) =>
  statements.map((sql): Attack => ({ sql, expected: { kind: "bounded" }, heavy: true }))

/** Statements that must not reveal anything outside their workspace. */
export const expectContained = (...statements: ReadonlyArray<string>) =>
  statements.map((sql): Attack => ({ sql, expected: { kind: "contained" } }))

/** Codes of stopped statements. */
export const stopCodes: ReadonlyArray<RefusalCode> = ["TIMEOUT", "RESOURCE_LIMIT"]
