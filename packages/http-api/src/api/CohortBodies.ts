import { HttpApiSchema } from "@effect/platform"
import {
  CohortCategory,
  CohortFromUrl,
  cohortLimits,
  CohortStream,
  csvLimits,
  StreamedUser,
  streamUsers,
  Transformation
} from "@trunkline/cohorts"
import { ReadAsAnnotation } from "@trunkline/errors"
import { chunkedArray, ResourceName } from "@trunkline/kernel"
import { JSONSchema, Predicate, Schema } from "effect"
import type { BodySize } from "./RouteDeclaration.js"

const File = Schema.Unknown.annotations({ jsonSchema: { type: "string", format: "binary" } })

/** Form that uploads a cohort. The cohorts package parses it part by part. */
export const UploadForm = HttpApiSchema.MultipartStream(Schema.Struct({
  name: ResourceName,
  cohort_file: File,
  cohort_transformation_file: File,
  cohort_category: Schema.optional(CohortCategory)
}))

/** Largest upload: the file of a cohort, its transformation, and the overhead of the form. */
export const formLimit: BodySize = { bytes: cohortLimits.bytes + 2_097_152, values: 0 }

/** JSON schema of a schema, to describe another one that decodes the same input in a different way. */
const jsonSchemaOf = ({ ast }: Schema.Schema.Any) =>
  JSONSchema.fromAST(ast, { definitions: {}, target: "openApi3.1", additionalPropertiesStrategy: "strict" })

/** Body that names a URL. Its transformation is stored as it was sent, so only its unknown keys are found here. */
export const FromUrlBody = Schema.Struct({
  ...CohortFromUrl.fields,
  cohort_transformation: Schema.Object.annotations({
    jsonSchema: jsonSchemaOf(Transformation),
    [ReadAsAnnotation]: Transformation.ast
  })
})

/** Allows the largest transformation: 512 columns with 16 transforms each. */
export const fromUrlLimit: BodySize = { bytes: 1_048_576, values: 50_000 }

/**
 * Checks the names of a contact's variables before they are decoded: there could be a hundred thousand of them, and an
 * object cannot hold a string under `__proto__`.
 */
const nameIssues = (user: unknown): ReadonlyArray<Schema.FilterIssue> => {
  const value = Predicate.hasProperty(user, "app_variables") ? user.app_variables : undefined
  const variables = Predicate.isObject(value) ? Object.keys(value) : []
  const max = csvLimits.columns
  if (variables.length > max) return [{ path: ["app_variables"], message: `Must have at most ${max} values` }]
  return variables.filter((name) => name === "__proto__").map((name) => ({
    path: ["app_variables", name],
    message: "A variable cannot have this name"
  }))
}

const Contact = Schema.compose(Schema.Unknown.pipe(Schema.filter(nameIssues)), StreamedUser, { strict: false })

/** Bounds of the number of contacts in one request. */
const Contacts = Schema.Array(Schema.Unknown).pipe(
  Schema.minItems(streamUsers.min),
  Schema.maxItems(streamUsers.max)
)

/** Body that lists the contacts themselves. */
export const ContactsBody = Schema.Struct({
  ...CohortStream.fields,
  users: chunkedArray(Contacts, Contact, { jsonSchema: jsonSchemaOf(CohortStream.fields.users) })
})

/** Allows a thousand contacts with fifty variables of 200 characters each, or almost a hundred shorter ones. */
export const contactsLimit: BodySize = { bytes: 10_485_760, values: 100_000 }
