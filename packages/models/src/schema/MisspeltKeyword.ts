import { misspeltName } from "@trunkline/errors"
import { isJsonObject } from "@trunkline/kernel"
import type { JsonSchema } from "../ModelRequest.js"
import { keywordNames, kindOf, schemasIn } from "./Keywords.js"

/** Keywords that describe and do not validate: those of JSON Schema 2020-12 and older drafts, and of OpenAPI. */
const descriptions = [
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "contentEncoding",
  "contentMediaType",
  "contentSchema",
  "$schema",
  "$id",
  "id",
  "$comment",
  "$anchor",
  "$dynamicRef",
  "$dynamicAnchor",
  "$vocabulary",
  "example",
  "nullable",
  "discriminator",
  "xml",
  "externalDocs"
]

const keywords = [...keywordNames, ...descriptions]

/**
 * Finds a keyword of a JSON Schema that is most likely a misspelling of another one, as a sentence without a full stop; null
 * if there is none. Keywords that resemble no other are left to those who know them. The schema has no fault otherwise.
 *
 * @example
 * ```ts
 * misspeltKeyword({ type: "object", propertees: {} }) // 'propertees is no keyword; did you mean properties?'
 * ```
 */
export const misspeltKeyword = (root: JsonSchema): string | null => {
  const schemas = new Set([root])
  for (const schema of schemas) {
    for (const [keyword, value] of Object.entries(schema)) {
      const suggestion = keywords.includes(keyword) ? undefined : misspeltName(keyword, keywords)
      if (suggestion !== undefined) return `${keyword} is no keyword; did you mean ${suggestion}?`
      for (const inner of schemasIn(kindOf(keyword) ?? "any", value)) if (isJsonObject(inner)) schemas.add(inner)
    }
  }
  return null
}
