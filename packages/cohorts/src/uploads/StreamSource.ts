import { Invalid, type Issue, issueLimit } from "@trunkline/errors"
import { macroTask, ResourceName } from "@trunkline/kernel"
import { Array, Either, Schema, Stream } from "effect"
import { CohortCategory, OverrideName } from "../Cohort.js"
import type { OwnerTerms } from "../CohortOwners.js"
import { csvLimits } from "../csv/CsvReader.js"
import { csvLine } from "../csv/RejectedCsv.js"

/** The users that one request may hold (shapes 11). */
export const streamUsers = { least: 1, most: 1000 } as const

/** One value of a person: no longer than a cell of a CSV may be. */
const Value = Schema.String.pipe(Schema.maxLength(csvLimits.field))

/** A variable's name, which becomes the name of a column. */
const VariableName = Schema.String.pipe(
  Schema.minLength(1),
  Schema.maxLength(256),
  Schema.filter((name) =>
    name === name.trim().normalize("NFC") || "Should have no space around it, and be in Unicode NFC"
  )
)

/** One person to call (shapes 13). */
export const StreamedUser = Schema.Struct({
  /** As people write it: read as a cell of a CSV is. */
  user_phone_number: Value,
  user_identifier: Schema.optional(Value),
  app_variables: Schema.optionalWith(Schema.Record({ key: VariableName, value: Value }), { default: () => ({}) }),
  app_overrides: Schema.optionalWith(Schema.partial(Schema.Record({ key: OverrideName, value: Value })), {
    default: () => ({})
  })
})

/** The body that creates a cohort from the people themselves (shapes 13). `cohort_category` is an extension. */
export const CohortStream = Schema.Struct({
  name: ResourceName,
  users: Schema.Array(StreamedUser).pipe(
    Schema.minItems(streamUsers.least),
    Schema.maxItems(streamUsers.most)
  ),
  cohort_category: Schema.optionalWith(CohortCategory, { default: () => "cohort" as const })
})
export type CohortStream = typeof CohortStream.Type

/** The files of a cohort that was made of people: what an upload of the same people would have been. */
export interface RenderedFiles {
  readonly csv: Stream.Stream<Uint8Array>
  readonly transformation: Stream.Stream<Uint8Array>
}

const undeclared = ({ users }: CohortStream, declared: ReadonlySet<string>): ReadonlyArray<Issue> =>
  users.flatMap(({ app_variables }, index) =>
    Object.keys(app_variables).filter((name) => !declared.has(name)).map((name): Issue => ({
      loc: ["body", "users", index, "app_variables", name],
      msg: "The agent has no variable of this name",
      type: "value_error"
    }))
  )

const cannotHold = (columns: number): Issue => ({
  loc: ["body", "users"],
  msg: `Should name at most ${csvLimits.columns} variables and overrides altogether, not ${columns}`,
  type: "value_error"
})

/** A column, and what stands in it for a user. */
interface RenderedColumn {
  readonly name: string
  readonly cell: (user: CohortStream["users"][number]) => string
}

/** People who are written at a time; the event loop runs in between. */
const writtenAtOnce = 50

const text = (content: string) => Stream.succeed(new TextEncoder().encode(content))

const written = (columns: ReadonlyArray<RenderedColumn>, users: CohortStream["users"]): Stream.Stream<Uint8Array> =>
  Stream.concat(
    text(csvLine(columns.map(({ name }) => name))),
    Stream.flatMap(Stream.fromIterable(Array.chunksOf(users, writtenAtOnce)), (some) =>
      Stream.zipRight(
        Stream.fromEffect(macroTask),
        text(some.map((user) => csvLine(columns.map(({ cell }) => cell(user)))).join(""))
      ))
  )

/** Writes the people as a CSV, with the transformation that reads it; fails unless the agent knows their variables. */
export const renderStream = (
  body: CohortStream,
  { declaredVariables }: Pick<OwnerTerms, "declaredVariables">
): Either.Either<RenderedFiles, Invalid> => {
  const variables = [...new Set(body.users.flatMap(({ app_variables }) => Object.keys(app_variables)))]
  const overrides = OverrideName.literals.filter((name) =>
    body.users.some(({ app_overrides }) => app_overrides[name] !== undefined)
  )
  const identifier: RenderedColumn = {
    name: "user_identifier",
    cell: ({ user_identifier }) => user_identifier ?? ""
  }
  const identified = body.users.some(({ user_identifier }) => user_identifier !== undefined)
  const columns: ReadonlyArray<RenderedColumn> = [
    { name: "user_phone_number", cell: ({ user_phone_number }) => user_phone_number },
    ...(identified ? [identifier] : []),
    ...variables.map((name) => ({
      name: `app_variables.${name}`,
      cell: ({ app_variables }: CohortStream["users"][number]) =>
        Object.hasOwn(app_variables, name) ? app_variables[name] ?? "" : ""
    })),
    ...overrides.map((name) => ({
      name: `app_overrides.${name}`,
      cell: ({ app_overrides }: CohortStream["users"][number]) => app_overrides[name] ?? ""
    }))
  ]
  const issues = [
    ...(declaredVariables === null ? [] : undeclared(body, new Set(declaredVariables))),
    ...(columns.length > csvLimits.columns ? [cannotHold(columns.length)] : [])
  ].slice(0, issueLimit)
  if (Array.isNonEmptyArray(issues)) return Either.left(new Invalid({ issues }))
  const mapped = (group: string, names: ReadonlyArray<string>) =>
    Object.fromEntries(names.map((name) => [name, { column_name: `${group}.${name}` }]))
  return Either.right({
    csv: written(columns, body.users),
    transformation: text(JSON.stringify({
      phone_number: { column_name: "user_phone_number" },
      ...(identified ? { user_identifier: { column_name: "user_identifier" } } : {}),
      app_variables: mapped("app_variables", variables),
      app_overrides: mapped("app_overrides", overrides)
    }))
  })
}
