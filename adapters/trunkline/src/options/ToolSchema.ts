/** Result of reading a value with a schema: the value as the schema has it, or why it does not fit. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<SchemaIssue> }

/** Reason for which a value does not fit a schema, and its place. */
export interface SchemaIssue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

/** A schema of zod, Valibot, ArkType or any other library with the Standard Schema interface (https://standardschema.dev). */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    /** The Standard JSON Schema interface, which not every library has. */
    readonly jsonSchema?: { readonly input: (options: { readonly target: string }) => Record<string, unknown> }
  }
}

/** The type of the values that a schema reads. */
export type OutputOf<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>["output"]

/** True for a schema with the Standard Schema interface. Some libraries have functions as schemas. */
export const isStandardSchema = (value: unknown): value is StandardSchema =>
  ((typeof value === "object" && value !== null) || typeof value === "function") && "~standard" in value

type JsonSchema = Readonly<Record<string, unknown>>

/** The JSON Schema of a schema for the arguments of a tool; a text where there is none, which says why. */
export const jsonSchemaOf = ({ "~standard": { jsonSchema, vendor } }: StandardSchema): JsonSchema | string => {
  if (jsonSchema === undefined) {
    return `this version of ${vendor} does not write JSON Schema: give it as jsonSchema beside parameters`
  }
  try {
    const { $schema: _, ...written } = jsonSchema.input({ target: "draft-2020-12" })
    const { type = "object" } = written
    return type === "object" ? written : "the arguments of a tool are an object"
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return `${vendor} cannot write it as JSON Schema (${reason}): give it as jsonSchema beside parameters`
  }
}

const pathOf = ({ path = [] }: SchemaIssue): string =>
  path.map((part) => String(typeof part === "object" ? part.key : part)).join(".")

/** Arguments do not fit the schema of a tool. */
export class WrongArguments extends Error {}

/** Reads arguments with a schema. Rejects with `WrongArguments` for the model, which names every wrong argument. */
export const readArguments = async (schema: StandardSchema, input: unknown): Promise<unknown> => {
  const result = await schema["~standard"].validate(input)
  if (result.issues === undefined) return result.value
  const issues = result.issues.map((issue) => [pathOf(issue), issue.message].filter((part) => part !== "").join(": "))
  throw new WrongArguments(`The arguments are wrong: ${issues.join("; ")}`)
}
