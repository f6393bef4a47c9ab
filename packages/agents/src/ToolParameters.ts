import { isJsonObject } from "@trunkline/kernel"
import { misspeltKeyword, schemaFault } from "@trunkline/models"

/** Keywords of which a schema of an object has at least one. */
const keywords = ["type", "properties", "$ref", "allOf", "anyOf", "oneOf", "additionalProperties", "required"]

const example = `{ type: "object", properties: { city: { type: "string" } }, required: ["city"] }`

/** True for a value with functions in it, such as an object of a schema library; its size is that of a schema. */
const holdsCode = (value: unknown): boolean =>
  typeof value === "function" ||
  (typeof value === "object" && value !== null && Object.values(value).some(holdsCode))

/** Fault of the parameters of a tool; undefined for a JSON Schema of an object. */
export const parametersFault = (parameters: object): string | undefined => {
  const fault = schemaFault(parameters) ?? (holdsCode(parameters) ? "Must be plain JSON" : null)
  if (fault !== null) return `${fault}: write a JSON Schema such as ${example}`
  const misspelt = isJsonObject(parameters) ? misspeltKeyword(parameters) : null
  if (misspelt !== null) return misspelt
  const type: unknown = Reflect.get(parameters, "type")
  const names = Object.keys(parameters)
  return (type === undefined || type === "object") &&
      (names.length === 0 || names.some((name) => keywords.includes(name)))
    ? undefined
    : `Must be a JSON Schema of an object, such as ${example}`
}
