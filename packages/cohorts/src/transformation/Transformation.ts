import { Invalid, type Issue, issuesOf, joinIssues, unknownFields } from "@trunkline/errors"
import { isPhoneCountry } from "@trunkline/kernel"
import { Array, Either, JSONSchema, Option, Predicate, Schema } from "effect"
import { OverrideName } from "../Cohort.js"
import { csvLimits } from "../csv/Csv.js"
import { formLocations, urlLocations } from "./IssueLocations.js"
import { overrideFault } from "./OverrideFault.js"
import { textTransform, Transform } from "./Transforms.js"

/** Limits of a transformation; lengths are in characters. */
export const transformationLimits = {
  /** Most mapped columns: as many as a file may have. */
  columns: csvLimits.columns,
  transforms: 16,
  variableName: 256,
  columnName: 1000,
  default: csvLimits.field
} as const

/** Checks the number of items before the items. */
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
      additionalPropertiesStrategy: "strict"
    }),
    maxItems: transformationLimits.transforms
  }
})

/** Source of one value of a user: a column, by its exact header, and the transforms of its cells. */
export const ColumnMap = Schema.Struct({
  column_name: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(transformationLimits.columnName)),
  /** Rejects rows whose value is empty. */
  required: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  /** Replaces an empty cell. */
  default: Schema.optional(Schema.String.pipe(Schema.maxLength(transformationLimits.default))),
  /** Applied from left to right; an empty cell stays empty. */
  transforms: Schema.optionalWith(Transforms, { default: () => [] })
})
export type ColumnMap = typeof ColumnMap.Type

const CountryCode = Schema.String.pipe(
  Schema.filter(isPhoneCountry, { message: () => "Should be a country code of two capitals, such as IN" })
)

/** Mapping from the columns of a cohort's CSV to users. Unknown keys are rejected. */
export const Transformation = Schema.Struct({
  phone_number: Schema.Struct({
    ...ColumnMap.fields,
    /** Always true; any other value is ignored. */
    required: Schema.optionalToRequired(Schema.Boolean, Schema.Literal(true), {
      decode: () => true as const,
      encode: Option.some
    }),
    /** Country of numbers without a country code, in ISO 3166-1 alpha-2. */
    country_code: Schema.optionalWith(CountryCode, { default: () => "IN" as const })
  }),
  /** The phone number is the identifier if this is absent. */
  user_identifier: Schema.optional(ColumnMap),
  app_variables: Schema.optionalWith(Schema.Record({ key: Schema.String, value: ColumnMap }), { default: () => ({}) }),
  app_overrides: Schema.optionalWith(Schema.partial(Schema.Record({ key: OverrideName, value: ColumnMap })), {
    default: () => ({})
  })
})
export type Transformation = typeof Transformation.Type

const keysOf = (json: unknown, group: string): ReadonlyArray<string> =>
  Predicate.hasProperty(json, group) && Predicate.isRecord(json[group]) ? Object.keys(json[group]) : []

/** Rejects `__proto__`, the one name under which an object cannot hold an ordinary value. */
const isVariableName = (name: string): boolean =>
  name !== "" && name.length <= transformationLimits.variableName && name !== "__proto__"

/** Issues of the names of variables, which the schema does not check. */
const nameIssues = (json: unknown, root: Issue["loc"]): ReadonlyArray<Issue> =>
  keysOf(json, "app_variables").filter((name) => !isVariableName(name)).map((name): Issue => ({
    loc: [...root, "app_variables", name.slice(0, transformationLimits.variableName)],
    msg: `A variable's name should have 1 to ${transformationLimits.variableName} characters, and not be __proto__`,
    type: "value_error"
  }))

const unknownKeys = unknownFields(Transformation)

const decode = Schema.decodeUnknownEither(Transformation, { errors: "all" })

const decodeAt = (
  json: unknown,
  root: Issue["loc"]
): Either.Either<Transformation, Array.NonEmptyReadonlyArray<Issue>> =>
  Either.mapLeft(
    decode(json),
    (error) =>
      Array.map(issuesOf(error, "body"), ({ loc: [, ...keys], ...issue }) => ({ ...issue, loc: [...root, ...keys] }))
  )

const undeclaredIssues = (
  { app_variables }: Transformation,
  declaredNames: ReadonlyArray<string> | null,
  root: Issue["loc"]
): ReadonlyArray<Issue> =>
  Object.keys(app_variables).filter((variable) => declaredNames?.includes(variable) === false).map((variable) => ({
    loc: [...root, "app_variables", variable],
    msg: "The agent has no variable of this name",
    type: "value_error"
  }))

