import { Invalid, type Issue, maxIssues } from "@trunkline/errors"
import { macroTask, type Scope } from "@trunkline/kernel"
import { Array, Effect, Either, Stream } from "effect"
import { type CohortOwner, OverrideName } from "../Cohort.js"
import { CohortOwners, type OwnerTerms } from "../CohortOwners.js"
import { csvLimits } from "../csv/Csv.js"
import { csvHeader, csvLine } from "../csv/CsvWriter.js"
import { makeCohortFiles } from "../files/CohortFiles.js"
import { maxUserCharacters } from "../rows/RowCheck.js"
import { overrideFault } from "../transformation/OverrideFault.js"
import { transformationLimits } from "../transformation/Transformation.js"
import { makeAcceptCohort } from "./AcceptCohort.js"
import { categoryIssues, type CohortStream } from "./CohortBodies.js"

/** Files of a cohort of users in a request: those of an upload of the same users. */
interface RenderedFiles {
  readonly csv: Stream.Stream<Uint8Array>
  readonly transformation: Stream.Stream<Uint8Array>
}

type User = CohortStream["users"][number]

const maxNameLength = transformationLimits.variableName

/** The issue of a variable's name, which becomes the name of a column; null if it is valid. */
const nameIssue = (name: string, declaredNames: ReadonlySet<string> | null): string | null =>
  name === "" || name.length > maxNameLength || name.includes("\0") || name !== name.trim().normalize("NFC")
    ? `Should have 1 to ${maxNameLength} characters in Unicode NFC, without NUL and without space around them`
    : declaredNames?.has(name) === false
    ? "The agent has no variable of this name"
    : null

/** Issues of a user that the schema does not check: a file could not hold it, or the agent lacks its variables. */
const userIssues = (user: User, index: number, declaredNames: ReadonlySet<string> | null): ReadonlyArray<Issue> => {
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
      const msg = nameIssue(name, declaredNames)
      return msg === null ? [] : [issueAt(msg, "app_variables", name.slice(0, maxNameLength))]
    }),
    ...OverrideName.literals.flatMap((name) => {
      const msg = overrideFault(name, app_overrides[name] ?? "")
      return msg === undefined ? [] : [issueAt(msg, "app_overrides", name)]
    }),
    ...([user_phone_number, ...values].some((value) => value?.includes("\0"))
      ? [issueAt("Should hold no NUL characters")]
      : []),
    ...(characters > maxUserCharacters
      ? [issueAt(`Should have at most ${maxUserCharacters} characters altogether`)]
      : [])
  ]
}

const tooManyColumns = (columns: number): Issue => ({
  loc: ["body", "users"],
  msg: `Should name at most ${csvLimits.columns} variables and overrides altogether, not ${columns}`,
  type: "value_error"
})

/** A column of the rendered file. */
interface RenderedColumn {
  readonly name: string
  readonly cell: (user: User) => string
}

/** Users written at a time, with an event loop turn in between. */
const usersPerChunk = 50

const text = (content: string) => Stream.succeed(new TextEncoder().encode(content))

const renderCsv = (columns: ReadonlyArray<RenderedColumn>, users: CohortStream["users"]): Stream.Stream<Uint8Array> =>
  Stream.concat(
    text(csvHeader(columns.map(({ name }) => name))),
    Stream.flatMap(Stream.fromIterable(Array.chunksOf(users, usersPerChunk)), (chunk) =>
      Stream.zipRight(
        Stream.fromEffect(macroTask),
        text(chunk.map((user) => csvLine(columns.map(({ cell }) => cell(user)))).join(""))
      ))
  )

/** Renders users as a CSV, with the transformation for it. Fails with the issues of invalid users. */
const renderUserFiles = (
  body: CohortStream,
  { declaredVariables }: Pick<OwnerTerms, "declaredVariables">
): Either.Either<RenderedFiles, Invalid> => {
  const declaredNames = declaredVariables === null ? null : new Set(declaredVariables)
  const variables = [...new Set(body.users.flatMap(({ app_variables }) => Object.keys(app_variables)))]
  const overrides = OverrideName.literals.filter((name) =>
    body.users.some(({ app_overrides }) => app_overrides[name] !== undefined)
  )
  const identifier: RenderedColumn = {
    name: "user_identifier",
    cell: ({ user_identifier }) => user_identifier ?? ""
  }
  const hasIdentifiers = body.users.some(({ user_identifier }) => user_identifier !== undefined)
  const columns: ReadonlyArray<RenderedColumn> = [
    { name: "user_phone_number", cell: ({ user_phone_number }) => user_phone_number },
    ...(hasIdentifiers ? [identifier] : []),
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
    ...body.users.flatMap((user, index) => userIssues(user, index, declaredNames)),
    ...(columns.length > csvLimits.columns ? [tooManyColumns(columns.length)] : [])
  ].slice(0, maxIssues)
  if (Array.isNonEmptyArray(issues)) return Either.left(new Invalid({ issues }))
  const mappingOf = (group: string, names: ReadonlyArray<string>) =>
    Object.fromEntries(names.map((name) => [name, { column_name: `${group}.${name}` }]))
  return Either.right({
    csv: renderCsv(columns, body.users),
    transformation: text(JSON.stringify({
      phone_number: { column_name: "user_phone_number" },
      ...(hasIdentifiers ? { user_identifier: { column_name: "user_identifier" } } : {}),
      app_variables: mappingOf("app_variables", variables),
      app_overrides: mappingOf("app_overrides", overrides)
    }))
  })
}

/** Makes `Cohorts.stream`, which handles users in a request as if they had been uploaded as a CSV. */
export const makeStreamUpload = Effect.gen(function*() {
  const files = yield* makeCohortFiles
  const owners = yield* CohortOwners
  const accept = yield* makeAcceptCohort

  return Effect.fn("Cohorts.stream")(function*(
    scope: Scope,
    owner: CohortOwner,
    { body, createdBy }: { readonly body: CohortStream; readonly createdBy: string }
  ) {
    const terms = yield* owners.admit(scope, owner)
    const ownerIssues = categoryIssues(body.cohort_category, owner)
    if (Array.isNonEmptyReadonlyArray(ownerIssues)) return yield* new Invalid({ issues: ownerIssues })
    const { csv, transformation } = yield* renderUserFiles(body, terms)
    return yield* accept({ scope, owner, source_type: "stream", createdBy }, (id) =>
      Effect.as(
        Effect.zipRight(
          files.keep(id, "cohort", csv),
          files.keep(id, "cohort_transformation", transformation)
        ),
        { name: body.name, category: body.cohort_category, source_url: null, separator: null }
      ))
  })
})
