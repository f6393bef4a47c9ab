// Writes the description of the HTTP API from its declaration: openapi.json beside itself, and the same as one line of text for
// the server, which would otherwise block for a quarter of a second when it makes the document.
import { openApi } from "@trunkline/http-api"
import { writeFileSync } from "node:fs"

const document = openApi()
const quoted = JSON.stringify(document).replace(/[\\']/g, "\\$&")

writeFileSync(new URL("openapi.json", import.meta.url), `${JSON.stringify(document, null, 2)}\n`)
writeFileSync(
  new URL("../packages/http-api/src/generated/OpenApiText.ts", import.meta.url),
  `// Written by docs/openapi.mjs. Do not edit.
/** The OpenAPI document at the root of a server, as JSON. */
export const openApiText: string = '${quoted}'
`
)