/** Issues of defaults that no call can use, once their transforms have read them. */
const defaultIssues = ({ app_overrides }: Transformation, root: Issue["loc"]): ReadonlyArray<Issue> =>
  OverrideName.literals.flatMap((name) => {
    const { default: text = "", transforms = [] } = app_overrides[name] ?? {}
    const read = transforms.reduce(
      (value, transform) => Option.flatMap(value, (text) => text === "" ? value : textTransform(transform)(text)),
      Option.some(text)
    )
    const msg = Option.match(read, {
      onNone: () => "The transforms cannot read it",
      onSome: (value) => overrideFault(name, value)
    })
    return msg === undefined
      ? []
      : [{ loc: [...root, "app_overrides", name, "default"], msg, type: "value_error" as const }]
  })

const toInvalid = (issues: Array.NonEmptyReadonlyArray<Issue>) =>
  Either.left(new Invalid({ issues: joinIssues(issues) }))

/** Place of a transformation, and the checks that depend on it. */
interface TransformationPlace {
  /** Names of variables that may be mapped; null for any. */
  readonly declaredVariables: ReadonlyArray<string> | null
  readonly root: Issue["loc"]
  /** True when unknown keys are ignored, as they were when older cohorts were accepted. */
  readonly isStored: boolean
}

const decodePlaced = (
  json: unknown,
  { declaredVariables, isStored, root }: TransformationPlace
): Either.Either<Transformation, Invalid> => {
  const fixedColumns = Predicate.hasProperty(json, "user_identifier") ? 2 : 1
  const columnCount = fixedColumns + keysOf(json, "app_variables").length + keysOf(json, "app_overrides").length
  if (columnCount > transformationLimits.columns) {
    const msg = `Should map at most ${transformationLimits.columns} columns`
    return Either.left(Invalid.at([...root, "app_variables"], "too_long", msg))
  }
  const names = [...nameIssues(json, root), ...isStored ? [] : unknownKeys(json, root)]
  return Either.match(decodeAt(json, root), {
    onLeft: ([first, ...issues]) => toInvalid([first, ...issues, ...names]),
    onRight: (transformation) =>
      Array.match([
        ...names,
        ...undeclaredIssues(transformation, declaredVariables, root),
        ...isStored ? [] : defaultIssues(transformation, root)
      ], {
        onEmpty: () => Either.right(transformation),
        onNonEmpty: toInvalid
      })
  })
}

/**
 * Decodes a transformation in a JSON body. Fails with an issue for every unknown key and every invalid value, and for every
 * variable that is not in `declaredVariables`; null skips that check.
 */
export const decodeTransformation = (
  json: unknown,
  declaredVariables: ReadonlyArray<string> | null
): Either.Either<Transformation, Invalid> =>
  decodePlaced(json, { declaredVariables, root: urlLocations.transformation, isStored: false })

const parsePlaced = (bytes: Uint8Array, place: TransformationPlace): Either.Either<Transformation, Invalid> =>
  Either.try({
    try: (): unknown => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)),
    catch: () => Invalid.at(place.root, "json_invalid", "Should be JSON in UTF-8")
  }).pipe(Either.flatMap((json) => decodePlaced(json, place)))

/**
 * Parses a transformation file in JSON. Fails with an issue for every unknown key and every invalid value, and for every
 * variable that is not in `declaredVariables`; null skips that check.
 *
 * @example
 * ```ts
 * const json = new TextEncoder().encode(`{ "phone_number": { "column_name": "mobile" } }`)
 * const transformation = parseTransformation(json, null)
 * ```
 */
export const parseTransformation = (
  bytes: Uint8Array,
  declaredVariables: ReadonlyArray<string> | null
): Either.Either<Transformation, Invalid> =>
  parsePlaced(bytes, { declaredVariables, root: formLocations.transformation, isStored: false })

/** Parses the transformation file of a cohort that was accepted before, perhaps when unknown keys were still ignored. */
export const parseStoredTransformation = (
  bytes: Uint8Array,
  declaredVariables: ReadonlyArray<string> | null
): Either.Either<Transformation, Invalid> =>
  parsePlaced(bytes, { declaredVariables, root: formLocations.transformation, isStored: true })
