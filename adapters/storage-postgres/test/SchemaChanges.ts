import { onServer } from "../../../test/setup/Postgres.js"

/** A column of a table. */
export interface Column {
  readonly table: string
  readonly column: string
  readonly type: string
  readonly mustBeGiven: boolean
  readonly isNullable: boolean
  readonly isComputed: boolean
  readonly preset: string | null
}

/** A constraint, a unique index or a trigger of a table. */
interface Rule {
  readonly table: string
  readonly rule: string
}

/** Parts of a database that statements of a program rely on. */
export interface Schema {
  readonly columns: ReadonlyArray<Column>
  readonly rules: ReadonlyArray<Rule>
  readonly sequences: ReadonlyArray<string>
  /** Tables that a table refers to. */
  readonly references: ReadonlyArray<{ readonly table: string; readonly to: string }>
}

const findColumns = `
  select table_name as table, column_name as column, data_type as type, column_default as preset,
    is_nullable = 'YES' as "isNullable", is_generated = 'ALWAYS' as "isComputed",
    is_nullable = 'NO' and column_default is null and is_generated = 'NEVER' and is_identity = 'NO' as "mustBeGiven"
  from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position
`
const findRules = `
  select conrelid::regclass::text as table, pg_get_constraintdef(oid) as rule from pg_constraint
  where connamespace = 'public'::regnamespace and contype <> 'n' and conrelid <> 0
  union all select indrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
  where indisunique and indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
  union all select tgrelid::regclass::text, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  order by 1, 2
`
const findSequences = "select sequence_name as name from information_schema.sequences where sequence_schema = 'public'"
const findReferences = `
  select conrelid::regclass::text as table, confrelid::regclass::text as to from pg_constraint where contype = 'f'
`

/** The schema of a database. */
export const schemaOf = async (url: string): Promise<Schema> => ({
  columns: await onServer<Column>(findColumns, url),
  rules: await onServer<Rule>(findRules, url),
  sequences: (await onServer<{ readonly name: string }>(findSequences, url)).map(({ name }) => name),
  references: await onServer<Schema["references"][number]>(findReferences, url)
})

const keyOf = ({ column, table }: Column) => `${table}.${column}`

const columnProblems = (before: Column, after: Column | undefined): ReadonlyArray<string> => {
  const key = keyOf(before)
  if (after === undefined) return [`${key} is gone`]
  return [
    ...(after.type === before.type ? [] : [`${key} has another type`]),
    ...(before.isNullable && !after.isNullable ? [`${key} is no longer nullable`] : []),
    ...(after.preset === before.preset && after.isComputed === before.isComputed ? [] : [`${key} has another default`])
  ]
}

/** Changes from a schema to the next one that statements written for the first may not survive. */
export const breakingChanges = (before: Schema, after: Schema): ReadonlyArray<string> => {
  const tables = new Set(before.columns.map(({ table }) => table))
  const keys = new Set(before.columns.map(keyOf))
  const afterByKey = new Map(after.columns.map((column) => [keyOf(column), column]))
  const rulesOf = ({ rules }: Schema) =>
    new Set(rules.filter(({ table }) => tables.has(table)).map(({ rule, table }) => `${table}: ${rule}`))
  const [oldRules, newRules] = [rulesOf(before), rulesOf(after)]
  return [
    ...before.columns.flatMap((column) => columnProblems(column, afterByKey.get(keyOf(column)))),
    ...after.columns.filter((column) => tables.has(column.table) && !keys.has(keyOf(column)) && column.mustBeGiven)
      .map((column) => `${keyOf(column)} must be given`),
    ...[...oldRules].filter((rule) => !newRules.has(rule)).map((rule) => `${rule} is gone`),
    ...[...newRules].filter((rule) => !oldRules.has(rule)).map((rule) => `${rule} is new`),
    ...before.sequences.filter((name) => !after.sequences.includes(name)).map((name) => `${name} is gone`)
  ]
}

const samples = new Map<string, (number: number) => string>([
  ["bigint", String],
  ["integer", String],
  ["double precision", String],
  ["text", (number) => `'{"of":${number}}'`],
  ["bytea", (number) => `convert_to('${number}', 'UTF8')`],
  ["boolean", () => "true"]
])

/** Tables in an order in which each comes after those that it refers to. */
const inOrder = ({ columns, references }: Schema): ReadonlyArray<string> => {
  const ordered: Array<string> = []
  let remaining = [...new Set(columns.map(({ table }) => table))]
  const isReady = (table: string) =>
    references.every((reference) => reference.table !== table || ordered.includes(reference.to))
  while (remaining.length > 0) {
    ordered.push(...remaining.filter(isReady))
    remaining = remaining.filter((table) => !ordered.includes(table))
  }
  return ordered
}

/**
 * Writes a row into every table of a schema, except that of its version, and changes it, naming all columns of the schema.
 * Returns all rows, as text.
 */
export const useSchema = async (url: string, schema: Schema, number: number): Promise<ReadonlyArray<string>> => {
  const tables = inOrder(schema).filter((table) => table !== "schema_version").map((table) => {
    const columns = schema.columns.filter((column) => column.table === table && !column.isComputed)
    const names = columns.map(({ column }) => `"${column}"`)
    const values = columns.map(({ type }) => samples.get(type)?.(number) ?? "null")
    return { table, names, values }
  })
  const writes = tables.flatMap(({ names, table, values }) => [
    `insert into ${table} (${names.join(", ")}) values (${values.join(", ")})`,
    `update ${table} set ${names.map((name) => `${name} = ${name}`).join(", ")}`
  ])
  await onServer(writes.join("; "), url)
  const reads = tables.map(({ names, table }) =>
    `select '${table} ' || row_to_json(old)::text as row from (select ${names.join(", ")} from ${table}) as old`
  )
  return (await onServer<{ readonly row: string }>(reads.join(" union all "), url)).map(({ row }) => row)
}

/** Adds a column to every table of a database, as newer software might. */
export const addColumns = async (url: string): Promise<void> => {
  const tables = new Set((await schemaOf(url)).columns.map(({ table }) => table))
  const statements = [...tables].map((table) => `alter table ${table} add column added text not null default 'later'`)
  await onServer(statements.join("; "), url)
}
