import { assert } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { setTimeout } from "node:timers/promises"
import type { Served } from "./Ways.js"

/** Whatever JSON holds: the assertions say what it should be. */
export type Json = ReturnType<typeof JSON.parse>

/** What came back: the body as text, and as JSON where it is. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Json
}

/** What to send; a body that is no form, text or bytes goes as JSON. */
export interface Sending {
  readonly method?: string
  readonly key?: string | null
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** Where the tests' own workspace is. */
export const workspace = "/v1/orgs/acme/workspaces/main"

const isRaw = (body: unknown): body is NonNullable<RequestInit["body"]> =>
  typeof body === "string" || body instanceof FormData || body instanceof ReadableStream

/** Asks the server as a client would; of an answer without end it takes only the beginning. */
export const ask = async (
  { url }: Pick<Served, "url">,
  path: string,
  { body, headers = {}, key = testKeys.main, method = "GET" }: Sending = {}
): Promise<Answer> => {
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

/** Asks for what a link of an answer leads to. */
export const follow = ({ url }: Pick<Served, "url">, uri: string): Promise<Answer> =>
  ask({ url: new URL(url).origin }, uri)

/** A cohort by its path once it is no longer in processing. */
export const settled = async (server: Pick<Served, "url">, path: string): Promise<Json> => {
  for (;;) {
    const { json, text } = await ask(server, path)
    if (json?.status !== "processing") return json ?? assert.fail(text)
    await setTimeout(5)
  }
}

/** Waits until something is so. */
export const eventually = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!await isSo()) await setTimeout(30)
}

/** Where a 422 says that something is wrong, and of which kind it is. */
export const problems = ({ json }: Answer): ReadonlyArray<readonly [loc: unknown, type: unknown]> =>
  json.detail.map(({ loc, type }: { readonly loc: unknown; readonly type: unknown }) => [loc, type])

/** The same failure must read the same, but for the request's id. */
export const withoutRequestId = ({ text }: Answer) => text.replace(/\d{8}_[0-9a-f-]{36}/g, "")
