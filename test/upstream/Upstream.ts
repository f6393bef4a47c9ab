import { testEngineWith, testKeys } from "@trunkline/http-api/testing"
import { fakeServer, jsonOf, type ResponseScript, type Seen, type Step } from "@trunkline/http-client/testing"
import { OpenAiModel } from "@trunkline/model-openai"
import { serve } from "@trunkline/node-http"
import { Effect, Predicate } from "effect"

/** Parsed JSON of any shape: the assertions check it. */
type Json = ReturnType<typeof JSON.parse>

/** A response as a client sees it. */
export interface Answer {
  readonly status: number
  readonly retryAfter: string | null
  readonly text: string
}

/** The routes over which models are asked. */
export type Route = "/v1/chat/completions" | "/v2/responses"

/** A request of a client; by default of the first account, on chat, for a whole answer. */
export interface Question {
  readonly route?: Route
  readonly key?: string
  readonly text?: string
  readonly stream?: boolean
}

/** Keys of the accounts that ask. */
export const accounts = { one: testKeys.beta, other: testKeys.prepaid, third: testKeys.foreign } as const

const whole = {
  id: "1",
  object: "chat.completion",
  created: 1,
  model: "any",
  choices: [{ index: 0, message: { role: "assistant", content: "Fine." }, finish_reason: "stop" }]
}

const pieces = [{ delta: { content: "Fine." }, finish_reason: null }, { delta: {}, finish_reason: "stop" }].map(
  (choice) =>
    `data: ${JSON.stringify({ ...whole, object: "chat.completion.chunk", choices: [{ index: 0, ...choice }] })}\n\n`
)

const asksStream = (seen: Seen): boolean =>
  Predicate.hasProperty(jsonOf(seen), "stream") && bodyOf(seen).stream === true

const bodyOf = (seen: Seen): Json => jsonOf(seen)

/** The last message of a request to the upstream. */
export const saidTo = (seen: Seen): string => bodyOf(seen).messages.at(-1).content

/** A whole answer, or a stream, as the request wants it. */
export const well = (seen: Seen): ReadonlyArray<Step> =>
  asksStream(seen)
    ? [{ status: 200, headers: { "content-type": "text/event-stream" } }, {
      write: `${pieces.join("")}data: [DONE]\n\n`
    }, "end"]
    : [{ status: 200, headers: { "content-type": "application/json" } }, { write: JSON.stringify(whole) }, "end"]

/** A status without words. */
export const status = (status: number, headers: Readonly<Record<string, string>> = {}): ReadonlyArray<Step> => [
  { status, headers: { "content-type": "application/json", ...headers } },
  { write: "{\"error\":{}}" },
  "end"
]

const post = async (
  url: string,
  { key = accounts.one, route = "/v1/chat/completions", stream = false, text = "Hello" }: Question,
  signal: AbortSignal
): Promise<Answer> => {
  const said = route === "/v2/responses" ? { input: text } : { messages: [{ role: "user", content: text }] }
  const response = await fetch(`${url}${route}`, {
    method: "POST",
    signal,
    headers: { "api-subscription-key": key, "content-type": "application/json" },
    body: JSON.stringify({ model: "core-105b", ...said, stream })
  })
  return { status: response.status, retryAfter: response.headers.get("retry-after"), text: await response.text() }
}

/** The API over HTTP, with the models of a server that answers as `script` says. Pauses between attempts are short. */
export const apiBefore = (script: ResponseScript, options: Partial<OpenAiModel.ReliableOptions> = {}) =>
  Effect.gen(function*() {
    const upstream = yield* fakeServer(script)
    const model = OpenAiModel.layer({ baseUrl: `${upstream.origin}/v1`, retries: { initialDelay: 1 }, ...options })
    const api = yield* Effect.acquireRelease(
      Effect.promise(() => serve(testEngineWith({ model }), { port: 0 })),
      (serving) => Effect.promise(() => serving.close())
    )
    return {
      upstream,
      ask: (question: Question = {}) => Effect.promise((signal) => post(api.url, question, signal))
    }
  })
