import { fakeServer, type ResponseScript, type Step } from "@trunkline/http-client/testing"
import { TranscriberOpenAi } from "@trunkline/speech-openai"
import { Effect } from "effect"

/** A scripted transcription server, and a transcriber that uses it. */
export const transcriberBefore = (
  script: ResponseScript,
  options: Partial<TranscriberOpenAi.TranscriberOptions> = {}
) =>
  Effect.gen(function*() {
    const server = yield* fakeServer(script)
    const transcriber = yield* TranscriberOpenAi.make({
      baseUrl: `${server.origin}/v1`,
      model: "whisper-1",
      ...options
    })
    return { server, ...transcriber }
  })

/** A whole response. */
export const answering = (type: string, body: string | Uint8Array): ReadonlyArray<Step> => [
  { status: 200, headers: { "content-type": type } },
  { write: body },
  "end"
]

/** A JSON response with a transcript. */
export const saying = (text: string): ReadonlyArray<Step> => answering("application/json", JSON.stringify({ text }))
