import { afterAll, beforeAll } from "@effect/vitest"
import { testEngineWith } from "@trunkline/http-api/testing"
import { type RunningServer, serve } from "@trunkline/node-http"
import type { ScriptedRule } from "@trunkline/scripted-model"
import { cutting } from "./Cutting.js"
import { type Waiting, waitingModel } from "./Waiting.js"

/** Where the clients of a test file find us. */
export interface Served {
  readonly url: string
  /** The same, over connections that break after the first word of an answer. */
  readonly cutUrl: string
  /** Looks out for the next request whose model waits forever. */
  readonly nextWaiting: () => Waiting
}

/**
 * The test engine over HTTP for the tests of a file, with a scripted model that follows these rules first. On responses
 * it takes `text` without `format` as plain text.
 */
export const servedWith = (rules: ReadonlyArray<ScriptedRule>): Served => {
  const { model, next } = waitingModel(rules)
  let serving: RunningServer | undefined
  let cut: Awaited<ReturnType<typeof cutting>> | undefined
  beforeAll(async () => {
    serving = await serve(testEngineWith({ model, responses: { textWithoutFormat: "plain" } }), { port: 0 })
    cut = await cutting(serving.url)
  })
  afterAll(async () => {
    cut?.close()
    await serving?.close()
  })
  return {
    get url() {
      return serving?.url ?? ""
    },
    get cutUrl() {
      return cut?.url ?? ""
    },
    nextWaiting: next
  }
}

/** A `fetch` whose event streams are full of comments, such as a quiet stream sends. */
export const withComments: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  if (response.body === null || !response.headers.get("content-type")?.startsWith("text/event-stream")) return response
  const comment = new TextEncoder().encode(":\n\n")
  const commented = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => controller.enqueue(comment),
    transform: (frames, controller) => {
      controller.enqueue(frames)
      if (new TextDecoder().decode(frames).endsWith("\n\n")) controller.enqueue(comment)
    }
  })
  return new Response(response.body.pipeThrough(commented), { status: response.status, headers: response.headers })
}
