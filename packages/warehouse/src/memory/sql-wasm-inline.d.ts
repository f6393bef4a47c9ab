/** The part of sql.js in use; `@types/sql.js` lacks this build with inlined WebAssembly. */
declare module "sql.js/dist/sql-wasm-inline.js" {
  export type Value = string | number | bigint | Uint8Array | null

  export interface Statement {
    bind(values: Array<string | number | null>): boolean
    step(): boolean
    get(values: null, options: { readonly useBigInt: true }): Array<Value>
    getColumnNames(): Array<string>
    free(): boolean
  }

  export interface Aggregate<State> {
    readonly init: () => State
    readonly step: (state: State, value: Value, second: Value) => State
    readonly finalize: (state: State) => number | null
  }

  export interface Database {
    run(sql: string, values?: Array<string | number | null>): Database
    prepare(sql: string): Statement
    create_aggregate<State>(name: string, functions: Aggregate<State>): Database
    close(): void
  }

  const load: (options: { readonly useOldExtensionFunctions: false }) => Promise<{
    readonly Database: new() => Database
  }>
  export default load
}
