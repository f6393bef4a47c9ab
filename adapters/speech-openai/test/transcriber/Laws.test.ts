import { concatSamples, readWav } from "@trunkline/audio"
import { fakeServer, formOf, type Seen, type Step } from "@trunkline/http-client/testing"
import { macroTask } from "@trunkline/kernel"
import { modemTranscriber, modemVoice, Synthesizer, Transcriber } from "@trunkline/speech"
import { TranscriberOpenAi } from "@trunkline/speech-openai"
import { sampleReference, transcriberLaws } from "@trunkline/speech/testing"
import { Chunk, Effect, Layer, Stream } from "effect"
import { saying } from "./Listening.js"

/** A server that understands the modem voice. */
const modemServer = async (request: Seen): Promise<ReadonlyArray<Step>> => {
  const file = (await formOf(request)).get("file")
  const bytes = file instanceof File ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array()
  const hearing = Effect.gen(function*() {
    const { transcribe } = yield* Transcriber
    return yield* transcribe(yield* readWav(bytes, { seconds: 60 }), { language: null })
  })
  return saying(await Effect.runPromise(Effect.provide(hearing, modemTranscriber)))
}

let atWork: () => number = () => 0

const live = Layer.scoped(
  Transcriber,
  Effect.gen(function*() {
    const server = yield* fakeServer(modemServer)
    atWork = server.atWork
    return yield* TranscriberOpenAi.make({ baseUrl: server.origin })
  })
)

transcriberLaws("over HTTP", live, {
  say: (text, rate) =>
    Synthesizer.pipe(
      Effect.flatMap(({ speak }) =>
        Stream.runCollect(speak({ text, language: "en-IN", pace: 1, reference: sampleReference, take: 0 }))
      ),
      Effect.map((pieces) => ({ rate, samples: concatSamples(Chunk.toReadonlyArray(pieces)) })),
      Effect.provide(modemVoice({ nativeRate: rate }))
    ),
  // The server notices a closed connection a little later.
  inProgress: Effect.map(Effect.repeat(macroTask, { until: () => atWork() === 0 }), () => atWork())
})
