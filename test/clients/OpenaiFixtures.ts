import { testKeys } from "@trunkline/http-api/testing"
import OpenAI from "openai"
import { script } from "./Script.js"
import { servedWith } from "./Server.js"

export const server = servedWith(script)

export const client = (version: "v1" | "v2", apiKey: string = testKeys.beta) =>
  new OpenAI({ baseURL: `${server.url}/${version}`, apiKey, maxRetries: 0 })

export const question = [{ role: "user" as const, content: "Please count to three" }]

export const weather = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer", minimum: 1, maximum: 7 } },
  required: ["city"],
  additionalProperties: false
}
