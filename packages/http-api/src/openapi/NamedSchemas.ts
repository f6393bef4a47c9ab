import type { OpenApi } from "@effect/platform"
import { Predicate } from "effect"

/** A JSON Schema as it is written. */
type Json = Readonly<Record<string, unknown>>

const pascal = (text: string): string =>
  text.split(/[^A-Za-z0-9]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Name of the body of an operation: its last resource and its action. */
const bodyName = (operationId: string): string => `${operationId.split(".").slice(-2).map(pascal).join("")}Body`

/** Components that are made of parts of a document, by name. */
export type NamedComponents = Map<string, Json>

/** True for the schema of an object, or of one of several. */
const isNamed = (schema: Readonly<Record<string, unknown>>): boolean =>
  schema["type"] === "object" || schema["anyOf"] !== undefined

/** Gives the body of an operation a name, under which generators of clients make a type of it. */
export const nameBody = (
  operation: OpenApi.OpenAPISpecOperation,
  schemas: NamedComponents
): OpenApi.OpenAPISpecOperation => {
  const { operationId, requestBody } = operation
  if (requestBody === undefined) return operation
  const content = Object.entries(requestBody.content).map(([type, media]) => {
    const schema: unknown = media.schema
    if (!Predicate.isReadonlyRecord(schema) || schema["$ref"] !== undefined || !isNamed(schema)) {
      return [type, media]
    }
    schemas.set(bodyName(operationId), schema)
    return [type, { ...media, schema: reference(bodyName(operationId)) }]
  })
  return { ...operation, requestBody: { ...requestBody, content: Object.fromEntries(content) } }
}

/** The only value of a property of an object that requires it; undefined where there is none. */
const tagOf = (schema: unknown, property: string): string | undefined => {
  if (!Predicate.isReadonlyRecord(schema) || !Array.isArray(schema["required"])) return undefined
  const { properties, required } = schema
  if (!required.includes(property) || !Predicate.isReadonlyRecord(properties)) return undefined
  const value = properties[property]
  if (!Predicate.isReadonlyRecord(value) || !Array.isArray(value["enum"]) || value["enum"].length !== 1) {
    return undefined
  }
  return String(value["enum"][0])
}

/**
 * Writes a component that is a union as one of named components, by the property that tells them apart, so that generators of
 * clients make a type for each; any other component as it is.
 */
export const discriminated = (name: string, schema: Json, schemas: NamedComponents): Json => {
  const members = schema["anyOf"]
  if (!Array.isArray(members) || members.length < 2) return schema
  for (const property of ["type", "role"]) {
    const tags = members.flatMap((member) => tagOf(member, property) ?? [])
    if (tags.length !== members.length || new Set(tags).size !== tags.length) continue
    const names = tags.map((tag) => `${name}${pascal(tag)}`)
    members.forEach((member, index) => schemas.set(names[index] ?? name, member))
    const { anyOf: _, ...others } = schema
    return {
      ...others,
      oneOf: names.map(reference),
      discriminator: {
        propertyName: property,
        mapping: Object.fromEntries(tags.map((tag, index) => [tag, reference(names[index] ?? name).$ref]))
      }
    }
  }
  return schema
}
