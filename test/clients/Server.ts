import { afterAll, beforeAll } from "@effect/vitest"
import { testEngineWith } from "@trunkline/http-api/testing"
import { LanguageModel, type ScriptedRule } from "@trunkline/models"
import { serve, type Serving } from "@trunkline/node-http"

/** The test engine over HTTP for the tests of a file, with a scripted model that follows these rules first. */
export const servedWith = (rules: ReadonlyArray<ScriptedRule>): { readonly url: string } => {
  let serving: Serving | undefined
  beforeAll(async () => {
    serving = await serve(testEngineWith({ model: LanguageModel.layerScripted(rules) }), { port: 0 })
  })
  afterAll(() => serving?.close())
  return {
    get url() {
      return serving?.url ?? ""
    }
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
