import type { Parameter, RefusalCode } from "../Warehouse.js"

/**
 * What has to become of a hostile statement: it is refused with one of these codes, also by prepare; it is stopped, for
 * its time or its memory; it gives at most what results may hold, or is stopped; or it gives nothing but what is the
 * workspace's own, or is refused.
 */
export type Fate =
  | { readonly kind: "refused"; readonly codes: ReadonlyArray<RefusalCode> }
  | { readonly kind: "stopped" }
  | { readonly kind: "bounded" }
  | { readonly kind: "contained" }

/** A hostile statement. */
export interface Attack {
  readonly sql: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly fate: Fate
  /** Only run where statements are stopped: elsewhere it would never end, or take all memory. */
  readonly heavy?: true
}

/** Statements that have to be refused with a code, or with one of several. */
export const refused = (...codes: ReadonlyArray<RefusalCode>) => (...statements: ReadonlyArray<string>) =>
  statements.map((sql): Attack => ({ sql, fate: { kind: "refused", codes } }))

/** Statements that have to be stopped. */
export const stopped = (...statements: ReadonlyArray<string>) =>
  statements.map((sql): Attack => ({ sql, fate: { kind: "stopped" }, heavy: true }))

/** Statements that may give no more than a result may hold. */
export const bounded = (...statements: ReadonlyArray<string>) =>
  statements.map((sql): Attack => ({ sql, fate: { kind: "bounded" } }))

/** The same, where memory has to be kept in bounds too. */
export const heavilyBounded = (...statements: ReadonlyArray<string>) =>
  statements.map((sql): Attack => ({ sql, fate: { kind: "bounded" }, heavy: true }))

/** Statements that may say nothing but of their own workspace. */
export const contained = (...statements: ReadonlyArray<string>) =>
  statements.map((sql): Attack => ({ sql, fate: { kind: "contained" } }))

/** The codes of a statement that was stopped. */
export const stopCodes: ReadonlyArray<RefusalCode> = ["TIMEOUT", "RESOURCE_LIMIT"]
