import { Invalid, type Issue, issuesOf } from "@trunkline/errors"
import { isPhoneCountry } from "@trunkline/kernel"
import { Array, Either, Schema } from "effect"
import { OverrideName } from "../Cohort.js"
import { Transform } from "./Transforms.js"

/** Where one value of a person comes from: a column, by its exact header, and what is done to its cells (shapes 4.3). */
export const ColumnMap = Schema.Struct({
  column_name: Schema.String.pipe(Schema.minLength(1)),
  /** An empty cell rejects the row. */
  required: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  /** Stands in for an empty cell. */
  default: Schema.optional(Schema.String),
  /** Applied from left to right; a cell that is empty stays so. */
  transforms: Schema.optionalWith(Schema.Array(Transform).pipe(Schema.maxItems(16)), { default: () => [] })
})
export type ColumnMap = typeof ColumnMap.Type

const CountryCode = Schema.String.pipe(
  Schema.filter(isPhoneCountry, { message: () => "Should be a country code of two capitals, such as IN" })
)

const isOverrideName = Schema.is(OverrideName)

const Overrides = Schema.Record({ key: Schema.String, value: ColumnMap }).pipe(
  Schema.filter((overrides) =>
    Object.keys(overrides)
      .filter((key) => !isOverrideName(key))
      .map((key) => ({ path: [key], message: `Should be one of ${OverrideName.literals.join(", ")}` }))
  )
)

/** How the columns of a cohort's CSV become people to call: the JSON of shapes 4.3. */
export const Transformation = Schema.Struct({
  phone_number: Schema.Struct({
    ...ColumnMap.fields,
    /** The country of numbers that are written without one: ISO 3166 alpha-2. */
    country_code: Schema.optionalWith(CountryCode, { default: () => "IN" as const })
  }),
  /** Without it, a person's identifier is the phone number. */
  user_identifier: Schema.optional(ColumnMap),
  app_variables: Schema.optionalWith(Schema.Record({ key: Schema.String, value: ColumnMap }), { default: () => ({}) }),
  app_overrides: Schema.optionalWith(Overrides, { default: () => ({}) })
})
export type Transformation = typeof Transformation.Type

/** The place of a key of the transformation file in a request. */
export const transformationLoc = (
  ...keys: Issue["loc"]
): Issue["loc"] => ["body", "cohort_transformation_file", ...keys]

const readJson = (bytes: Uint8Array): Either.Either<unknown, Invalid> =>
  Either.try({
    try: (): unknown => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)),
    catch: () => Invalid.at(transformationLoc(), "json_invalid", "Should be JSON in UTF-8")
  })

const decode = Schema.decodeUnknownEither(Transformation, { errors: "all" })

const fits = (json: unknown): Either.Either<Transformation, Invalid> =>
  Either.mapLeft(decode(json), (error) =>
    new Invalid({
      issues: Array.map(issuesOf(error, "body"), ({ loc: [, ...keys], ...issue }) => ({
        ...issue,
        loc: transformationLoc(...keys)
      }))
    }))

const undeclared = (declared: ReadonlyArray<string>) => (transformation: Transformation) =>
  Array.match(Object.keys(transformation.app_variables).filter((variable) => !declared.includes(variable)), {
    onEmpty: () => Either.right(transformation),
    onNonEmpty: (variables) =>
      Either.left(
        new Invalid({
          issues: Array.map(variables, (variable): Issue => ({
            loc: transformationLoc("app_variables", variable),
            msg: "The agent has no variable of this name",
            type: "value_error"
          }))
        })
      )
  })

/**
 * Reads a transformation file. Every place that does not fit shapes 4.3 is an issue, and so is every variable that is
 * not among `declaredVariables`; null when the agent cannot list its variables.
 */
export const parseTransformation = (
  bytes: Uint8Array,
  declaredVariables: ReadonlyArray<string> | null
): Either.Either<Transformation, Invalid> =>
  readJson(bytes).pipe(
    Either.flatMap(fits),
    Either.flatMap(declaredVariables === null ? Either.right : undeclared(declaredVariables))
  )
