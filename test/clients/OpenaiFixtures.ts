import { testKeys } from "@trunkline/http-api/testing"
import OpenAI from "openai"

/** Makes clients of a server that a test file serves. */
export const clientsOf = (server: { readonly url: string }) => (version: "v1" | "v2", apiKey: string = testKeys.beta) =>
  new OpenAI({ baseURL: `${server.url}/${version}`, apiKey, maxRetries: 0 })

export const question = [{ role: "user" as const, content: "Please count to three" }]

export const weather = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer", minimum: 1, maximum: 7 } },
  required: ["city"],
  additionalProperties: false
}
