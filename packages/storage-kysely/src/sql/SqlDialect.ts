/** The databases that the stores run on. */
export type DatabaseKind = "sqlite" | "postgres"

/**
 * The expressions in which the SQL of the databases differs. All other SQL of the stores is in the part that each of them
 * understands. Parameters are written as `?`; columns, names and expressions are trusted text, never values.
 */
export interface SqlDialect {
  readonly kind: DatabaseKind
  /** A query that returns a row if a table exists; its parameter is the name. */
  readonly tableExists: string
  /** Join whose tables are read in the order in which they are written: a planner that knows no figures chooses any. */
  readonly orderedJoin: (table: string, join: OrderedJoin) => string
  /** The first table of such joins, and the end of their query, which chooses some of its rows in an order. */
  readonly orderedFrom: (
    table: string,
    rows: { readonly where: string; readonly order: string }
  ) => { readonly from: string; readonly end: string }
  /** Names the index to read a table by, for planners that do not know how rare a value is. */
  readonly indexedBy: (index: string) => string
  /** End of a query that claims rows: locks them, and passes over those that others have locked. */
  readonly skipLocked: string
  /** End of a query whose rows are changed later in the transaction: locks them, after other transactions that have locked them. */
  readonly forUpdate: string
  /** The same for the rows of one table of a query. */
  readonly forUpdateOf: (table: string) => string
  /** Rows of a JSON array of texts, the parameter, with the column `value`. */
  readonly textRows: (alias: string) => string
  /** Rows of a JSON array of integers, the parameter, with the column `value`. */
  readonly integerRows: (alias: string) => string
  /** The field of a JSON object as text or number; null where it is absent or null. */
  readonly field: (json: string, name: string) => string
  /** The field of a JSON object of texts whose name is the parameter. */
  readonly namedField: (json: string) => string
  /** The first element of a JSON array, a text. */
  readonly firstText: (json: string) => string
  /** A JSON array with another first element, the parameter, which is a text. */
  readonly withFirstText: (json: string) => string
  /** A JSON object with another value of a field, the parameter, which is JSON. */
  readonly withField: (json: string, name: string) => string
  /** A JSON object of numbers in which a field has grown; the parameters are the name, the name again and the number. */
  readonly addToField: (json: string) => string
  /** A JSON object of numbers with the sums of two. */
  readonly sumOfFields: (one: string, other: string) => string
  /** The place of a text in another, from 1 on; 0 where it does not occur. The parameter is the text to look for. */
  readonly placeIn: (text: string) => string
  /** A value as text in lower case, in every script. */
  readonly foldCase: (value: string) => string
  /** The last characters of a text; the parameter is their number. */
  readonly ending: (text: string) => string
  /** The greater of two values, neither of them null. */
  readonly greater: (one: string, other: string) => string
  /** Bytes of the same length that tell nothing; null where a changed row leaves the former bytes in place. */
  readonly blank: ((bytes: string) => string) | null
  /**
   * A query that waits for everyone who has locked a name in a running transaction, and locks it to the end of this one; its
   * parameter is the name. Null where transactions run one at a time.
   */
  readonly lockName: string | null
  /**
   * A table `given` with columns `p0`, `p1` and so on of these types, each of them an array literal of PostgreSQL in a
   * parameter, and `given_place`, which counts the rows from 1 on. Null where a statement for each row is as fast.
   */
  readonly givenRows: ((types: ReadonlyArray<GivenType>) => string) | null
  /**
   * A statement that puts rows in place of those with the same key; the columns that are not named get their defaults. `rows`
   * is the rest of an insertion, from the table on.
   */
  readonly replace: (rows: string, row: ReplacedRow) => string
  /** True if `replace` deletes the row before, with the rows that refer to it. */
  readonly replaceDeletes: boolean
  /** The number after the greatest one of a sequence; `greatest` is the query for it. */
  readonly nextNumber: (sequence: string, greatest: string) => string
}

/** A table that is joined to those before it. */
export interface OrderedJoin {
  /** The condition on its rows. */
  readonly on: string
  /** Its name in the query; that of the table by default. */
  readonly as?: string
  /** True to lock its rows, as `forUpdate` does. */
  readonly forUpdate?: boolean
}

/** Type of a value that is given for each of many rows. */
export type GivenType = "bytes" | "integer" | "number" | "text"

/** The columns of a row that replaces another. */
export interface ReplacedRow {
  readonly key: string
  readonly columns: ReadonlyArray<string>
  /** The columns that are not named. */
  readonly defaults: ReadonlyArray<string>
}

