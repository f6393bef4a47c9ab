// Writes openapi.json beside itself: the description of the HTTP API, from its declaration.
import { openApi } from "@trunkline/http-api"
import { writeFileSync } from "node:fs"

writeFileSync(new URL("openapi.json", import.meta.url), `${JSON.stringify(openApi(), null, 2)}\n`)
