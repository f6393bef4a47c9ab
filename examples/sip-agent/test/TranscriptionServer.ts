import { readWav } from "@trunkline/audio"
import { Transcriber } from "@trunkline/speech"
import { Effect, Either, type Scope } from "effect"
import { createServer, type Server } from "node:http"
import { buffer } from "node:stream/consumers"

/** The WAV file in a form that was posted. */
const wavIn = (form: Uint8Array) => {
  const at = Buffer.from(form).indexOf("RIFF")
  return Either.getOrThrow(readWav(form.subarray(Math.max(0, at)), { seconds: 600 }))
}

/** Serves a transcriber as OpenAI's API does, on a free port, until the scope closes. Returns its base URL. */
export const startTranscriptionServer: Effect.Effect<string, never, Transcriber | Scope.Scope> = Effect.gen(
  function*() {
    const { transcribe } = yield* Transcriber
    const answer = (form: Uint8Array) => Effect.runPromise(transcribe(wavIn(form), { language: null }))
    const server = yield* Effect.acquireRelease(
      Effect.promise(() =>
        new Promise<Server>((resolve) => {
          const listening = createServer(async (request, response) => {
            try {
              const text = await answer(await buffer(request))
              response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text }))
            } catch {
              response.writeHead(400).end()
            }
          }).listen(0, "127.0.0.1", () => resolve(listening))
        })
      ),
      (listening) =>
        Effect.promise(() =>
          new Promise<void>((resolve) => {
            listening.close(() => resolve())
            listening.closeAllConnections()
          })
        )
    )
    const address = server.address()
    return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
  }
)
