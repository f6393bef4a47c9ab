import { Invalid, type Issue, issueLimit, issuesOf } from "@trunkline/errors"
import { isPhoneCountry } from "@trunkline/kernel"
import { Array, Either, JSONSchema, Option, Predicate, Schema } from "effect"
import { OverrideName } from "../Cohort.js"
import { csvLimits } from "../csv/CsvReader.js"
import { formPlaces, urlPlaces } from "./Places.js"
import { Transform } from "./Transforms.js"

/** The most that a transformation may hold; lengths are in characters. */
export const transformationLimits = {
  /** Mapped columns altogether: as many as a file may have. */
  columns: csvLimits.columns,
  transforms: 16,
  variableName: 256,
  columnName: 1000,
  default: csvLimits.field
} as const

/** The number of items is looked at before the items are. */
const Transforms = Schema.compose(
  Schema.Array(Schema.Unknown).pipe(Schema.maxItems(transformationLimits.transforms)),
  Schema.Array(Transform),
  { strict: false }
).annotations({
  jsonSchema: {
    type: "array",
    items: JSONSchema.fromAST(Transform.ast, {
      definitions: {},
      target: "openApi3.1",
      additionalPropertiesStrategy: "allow"
    }),
    maxItems: transformationLimits.transforms
  }
})

/** Where one value of a person comes from: a column, by its exact header, and what is done to its cells (shapes 4.3). */
export const ColumnMap = Schema.Struct({
  column_name: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(transformationLimits.columnName)),
  /** A value that comes out empty rejects the row. */
  required: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  /** Stands in for an empty cell. */
  default: Schema.optional(Schema.String.pipe(Schema.maxLength(transformationLimits.default))),
  /** Applied from left to right; a cell that is empty stays so. */
  transforms: Schema.optionalWith(Transforms, { default: () => [] })
})
export type ColumnMap = typeof ColumnMap.Type

const CountryCode = Schema.String.pipe(
  Schema.filter(isPhoneCountry, { message: () => "Should be a country code of two capitals, such as IN" })
)

/** How the columns of a cohort's CSV become people to call: the JSON of shapes 4.3. Keys that are not named here are ignored. */
export const Transformation = Schema.Struct({
  phone_number: Schema.Struct({
    ...ColumnMap.fields,
    /** Always true, whatever is written. */
    required: Schema.optionalToRequired(Schema.Boolean, Schema.Literal(true), {
      decode: () => true as const,
      encode: Option.some
    }),
    /** The country of numbers that are written without one: ISO 3166 alpha-2. */
    country_code: Schema.optionalWith(CountryCode, { default: () => "IN" as const })
  }),
  /** Without it, a person's identifier is the phone number. */
  user_identifier: Schema.optional(ColumnMap),
  app_variables: Schema.optionalWith(Schema.Record({ key: Schema.String, value: ColumnMap }), { default: () => ({}) }),
  app_overrides: Schema.optionalWith(Schema.partial(Schema.Record({ key: OverrideName, value: ColumnMap })), {
    default: () => ({})
  })
})
export type Transformation = typeof Transformation.Type

const keysOf = (json: unknown, group: string): ReadonlyArray<string> =>
  Predicate.hasProperty(json, group) && Predicate.isRecord(json[group]) ? Object.keys(json[group]) : []

const isOverrideName = Schema.is(OverrideName)

/** `__proto__` is the one name that an object cannot hold a value under like any other. */
const isVariableName = (name: string): boolean =>
  name !== "" && name.length <= transformationLimits.variableName && name !== "__proto__"

/** What is wrong with the names that values are given, which no schema of values looks at. */
const nameIssues = (json: unknown, root: Issue["loc"]): ReadonlyArray<Issue> => [
  ...keysOf(json, "app_variables").filter((name) => !isVariableName(name)).map((name): Issue => ({
    loc: [...root, "app_variables", name.slice(0, transformationLimits.variableName)],
    msg: `A variable's name should have 1 to ${transformationLimits.variableName} characters, and not be __proto__`,
    type: "value_error"
  })),
  ...keysOf(json, "app_overrides").filter((name) => !isOverrideName(name)).map((name): Issue => ({
    loc: [...root, "app_overrides", name.slice(0, transformationLimits.variableName)],
    msg: `Should be one of ${OverrideName.literals.join(", ")}`,
    type: "value_error"
  }))
]

const decode = Schema.decodeUnknownEither(Transformation, { errors: "all" })

const fits = (json: unknown, root: Issue["loc"]): Either.Either<Transformation, Array.NonEmptyReadonlyArray<Issue>> =>
  Either.mapLeft(
    decode(json),
    (error) =>
      Array.map(issuesOf(error, "body"), ({ loc: [, ...keys], ...issue }) => ({ ...issue, loc: [...root, ...keys] }))
  )

const undeclared = (
  { app_variables }: Transformation,
  declared: ReadonlyArray<string> | null,
  root: Issue["loc"]
): ReadonlyArray<Issue> =>
  Object.keys(app_variables).filter((variable) => declared?.includes(variable) === false).map((variable) => ({
    loc: [...root, "app_variables", variable],
    msg: "The agent has no variable of this name",
    type: "value_error"
  }))

const refusal = ([first, ...rest]: Array.NonEmptyReadonlyArray<Issue>) =>
  Either.left(new Invalid({ issues: [first, ...rest.slice(0, issueLimit - 1)] }))

/**
 * Reads a transformation that stands in a JSON body, at `root`. Every place that does not fit shapes 4.3 is an issue,
 * and so is every variable that is not among `declaredVariables`; null when the agent cannot list its variables.
 */
export const decodeTransformation = (
  json: unknown,
  declaredVariables: ReadonlyArray<string> | null,
  root: Issue["loc"] = urlPlaces.transformation
): Either.Either<Transformation, Invalid> => {
  const alone = Predicate.hasProperty(json, "user_identifier") ? 2 : 1
  const mapped = alone + keysOf(json, "app_variables").length + keysOf(json, "app_overrides").length
  if (mapped > transformationLimits.columns) {
    const msg = `Should map at most ${transformationLimits.columns} columns`
    return Either.left(Invalid.at([...root, "app_variables"], "too_long", msg))
  }
  const names = nameIssues(json, root)
  return Either.match(fits(json, root), {
    onLeft: (issues) => refusal([...issues, ...names]),
    onRight: (transformation) =>
      Array.match([...names, ...undeclared(transformation, declaredVariables, root)], {
        onEmpty: () => Either.right(transformation),
        onNonEmpty: refusal
      })
  })
}

/** Reads a transformation file, as `decodeTransformation` does. */
export const parseTransformation = (
  bytes: Uint8Array,
  declaredVariables: ReadonlyArray<string> | null
): Either.Either<Transformation, Invalid> =>
  Either.try({
    try: (): unknown => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)),
    catch: () => Invalid.at(formPlaces.transformation, "json_invalid", "Should be JSON in UTF-8")
  }).pipe(
    Either.flatMap((json) => decodeTransformation(json, declaredVariables, formPlaces.transformation))
  )