/** The SQL of SQLite. */
export const sqliteSql: SqlDialect = {
  kind: "sqlite",
  tableExists: "select 1 as found from sqlite_schema where name = ?",
  orderedFrom: (table, { order, where }) => ({ from: table, end: `where ${where} ${order}` }),
  orderedJoin: (table, { as = table, on }) => `cross join ${table} as ${as} on ${on}`,
  indexedBy: (index) => `indexed by ${index}`,
  skipLocked: "",
  forUpdate: "",
  forUpdateOf: () => "",
  textRows: (alias) => `json_each(?) as ${alias}`,
  integerRows: (alias) => `json_each(?) as ${alias}`,
  field: (json, name) => `json_extract(${json}, '$.${name}')`,
  namedField: (json) => `(select value from json_each(${json}) where key = ?)`,
  firstText: (json) => `${json} ->> 0`,
  withFirstText: (json) => `json_set(${json}, '$[0]', ?)`,
  withField: (json, name) => `json_set(${json}, '$.${name}', json(?))`,
  addToField: (json) => `json_set(${json}, '$.' || ?, coalesce(${json} ->> ('$.' || ?), 0) + ?)`,
  sumOfFields: (one, other) =>
    `(
      select json_group_object(unit, amount) from (
        select key as unit, sum(value) as amount from (
          select key, value from json_each(${one})
          union all
          select key, value from json_each(${other})
        ) as unit_rows group by key
      ) as sum_rows
    )`,
  placeIn: (text) => `instr(${text}, ?)`,
  foldCase: (value) => `lower(${value})`,
  ending: (text) => `substr(${text}, -?)`,
  greater: (one, other) => `max(${one}, ${other})`,
  blank: (bytes) => `zeroblob(length(${bytes}))`,
  lockName: null,
  givenRows: null,
  replace: (rows) => `replace into ${rows}`,
  replaceDeletes: true,
  nextNumber: (_, greatest) => `select coalesce((${greatest}), 0) + 1 as number`
}

/**
 * The scalar at a place of a JSON text, as text. Only that place is decoded, since texts elsewhere may hold a NUL, which
 * PostgreSQL cannot.
 */
const scalarAt = (json: string): string => `(cast(${json} as jsonb) #>> '{}')`

const postgresTypes: Readonly<Record<GivenType, string>> = {
  bytes: "bytea",
  integer: "bigint",
  number: "double precision",
  text: "text"
}

/** The SQL of PostgreSQL, from version 14 on. */
export const postgresSql: SqlDialect = {
  kind: "postgres",
  tableExists: "select 1 as found where to_regclass(?) is not null",
  orderedFrom: (table, { order, where }) => ({
    from: `(select * from ${table} where ${where} ${order}) as ${table}`,
    end: order
  }),
  // A subquery that is limited or locked is planned on its own, and runs for each row before it.
  orderedJoin: (table, { as = table, forUpdate = false, on }) =>
    `cross join lateral (select * from ${table} as ${as} where ${on} ${
      forUpdate ? "for update" : "offset 0"
    }) as ${as}`,
  indexedBy: () => "",
  skipLocked: "for update skip locked",
  forUpdate: "for update",
  forUpdateOf: (table) => `for update of ${table}`,
  textRows: (alias) => `jsonb_array_elements_text(cast(? as jsonb)) as ${alias}(value)`,
  integerRows: (alias) =>
    `(select cast(value as bigint) as value from jsonb_array_elements_text(cast(? as jsonb)) as texts(value)) as ${alias}`,
  field: (json, name) => scalarAt(`cast(${json} as json) -> '${name}'`),
  namedField: (json) => scalarAt(`cast(${json} as json) -> cast(? as text)`),
  firstText: (json) => scalarAt(`cast(${json} as json) -> 0`),
  withFirstText: (json) =>
    `'[' || to_json(cast(? as text)) || ',' || (cast(${json} as json) -> 1) || ',' || (cast(${json} as json) -> 2) || ']'`,
  withField: (json, name) => `cast(jsonb_set(cast(${json} as jsonb), '{${name}}', cast(? as jsonb)) as text)`,
  addToField: (json) =>
    `cast(jsonb_set(
      cast(${json} as jsonb),
      array[cast(? as text)],
      to_jsonb(coalesce(cast(cast(${json} as jsonb) ->> cast(? as text) as bigint), 0) + ?)
    ) as text)`,
  sumOfFields: (one, other) =>
    `(
      select cast(jsonb_object_agg(unit, amount) as text) from (
        select key as unit, sum(cast(value as double precision)) as amount from (
          select key, value from jsonb_each_text(cast(${one} as jsonb))
          union all
          select key, value from jsonb_each_text(cast(${other} as jsonb))
        ) as unit_rows group by key
      ) as sum_rows
    )`,
  placeIn: (text) => `strpos(${text}, ?)`,
  foldCase: (value) => `lower(cast(${value} as text) collate "und-x-icu")`,
  ending: (text) => `right(${text}, cast(? as integer))`,
  greater: (one, other) => `greatest(${one}, ${other})`,
  blank: null,
  lockName: "select pg_advisory_xact_lock(7491, hashtext(?))",
  givenRows: (types) => {
    const arrays = types.map((type) => `cast(? as ${postgresTypes[type]}[])`)
    const names = types.map((_, index) => `p${index}`)
    return `unnest(${arrays.join(", ")}) with ordinality as given(${[...names, "given_place"].join(", ")})`
  },
  replace: (rows, { columns, defaults, key }) => {
    const changes = columns.filter((column) => column !== key).map((column) => `${column} = excluded.${column}`)
    const assignments = [...changes, ...defaults.map((column) => `${column} = default`)]
    return `insert into ${rows} on conflict (${key}) do update set ${assignments.join(", ")}`
  },
  replaceDeletes: false,
  nextNumber: (sequence) => `select nextval('${sequence}') as number`
}
