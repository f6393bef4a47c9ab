import { assert } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { type Json, type SendOptions, sendRequest } from "../Client.js"
import type { Served } from "../Ways.js"

export const chatV1 = "/v1/chat/completions"

export const chatV2 = "/v2/chat/completions"

export const responses = "/v2/responses"

const said = (content: string) => [{ role: "user", content }]

/** Body of a route with a prompt. */
export const bodyFor = (path: string, content = "Hello", change: Record<string, unknown> = {}) => ({
  model: "core-105b",
  ...(path === responses ? { input: content } : { messages: said(content) }),
  ...change
})

export const post = (
  server: Pick<Served, "url">,
  path: string,
  { body = bodyFor(path), key = testKeys.beta, ...rest }: SendOptions = {}
) => sendRequest(server, path, { method: "POST", body, key, ...rest })

/** Parses streamed events to their names and data. */
interface Event {
  readonly name: string | undefined
  readonly data: string
}

const eventsOf = (text: string): ReadonlyArray<Event> =>
  text.split("\n\n").filter((frame) => frame.includes("data: ")).map((frame) => ({
    name: /^event: (.*)$/m.exec(frame)?.[1],
    data: /^data: (.*)$/m.exec(frame)?.[1] ?? ""
  }))

export const streamed = async (
  server: Pick<Served, "url">,
  path: string,
  body: unknown,
  key: string = testKeys.beta
) => {
  const response = await fetch(`${server.url}${path}`, {
    method: "POST",
    headers: { "api-subscription-key": key, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  assert.strictEqual(response.status, 200)
  assert.match(response.headers.get("x-request-id") ?? "", /^\d{8}_[0-9a-f-]{36}$/)
  return { headers: response.headers, events: eventsOf(await response.text()) }
}

export const jsonOf = ({ data }: Event): Json => JSON.parse(data)
