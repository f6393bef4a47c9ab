import { assert } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { setTimeout } from "node:timers/promises"
import type { Served } from "./Ways.js"

/** Any JSON value; the assertions check its shape. */
export type Json = ReturnType<typeof JSON.parse>

/** Response with its body as text, and as JSON if it is. */
export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Json
}

/** Request options. A body that is neither a form nor text nor a stream is encoded as JSON. */
export interface SendOptions {
  readonly method?: string
  readonly key?: string | null
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** Path of the workspace of the tests. */
export const workspace = "/v1/orgs/acme/workspaces/main"

const isRaw = (body: unknown): body is NonNullable<RequestInit["body"]> =>
  typeof body === "string" || body instanceof FormData || body instanceof ReadableStream

/** Sends a request as a client would. Of an event stream, only the headers are read. */
export const sendRequest = async (
  { url }: Pick<Served, "url">,
  path: string,
  { body, headers = {}, key = testKeys.main, method = "GET" }: SendOptions = {}
): Promise<TestResponse> => {
  const sent = new Headers(key === null ? {} : { "api-subscription-key": key })
  if (body !== undefined && !(body instanceof FormData)) sent.set("content-type", "application/json")
  Object.entries(headers).forEach(([name, value]) => sent.set(name, value))
  const response = await fetch(`${url}${path}`, {
    method,
    headers: sent,
    duplex: "half",
    ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) })
  })
  const type = response.headers.get("content-type")
  const isEndless = type === "text/event-stream"
  if (isEndless) await response.body?.cancel()
  const text = isEndless ? "" : await response.text()
  assert.match(response.headers.get("x-request-id") ?? "", /^\d{8}_[0-9a-f-]{36}$/)
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: type === "application/json" && text !== "" ? JSON.parse(text) : null
  }
}

/** Follows a link in a response. */
export const follow = ({ url }: Pick<Served, "url">, uri: string): Promise<TestResponse> =>
  sendRequest({ url: new URL(url).origin }, uri)

/** Polls a cohort until it is no longer processing. */
export const settled = async (server: Pick<Served, "url">, path: string): Promise<Json> => {
  for (;;) {
    const { json, text } = await sendRequest(server, path)
    if (json?.status !== "processing") return json ?? assert.fail(text)
    await setTimeout(5)
  }
}

/** Polls until a condition holds. */
export const eventually = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!await condition()) await setTimeout(30)
}

/** Paths and types of the issues in a 422. */
export const problems = ({ json }: TestResponse): ReadonlyArray<readonly [loc: unknown, type: unknown]> =>
  json.detail.map(({ loc, type }: { readonly loc: unknown; readonly type: unknown }) => [loc, type])

/** Text of a response without its request id, to compare failures. */
export const withoutRequestId = ({ text }: TestResponse) => text.replace(/\d{8}_[0-9a-f-]{36}/g, "")
