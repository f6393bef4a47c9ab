import { concatSamples, toLinear16, wavHeader } from "@trunkline/audio"
import { fakeServer, formOf, jsonOf, type Seen, type Step } from "@trunkline/http-client/testing"
import { modemVoice, Synthesizer } from "@trunkline/speech"
import { SpeechDialects, SynthesizerOpenAi } from "@trunkline/speech-openai"
import { sampleReference, synthesizerLaws } from "@trunkline/speech/testing"
import { Chunk, Effect, Layer, Schema, Stream } from "effect"
import { until, utterance } from "./Speaking.js"

/** Fields that the fake servers read from a request. */
const decodeAsked = Schema.decodeUnknownSync(Schema.Struct({
  input: Schema.optional(Schema.String),
  text: Schema.optional(Schema.String),
  speed: Schema.optional(Schema.Number)
}))

const askedIn = async (request: Seen) => {
  const isForm = request.headers["content-type"]?.startsWith("multipart/")
  const { input, speed = 1, text } = decodeAsked(isForm ? Object.fromEntries(await formOf(request)) : jsonOf(request))
  return { text: input ?? text ?? "", pace: speed }
}

const spokenByModem = (speech: { readonly text: string; readonly pace: number }): Effect.Effect<Uint8Array> =>
  Synthesizer.pipe(
    Effect.flatMap(({ speak }) => Stream.runCollect(speak(utterance(speech)))),
    Effect.map((pieces) => toLinear16(concatSamples(Chunk.toReadonlyArray(pieces)))),
    Effect.provide(modemVoice()),
    Effect.orDie
  )

/** Chunks of odd length. */
const inPieces = (bytes: Uint8Array): ReadonlyArray<Step> =>
  Array.from({ length: Math.ceil(bytes.length / 4_001) }, (_, at) => ({
    write: bytes.subarray(at * 4_001, (at + 1) * 4_001)
  }))

const voice = JSON.stringify({ gpt_cond_latent: [], speaker_embedding: [] })

/** A fake server that speaks with the modem voice. */
const modemServer = (format: "pcm" | "wav") => async (request: Seen): Promise<ReadonlyArray<Step>> => {
  if (request.path.endsWith("/clone_speaker")) return [{ write: voice }, "end"]
  const audio = await Effect.runPromise(spokenByModem(await askedIn(request)))
  const header = format === "wav" ? [{ write: wavHeader({ rate: 24_000, samples: null }) }] : []
  return [{ status: 200, headers: { "content-type": `audio/${format}` } }, ...header, ...inPieces(audio), "end"]
}

const lawsOf = (
  name: string,
  format: "pcm" | "wav",
  { dialect, ...voice }: Pick<SynthesizerOpenAi.SynthesizerOptions, "dialect" | "reference">
) => {
  let atWork: () => number = () => 0
  const live = Layer.scoped(
    Synthesizer,
    Effect.gen(function*() {
      const server = yield* fakeServer(modemServer(format))
      atWork = server.atWork
      return yield* SynthesizerOpenAi.make({ baseUrl: `${server.origin}/v1`, dialect, ...voice })
    })
  )
  // The server notices a closed connection a little later.
  synthesizerLaws(name, live, { inProgress: Effect.map(until(() => atWork() === 0), () => atWork()) })
}

lawsOf("OpenAI, bare samples", "pcm", { dialect: SpeechDialects.openAi() })
lawsOf("Chatterbox, WAV", "wav", { dialect: SpeechDialects.chatterbox() })
lawsOf("XTTS streaming", "wav", {
  dialect: SpeechDialects.xttsStreaming({ languages: ["en-IN", "hi-IN"] }),
  reference: sampleReference
})
