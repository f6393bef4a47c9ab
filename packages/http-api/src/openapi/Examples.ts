import type { OpenApi } from "@effect/platform"
import { Predicate, Record } from "effect"

type Json = Readonly<Record<string, unknown>>

const at = "2026-01-15T04:30:00Z"
const id = "0199f0a2-7c1e-7b3a-9d4f-2a6c5e8b1f00"

/** Values of fields by their names, where those that a schema alone suggests would tell nothing. */
const values: Readonly<Record<string, unknown>> = {
  agent_phone_number: "+911140000001",
  allowed_end_time: "19:00",
  allowed_start_time: "10:00",
  app_id: "collections",
  attempt_id: id,
  board_id: "board-000000000001",
  campaign_id: "camp-000000000001",
  channel_protocol: "sip",
  channel_provider: "simulator",
  channel_type: "v2v",
  cohort_id: "cohort-000000000001",
  connection_id: "line",
  content: "Hello",
  cron: "0 9 * * *",
  created_by: "desk",
  deployment_id: "deploy-000000000001",
  description: "Reminds people of payments that are due.",
  en_text: "Hello, this is a reminder.",
  failure_reason: null,
  file_url: "https://files.example.com/contacts.csv",
  indic_text: null,
  input: "Hello",
  interaction_id: id,
  key: "customer_name",
  label: "desk",
  language_name: "English",
  message: "Something is wrong with the request.",
  metadata: { reference: "A-17" },
  model: "core-105b",
  name: "Payment reminders",
  next_page_uri: null,
  org_id: "acme",
  phone_number: "+919876543210",
  phone_numbers: ["+911140000001"],
  prev_page_uri: null,
  provider: "simulator",
  request_id: `20260115_${id}`,
  secret: "whsec_Y2hvb3NlLWEtc2VjcmV0LW9mLTI0LWI=",
  sql: "SELECT count(*) AS calls FROM EngagementFactsBoardsView",
  text: "Hello, this is a reminder.",
  timezone: "Asia/Kolkata",
  url: "https://example.com/webhooks",
  user_contact_masked: "******3210",
  user_identifier: "customer-17",
  user_phone_number: "+919876543210",
  workspace_id: "main"
}

const texts: Readonly<Record<string, string>> = {
  "date-time": at,
  binary: "(bytes)",
  email: "desk@example.com",
  uri: "https://example.com"
}

const fits = (value: unknown, schema: Json, schemas: Json): boolean => {
  const type = schema["type"]
  const options = schema["anyOf"] ?? schema["oneOf"]
  if (Array.isArray(options)) {
    return options.some((option) => Predicate.isReadonlyRecord(option) && fits(value, option, schemas))
  }
  if (typeof schema["$ref"] === "string") {
    const target = schemas[schema["$ref"].split("/").at(-1) ?? ""]
    return Predicate.isReadonlyRecord(target) && fits(value, target, schemas)
  }
  if (Array.isArray(schema["enum"])) return schema["enum"].includes(value)
  if (typeof value === "string") {
    const pattern = schema["pattern"]
    const { format, maxLength = value.length, minLength = 0 } = schema
    return type === "string" && (typeof pattern !== "string" || new RegExp(pattern, "u").test(value)) &&
      (format === undefined || texts[String(format)] === undefined || format === "uri") &&
      value.length <= Number(maxLength) && value.length >= Number(minLength)
  }
  if (value === null) return type === "null"
  if (Array.isArray(value)) {
    return type === "array" && Predicate.isReadonlyRecord(schema["items"]) &&
      value.every((item) => fits(item, Object(schema["items"]), schemas))
  }
  return type === "object" && schema["additionalProperties"] !== false && schema["required"] === undefined
}

const numberOf = (schema: Json): number => {
  const { exclusiveMinimum, maximum, minimum } = schema
  const min = Number(minimum ?? 0)
  const choice = exclusiveMinimum === undefined
    ? Math.max(min, Math.min(1, Number(maximum ?? 1)))
    : Number(exclusiveMinimum) + 1
  return choice
}

const textOf = (schema: Json): string => {
  const { format, minLength = 0, pattern } = schema
  const example = texts[String(format)]
  if (example !== undefined) return example
  const tries = ["text", id, "0", "00:00", "+919876543210", "2026-01-15", "a".repeat(Number(minLength)), "{}"]
  return tries.find((text) => typeof pattern !== "string" || new RegExp(pattern, "u").test(text)) ?? "text"
}

/** True for a property that an example shows: a required one, and none that is deprecated. */
const isShown = (name: string, requiredNames: unknown): boolean =>
  Array.isArray(requiredNames) && requiredNames.includes(name)

/** An example of a schema, which is valid by it; undefined for one that is too deep in itself. */
const exampleOf = (schema: Json, schemas: Json, name = "", depth = 0): unknown => {
  const value = values[name]
  if (value !== undefined && fits(value, schema, schemas)) return value
  if (typeof schema["$ref"] === "string") {
    const target = schemas[schema["$ref"].split("/").at(-1) ?? ""]
    const { $ref: _, ...others } = schema
    return exampleOf({ ...Predicate.isReadonlyRecord(target) ? target : {}, ...others }, schemas, name, depth)
  }
  if ("const" in schema) return schema["const"]
  if (Array.isArray(schema["enum"])) return schema["enum"][0]
  const options = schema["anyOf"] ?? schema["oneOf"] ?? schema["allOf"]
  if (Array.isArray(options)) {
    const isDeep = depth > 6 && options.some((option) => Object(option).type === "null")
    return isDeep ? null : exampleOf(Object(options[0]), schemas, name, depth + 1)
  }
  switch (schema["type"]) {
    case "string":
      return textOf(schema)
    case "integer":
    case "number":
      return numberOf(schema)
    case "boolean":
      return true
    case "null":
      return null
    case "array": {
      if (Array.isArray(schema["prefixItems"])) {
        return schema["prefixItems"].map((item) => exampleOf(Object(item), schemas, name, depth + 1))
      }
      const minItems = Number(schema["minItems"] ?? 1)
      if (schema["maxItems"] === 0 || (depth > 6 && schema["minItems"] === undefined)) return []
      return Array.from(
        { length: Math.max(1, minItems) },
        () => exampleOf(Object(schema["items"]), schemas, name, depth + 1)
      )
    }
    case "object": {
      const { properties = {}, required } = schema
      return Object.fromEntries(
        Object.entries(Object(properties)).filter(([field]) => isShown(field, required)).map(([field, value]) => [
          field,
          exampleOf(Object(value), schemas, field, depth + 1)
        ])
      )
    }
    default:
      return "text"
  }
}

const mediaWith = (content: OpenApi.OpenApiSpecContent, schemas: Json): OpenApi.OpenApiSpecContent =>
  Object.fromEntries(
    Object.entries(content).map(([type, media]) => [
      type,
      type === "application/json" || type === "multipart/form-data"
        ? { ...media, example: exampleOf({ ...media.schema }, schemas) }
        : media
    ])
  )

/** Adds examples to the body of an operation and to its success, where they are JSON or a form. */
export const withExamples = (
  operation: OpenApi.OpenAPISpecOperation,
  schemas: Json
): OpenApi.OpenAPISpecOperation => ({
  ...operation,
  ...(operation.requestBody !== undefined && {
    requestBody: { ...operation.requestBody, content: mediaWith(operation.requestBody.content, schemas) }
  }),
  responses: Record.map(
    operation.responses,
    (response, status) =>
      status.startsWith("2") && response.content !== undefined
        ? { ...response, content: mediaWith(response.content, schemas) }
        : response
  )
})
