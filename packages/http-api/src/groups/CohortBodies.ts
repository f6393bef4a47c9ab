import { HttpApiSchema } from "@effect/platform"
import {
  CohortCategory,
  CohortFromUrl,
  cohortLimits,
  CohortStream,
  csvLimits,
  OverrideName,
  StreamedUser,
  streamUsers,
  Transformation
} from "@trunkline/cohorts"
import { inPieces, ResourceName } from "@trunkline/kernel"
import { JSONSchema, Predicate, Schema } from "effect"
import type { BodySize } from "../RouteAnnotations.js"

const File = Schema.Unknown.annotations({ jsonSchema: { type: "string", format: "binary" } })

/** The form of an upload (specification, Cohorts; shapes 13). The domain reads it, part by part. */
export const UploadForm = HttpApiSchema.MultipartStream(Schema.Struct({
  name: ResourceName,
  cohort_file: File,
  cohort_transformation_file: File,
  cohort_category: Schema.optional(CohortCategory)
}))

/** A cohort's file, and what comes with it. */
export const largestForm: BodySize = { bytes: cohortLimits.bytes + 2_097_152, values: 0 }

/** What a schema takes, for another schema that reads the same in its own way. */
const described = ({ ast }: Schema.Schema.Any) =>
  JSONSchema.fromAST(ast, { definitions: {}, target: "openApi3.1", additionalPropertiesStrategy: "allow" })

/** The body that names a URL (shapes 4.5). Its transformation becomes a file, and is left as it was sent. */
export const FromUrl = Schema.Struct({
  ...CohortFromUrl.fields,
  cohort_transformation: Schema.Object.annotations({ jsonSchema: described(Transformation) })
})

/** As many values as the largest transformation has: 512 columns of 16 transforms. */
export const largestFromUrl: BodySize = { bytes: 1_048_576, values: 50_000 }

const keysOf = (user: unknown, group: string): ReadonlyArray<string> =>
  Predicate.hasProperty(user, group) && Predicate.isObject(user[group]) ? Object.keys(user[group]) : []

const isOverrideName = Schema.is(OverrideName)

const overrideNames = `Should be one of ${OverrideName.literals.join(", ")}`

/**
 * What is wrong with the names of a person's values. They are looked at first: there could be a hundred thousand, those
 * of overrides that are none would be ignored, and `__proto__` is the one name under which an object keeps no text.
 */
const wrongNames = (user: unknown): ReadonlyArray<Schema.FilterIssue> => {
  const variables = keysOf(user, "app_variables")
  const overrides = keysOf(user, "app_overrides")
  const most = csvLimits.columns
  if (variables.length > most) return [{ path: ["app_variables"], message: `Must have at most ${most} values` }]
  if (overrides.length > most) return [{ path: ["app_overrides"], message: overrideNames }]
  return [
    ...variables.filter((name) => name === "__proto__").map((name) => ({
      path: ["app_variables", name],
      message: "A variable cannot have this name"
    })),
    ...overrides.filter((name) => !isOverrideName(name)).map((name) => ({
      path: ["app_overrides", name],
      message: overrideNames
    }))
  ]
}

const Person = Schema.compose(Schema.Unknown.pipe(Schema.filter(wrongNames)), StreamedUser, { strict: false })

/** The people that one request may hold (shapes 11). */
const People = Schema.Array(Schema.Unknown).pipe(Schema.minItems(streamUsers.least), Schema.maxItems(streamUsers.most))

/** The body that holds the people themselves (shapes 13). */
export const OfPeople = Schema.Struct({
  ...CohortStream.fields,
  users: inPieces(People, Person, { jsonSchema: described(CohortStream.fields.users) })
})

/** A thousand people, each with fifty variables of two hundred characters, or almost a hundred shorter ones. */
export const largestStream: BodySize = { bytes: 10_485_760, values: 100_000 }
