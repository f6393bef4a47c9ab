import { Invalid, type Issue, issueLimit } from "@trunkline/errors"
import { macroTask } from "@trunkline/kernel"
import { Array, Either, Stream } from "effect"
import { OverrideName } from "../Cohort.js"
import type { OwnerTerms } from "../CohortOwners.js"
import { csvLimits } from "../csv/Csv.js"
import { csvLine } from "../csv/FastCsv.js"
import { largestPerson } from "../rows/RowCheck.js"
import { transformationLimits } from "../transformation/Transformation.js"
import type { CohortStream } from "./CohortStream.js"

/** The files of a cohort that was made of people: what an upload of the same people would have been. */
export interface RenderedFiles {
  readonly csv: Stream.Stream<Uint8Array>
  readonly transformation: Stream.Stream<Uint8Array>
}

type User = CohortStream["users"][number]

/** The longest name of a variable, in characters, as in a transformation. */
const longestName = transformationLimits.variableName

/** What is wrong with a variable's name, which becomes the name of a column; nothing, when it is null. */
const nameIssue = (name: string, declared: ReadonlySet<string> | null): string | null =>
  name === "" || name.length > longestName || name.includes("\0") || name !== name.trim().normalize("NFC")
    ? `Should have 1 to ${longestName} characters in Unicode NFC, without NUL and without space around them`
    : declared?.has(name) === false
    ? "The agent has no variable of this name"
    : null

/** What is wrong with a person, beyond the form: then a file could not hold them, or the agent not take them. */
const userIssues = (user: User, index: number, declared: ReadonlySet<string> | null): ReadonlyArray<Issue> => {
  const { app_overrides, app_variables, user_identifier = "", user_phone_number } = user
  const issueAt = (msg: string, ...keys: ReadonlyArray<string>): Issue => ({
    loc: ["body", "users", index, ...keys],
    msg,
    type: "value_error"
  })
  const values = [user_identifier, ...Object.values(app_variables), ...Object.values(app_overrides)]
  const characters = values.reduce((sum, value) => sum + (value?.length ?? 0), 0)
  return [
    ...Object.keys(app_variables).flatMap((name) => {
      const msg = nameIssue(name, declared)
      return msg === null ? [] : [issueAt(msg, "app_variables", name.slice(0, longestName))]
    }),
    ...([user_phone_number, ...values].some((value) => value?.includes("\0"))
      ? [issueAt("Should hold no NUL characters")]
      : []),
    ...(characters > largestPerson ? [issueAt(`Should have at most ${largestPerson} characters altogether`)] : [])
  ]
}

const cannotHold = (columns: number): Issue => ({
  loc: ["body", "users"],
  msg: `Should name at most ${csvLimits.columns} variables and overrides altogether, not ${columns}`,
  type: "value_error"
})

/** A column, and what stands in it for a user. */
interface RenderedColumn {
  readonly name: string
  readonly cell: (user: User) => string
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

/** The people as a CSV, with the transformation that reads it; fails unless the agent knows their variables. */
export const peopleFile = (
  body: CohortStream,
  { declaredVariables }: Pick<OwnerTerms, "declaredVariables">
): Either.Either<RenderedFiles, Invalid> => {
  const declared = declaredVariables === null ? null : new Set(declaredVariables)
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
      cell: ({ app_variables }: User) => Object.hasOwn(app_variables, name) ? app_variables[name] ?? "" : ""
    })),
    ...overrides.map((name) => ({
      name: `app_overrides.${name}`,
      cell: ({ app_overrides }: User) => app_overrides[name] ?? ""
    }))
  ]
  const issues = [
    ...body.users.flatMap((user, index) => userIssues(user, index, declared)),
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
