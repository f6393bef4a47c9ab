import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { AudioCodec, SampleRate, StreamCodec } from "@trunkline/audio"
import { AudioCodecsWasm } from "@trunkline/codecs-wasm"
import { testEngineWith, testKeys } from "@trunkline/http-api/testing"
import { propertyCases } from "@trunkline/kernel/testing"
import { serve } from "@trunkline/node-http"
import { Synthesizer } from "@trunkline/speech"
import { LanguageCode } from "@trunkline/spoken-text"
import { Layer, Stream } from "effect"
import type { Json } from "../serving/Client.js"
import { clipSaying, voiceForm, type VoiceParts } from "../serving/Clips.js"
import { frequencyOf, hasFfmpeg, seenByFfmpeg } from "./Sounds.js"

const nativeRate = 22_050
const spokenSeconds = 2.5
const pitch = 440

/** Speaks one long tone, so that everything that happens to it can be measured. */
const toneVoice = Layer.succeed(Synthesizer, {
  ability: { engine: "tone", cloning: "zero-shot", languages: LanguageCode.literals, nativeRate, controls: [] },
  speak: () =>
    Stream.range(1, 25).pipe(
      Stream.rechunk(1),
      Stream.map((tenth) =>
        Float32Array.from({ length: nativeRate / 10 }, (_, index) =>
          0.4 * Math.sin(2 * Math.PI * pitch * ((tenth - 1) * nativeRate / 10 + index) / nativeRate))
      )
    )
})

/** Names of the codecs in ffprobe, and the samples that a file may have beside those of its audio. */
const known = {
  mp3: { name: "mp3", padding: 1_105 + 1_152 },
  wav: { name: "pcm_s16le", padding: 0 },
  linear16: { name: "pcm_s16le", padding: 0 },
  mulaw: { name: "pcm_mulaw", padding: 0 },
  alaw: { name: "pcm_alaw", padding: 0 },
  flac: { name: "flac", padding: 0 },
  opus: { name: "opus", padding: 960 },
  aac: { name: "aac", padding: 3 * 1_024 }
} as const satisfies Record<AudioCodec, { readonly name: string; readonly padding: number }>

const json = async (response: Response): Promise<Json> => await response.json()

const opusRates: ReadonlyArray<number> = [8000, 16000, 24000, 48000]

const pairs = <C extends AudioCodec>(codecs: ReadonlyArray<C>) =>
  propertyCases(
    codecs.flatMap((codec) =>
      SampleRate.literals.filter((rate) => codec !== "opus" || opusRates.includes(rate)).map((rate) => ({
        codec,
        rate
      }))
    )
  )

describe.skipIf(!hasFfmpeg)("sound over HTTP, as ffmpeg sees it (skipped where there is no ffmpeg)", () => {
  let server: Awaited<ReturnType<typeof serve>>
  let good: VoiceParts

  beforeAll(async () => {
    server = await serve(testEngineWith({ synthesizer: toneVoice, codecs: AudioCodecsWasm.layer() }), { port: 0 })
    const clip = { bytes: await clipSaying("a reference"), name: "clip.wav" }
    const created = await post("/voices/create", { file: clip, name: "Tone", language: "hi-IN" })
    good = { voice_id: (await json(created)).voice_id, text: "A tone", language_code: "en-IN" }
  })
  afterAll(() => server.close())

  const post = (path: string, parts: VoiceParts) =>
    fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { "api-subscription-key": testKeys.beta },
      body: voiceForm(parts)
    })

  const streamed = async (parts: VoiceParts) => {
    const response = await post("/voices/clone/stream", { ...good, ...parts })
    assert.strictEqual(response.status, 200)
    return new Uint8Array(await response.arrayBuffer())
  }

  const generated = async (parts: VoiceParts) => {
    const response = await post("/voices/clone", { ...good, ...parts })
    const body = await json(response)
    assert.strictEqual(response.status, 200, JSON.stringify(body))
    return { bytes: Buffer.from(body.audio_b64, "base64"), seconds: body.audio_duration }
  }

  const isTone = (
    bytes: Uint8Array,
    { codec, rate }: { readonly codec: AudioCodec; readonly rate: number },
    seconds: number
  ) => {
    const { name, padding } = known[codec]
    const seen = seenByFfmpeg(bytes, { codec, rate })
    const seenRate = codec === "opus" ? 48_000 : rate
    assert.deepStrictEqual([seen.codec, seen.rate, seen.channels], [name, seenRate, 1])
    const length = seen.samples.length / seen.rate
    assert.isAtLeast(length, seconds - 0.002)
    assert.isAtMost(length, seconds + padding / seen.rate + 0.002)
    assert.closeTo(frequencyOf(seen), pitch, 1)
  }

  it.each(pairs(AudioCodec.literals))("is $codec at $rate in one piece", async ({ codec, rate }) => {
    const { bytes, seconds } = await generated({
      output_audio_codec: codec,
      speech_sample_rate: String(rate),
      enable_vad: "false"
    })
    assert.closeTo(seconds, spokenSeconds, 0.001)
    isTone(bytes, { codec, rate }, seconds)
  })

  it.each(pairs(StreamCodec.literals))("is $codec at $rate as a stream", async ({ codec, rate }) => {
    const bytes = await streamed({ output_audio_codec: codec, speech_sample_rate: String(rate) })
    isTone(bytes, { codec, rate }, spokenSeconds)
  })

  it.each([0.5, 0.75, 1, 1.5, 2])("lasts as long as its pace %d says, at the same pitch", async (pace) => {
    const expected = spokenSeconds / pace
    const whole = await generated({ pace: String(pace), enable_vad: "false" })
    assert.closeTo(whole.seconds, expected, expected * 0.005)
    const sounds = [
      seenByFfmpeg(whole.bytes, { codec: "wav", rate: 24_000 }),
      seenByFfmpeg(await streamed({ pace: String(pace), output_audio_codec: "wav" }), { codec: "wav", rate: 24_000 })
    ]
    for (const seen of sounds) {
      assert.closeTo(seen.samples.length / seen.rate, expected, expected * 0.005)
      assert.closeTo(frequencyOf(seen), pitch, pitch * 0.03)
    }
  })
})
