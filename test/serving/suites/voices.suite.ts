import { assert, beforeAll, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { type SendOptions, sendRequest, type TestResponse } from "../Client.js"
import { clipSaying, heardIn, voiceForm, type VoiceParts } from "../Clips.js"
import { allowance, keyOf } from "../engines/Customers.js"
import { probing } from "../Probe.js"
import { type Served, served, type Way } from "../Ways.js"

const creating = "/voices/create"
const streaming = "/voices/clone/stream"
const generating = "/voices/clone"

const said = "Namaste"

const post = (
  server: Pick<Served, "url">,
  path: string,
  parts: VoiceParts,
  { key = testKeys.beta, ...rest }: SendOptions = {}
) => sendRequest(server, path, { method: "POST", body: voiceForm(parts), key, ...rest })

const refuses = (answer: TestResponse, status: number, message: RegExp, code = "invalid_request_error") => {
  assert.strictEqual(answer.status, status, answer.text.slice(0, 300))
  assert.deepStrictEqual(Object.keys(answer.json.error).sort(), ["code", "message", "request_id"])
  assert.strictEqual(answer.json.error.code, code)
  assert.match(answer.json.error.message, message)
  assert.strictEqual(answer.json.error.request_id, answer.headers.get("x-request-id"))
}

/** Changes to a valid request, and the status and message that reject them. */
type Rejections = Readonly<Record<string, readonly [VoiceParts, number, RegExp]>>

const unknownVoice = "svc-00000000-0000-4000-8000-000000000000"
const file = { bytes: new Uint8Array(), name: "clip.wav" }

/** Rejections of both routes. */
const rejectedByBoth: Rejections = {
  "no text": [{ text: undefined }, 422, /text/],
  "an empty text": [{ text: "" }, 400, /empty/],
  "a text of spaces": [{ text: " \n " }, 400, /empty/],
  "a text of 1001 characters": [{ text: "न".repeat(1_001) }, 400, /1000/],
  "a text of 200,000 characters": [{ text: "x".repeat(200_000) }, 400, /1000/],
  "a text with nothing to say": [{ text: "…?!" }, 400, /spoken/],
  "no voice": [{ voice_id: undefined }, 400, /voice_id/],
  "an empty voice": [{ voice_id: "" }, 400, /voice_id/],
  "a voice that is no id": [{ voice_id: "../voice" }, 400, /voice_id/],
  "an unknown voice": [{ voice_id: unknownVoice }, 400, /voice/],
  "no language": [{ language_code: undefined }, 422, /language_code/],
  "a language that is none of the twelve": [{ language_code: "or-IN" }, 422, /language_code/],
  "a pace below 0.5": [{ pace: "0.49" }, 422, /pace/],
  "a pace above 2": [{ pace: "2.01" }, 422, /pace/],
  "a pace that is no number": [{ pace: "fast" }, 422, /pace/],
  "a pace that is no finite number": [{ pace: "NaN" }, 422, /pace/],
  "a codec that is none": [{ output_audio_codec: "vorbis" }, 422, /output_audio_codec/],
  "a rate that is none of the seven": [{ speech_sample_rate: "11025" }, 422, /speech_sample_rate/],
  "a switch that is neither on nor off": [{ enable_text_normalization: "maybe" }, 422, /enable_text_normalization/]
}

const rejectedByStreams: Rejections = {
  ...rejectedByBoth,
  flac: [{ output_audio_codec: "flac" }, 400, /streamed/],
  aac: [{ output_audio_codec: "aac" }, 400, /streamed/],
  opus: [{ output_audio_codec: "opus" }, 400, /streamed/],
  "a quality check": [{ enable_qc: "false" }, 400, /enable_qc/],
  "voice activity": [{ enable_vad: "true" }, 400, /enable_vad/],
  "a lower bound": [{ min_audio_duration: "1" }, 400, /min_audio_duration/],
  "an upper bound": [{ max_audio_duration: "1" }, 400, /max_audio_duration/],
  "a bitrate that is none": [{ output_audio_bitrate: "320k" }, 422, /output_audio_bitrate/]
}

const rejectedByGeneration: Rejections = {
  ...rejectedByBoth,
  "a voice and a clip": [{ ref_audio: file }, 400, /cannot both/],
  "a pace and an upper bound": [{ pace: "1", max_audio_duration: "5" }, 400, /cannot both/],
  "an upper bound below the lower one": [
    { min_audio_duration: "5", max_audio_duration: "4" },
    422,
    /max_audio_duration/
  ],
  "a bound below zero": [{ min_audio_duration: "-1" }, 422, /min_audio_duration/],
  "a bound of hours": [{ min_audio_duration: "1e9" }, 422, /min_audio_duration/],
  "opus at 22050": [{ output_audio_codec: "opus", speech_sample_rate: "22050" }, 422, /speech_sample_rate/],
  "opus at 32000": [{ output_audio_codec: "opus", speech_sample_rate: "32000" }, 422, /speech_sample_rate/],
  "opus at 44100": [{ output_audio_codec: "opus", speech_sample_rate: "44100" }, 422, /speech_sample_rate/],
  "a clip of no bytes": [{ voice_id: undefined, ref_audio: file }, 400, /ref_audio/],
  "a clip that is no sound": [
    { voice_id: undefined, ref_audio: { bytes: new Uint8Array(1_000).fill(65), name: "clip.wav" } },
    400,
    /ref_audio/
  ],
  "a clip's text of 501 characters": [
    { voice_id: undefined, ref_audio: file, ref_text: "x".repeat(501) },
    422,
    /ref_text/
  ]
}

interface Opened {
  readonly response: IncomingMessage
  readonly leave: () => void
}

/** Voices and speech over HTTP: responses and every rejection. */
export const voicesSuite = (way: Way) =>
  describe(`voices over ${way.name}`, () => {
    const probe = probing()
    const server = served(way)
    const probed = served(way, "probed")
    const limited = served(way, "limited")
    let clip: { readonly bytes: Uint8Array; readonly name: string }
    let good: VoiceParts

    beforeAll(async () => {
      clip = { bytes: await clipSaying("a reference"), name: "clip.wav" }
      const created = await post(server, creating, { file: clip, name: "Asha", language: "hi-IN" })
      assert.strictEqual(created.status, 200, created.text)
      good = { voice_id: created.json.voice_id, text: said, language_code: "en-IN" }
    })

    it("save a voice, show it only to keys of its account, and delete it", async () => {
      const parts = { file: clip, name: "Ravi", language: "en-IN", style: "sales", gender: "male" }
      const { json: created, headers, status, text } = await post(server, creating, parts)
      assert.strictEqual(status, 200, text)
      const { data, request_id, ...voice } = created
      assert.match(voice.voice_id, /^svc-[0-9a-f-]{36}$/)
      assert.deepStrictEqual(data, { voice_id: voice.voice_id, reference_text: "a reference" })
      assert.strictEqual(request_id, headers.get("x-request-id"))
      assert.deepInclude(voice, { name: "Ravi", language: "en-IN", style: "sales", gender: "male" })

      const path = `/voices/${voice.voice_id}`
      assert.deepStrictEqual((await sendRequest(server, path, { key: testKeys.side })).json, voice)
      for (const sorting of ["sort_by=name", "sort_by=&sort_order="]) {
        const list = await sendRequest(server, `/voices?search=ravi&${sorting}`, { key: testKeys.side })
        assert.deepStrictEqual([list.json.total, list.json.items], [1, [voice]])
      }

      for (const method of ["GET", "DELETE"]) {
        refuses(await sendRequest(server, path, { method, key: testKeys.foreign }), 404, /No voice/, "not_found_error")
      }
      const foreign = await post(server, streaming, { ...good, voice_id: voice.voice_id }, { key: testKeys.foreign })
      refuses(foreign, 400, /voice/)

      const gone = await sendRequest(server, path, { method: "DELETE", key: testKeys.side })
      assert.deepStrictEqual([gone.status, gone.json], [200, { voice_id: voice.voice_id, deleted: true }])
      refuses(await sendRequest(server, path), 404, /No voice/, "not_found_error")
      refuses(await post(server, streaming, { ...good, voice_id: voice.voice_id }), 400, /voice/)
    })

    it("reject a voice without name, language or file, with another style, or with an invalid clip", async () => {
      const parts = { file: clip, name: "A", language: "hi-IN" }
      const wrong = await post(server, creating, { name: " ", language: "fr-FR", style: "shouting", gender: "x" })
      refuses(wrong, 422, /name/)
      assert.deepStrictEqual(wrong.json.detail.map(({ loc }: { readonly loc: unknown }) => loc), [
        ["body", "name"],
        ["body", "language"],
        ["body", "style"],
        ["body", "gender"]
      ])
      const without = await post(server, creating, { ...parts, file: undefined })
      refuses(without, 422, /file/)
      for (const bytes of [new Uint8Array(), new Uint8Array(4_000), clip.bytes.slice(0, 4_000)]) {
        refuses(
          await post(server, creating, { ...parts, file: { bytes, name: "clip.wav" } }),
          400,
          /^file cannot be used/
        )
      }
      refuses(await post(server, creating, { ...parts, name: "x".repeat(101) }), 422, /name/)
    })

    it("limit the number of voices by plan", async () => {
      const parts = { file: clip, name: "Many", language: "hi-IN" }
      const key = testKeys.foreign
      const ids = []
      for (let count = 0; count < 3; count++) ids.push((await post(server, creating, parts, { key })).json.voice_id)
      refuses(await post(server, creating, parts, { key }), 403, /3 voices/, "TIER_LIMIT_REACHED")
      await sendRequest(server, `/voices/${ids[0]}`, { method: "DELETE", key })
      assert.strictEqual((await post(server, creating, parts, { key })).status, 200)
    })

    const types = {
      wav: "audio/wav",
      linear16: "audio/L16; rate=16000; channels=1",
      mulaw: "audio/x-mulaw; rate=16000",
      alaw: "audio/x-alaw; rate=16000"
    }

    it.each(Object.entries(types))("stream %s as %s", async (codec, type) => {
      const response = await fetch(`${server.url}${streaming}`, {
        method: "POST",
        headers: { "api-subscription-key": testKeys.main },
        body: voiceForm({ ...good, output_audio_codec: codec, speech_sample_rate: "16000" })
      })
      assert.strictEqual(response.headers.get("content-type"), type)
      assert.match(response.headers.get("x-request-id") ?? "", /^\d{8}_[0-9a-f-]{36}$/)
      const bytes = new Uint8Array(await response.arrayBuffer())
      const { sound, text } = await heardIn(bytes, type)
      assert.deepStrictEqual([sound.rate, text], [16_000, said])
      if (codec === "wav") {
        const view = new DataView(bytes.buffer)
        assert.deepStrictEqual([view.getUint32(4, true), view.getUint32(40, true)], [0xffffffff, 0xffffffff])
      }
    })

    it("stream G.711 at 8 kHz", async () => {
      const asked = { ...good, output_audio_codec: "mulaw", speech_sample_rate: "8000" }
      const { headers, status } = await post(server, streaming, asked)
      assert.deepStrictEqual([status, headers.get("content-type")], [200, "audio/basic"])
    })

    it("generate speech as JSON, with a saved voice or a clip", async () => {
      for (const voice of [{}, { voice_id: undefined, ref_audio: clip, ref_text: "a reference" }]) {
        const { headers, json, status, text } = await post(server, generating, { ...good, ...voice })
        assert.strictEqual(status, 200, text)
        assert.deepStrictEqual(Object.keys(json).sort(), ["audio", "audio_b64", "audio_duration", "request_id"])
        assert.strictEqual(json.audio, json.audio_b64)
        assert.strictEqual(json.request_id, headers.get("x-request-id"))
        const { sound, text: heard } = await heardIn(Buffer.from(json.audio_b64, "base64"), "audio/wav")
        assert.deepStrictEqual([sound.rate, heard], [24_000, said])
        assert.closeTo(json.audio_duration, sound.samples.length / sound.rate, 0.001)
      }
    })

    it("ignore the text of a clip beside a saved voice, whatever its length", async () => {
      const { status, text } = await post(server, generating, { ...good, ref_text: "x".repeat(501) })
      assert.strictEqual(status, 200, text.slice(0, 300))
    })

    it("keep duration bounds to the sample, and check the speech", async () => {
      const longer = await post(server, generating, { ...good, min_audio_duration: "7.5", enable_qc: "true" })
      assert.strictEqual(longer.json.audio_duration, 7.5, longer.text)
      const sentence = {
        ...good,
        text: "a sentence that takes longer to say than its reference did",
        ref_audio_duration: "1"
      }
      const shorter = await post(server, generating, { ...sentence, max_audio_duration: "1.25" })
      assert.closeTo(shorter.json.audio_duration, 1.25, 0.005, shorter.text)
      const floored = await post(server, generating, {
        ...sentence,
        ref_audio_duration: "1.5",
        max_audio_duration: "1"
      })
      assert.closeTo(floored.json.audio_duration, 1.5, 0.005, floored.text)
    })

    it("treat empty fields as missing, and accept every spelling of booleans", async () => {
      const blank = {
        pace: "",
        ref_text: "null",
        ref_audio: "",
        max_audio_duration: "",
        enable_qc: "False",
        enable_vad: "1"
      }
      assert.strictEqual((await post(server, generating, { ...good, ...blank })).status, 200)
    })

    it.each(Object.entries(rejectedByStreams))("reject a stream with %s", async (_, [change, status, message]) => {
      refuses(await post(server, streaming, { ...good, ...change }), status, message)
    })

    it.each(Object.entries(rejectedByGeneration))("reject generation with %s", async (_, [change, status, message]) => {
      refuses(await post(server, generating, { ...good, ...change }), status, message)
    })

    it.each([creating, streaming, generating])("accept keys without the beta feature: %s", async (path) => {
      const parts = path === creating ? { file: clip, name: "Open", language: "hi-IN" } : good
      const answer = await post(server, path, { output_audio_codec: "wav", ...parts }, { key: testKeys.main })
      assert.strictEqual(answer.status, 200, answer.text.slice(0, 300))
    })

    it("reject bodies that are not forms with 415, and wrong keys with 403", async () => {
      for (const path of [creating, streaming, generating]) {
        refuses(await sendRequest(server, path, { method: "POST", body: {}, key: testKeys.beta }), 415, /multipart/)
        refuses(await post(server, path, good, { key: "sk_test_wrong_wrong" }), 403, /key/, "invalid_api_key_error")
        refuses(await sendRequest(server, path, { method: "PUT", key: testKeys.beta }), 405, /POST/)
      }
    })

    it("reject clips over their limit while they arrive", async () => {
      const large = { bytes: new Uint8Array(10_485_761), name: "clip.wav" }
      refuses(await post(server, generating, { ...good, voice_id: undefined, ref_audio: large }), 413, /10485760/)
      const huge = { bytes: new Uint8Array(52_428_801), name: "clip.wav" }
      refuses(await post(server, creating, { file: huge, name: "A", language: "hi-IN" }), 413, /52428800/)
    })

    it("charge the characters of the text, and nothing after a failure", async () => {
      const key = testKeys.prepaid
      const { json } = await post(server, creating, { file: clip, name: "Paid", language: "hi-IN" }, { key })
      const asked = { ...good, voice_id: json.voice_id, output_audio_codec: "wav" }
      refuses(
        await post(server, streaming, { ...asked, text: "x".repeat(334) }, { key }),
        402,
        /credits/,
        "insufficient_quota_error"
      )
      refuses(
        await post(server, generating, { ...asked, text: "x".repeat(334) }, { key }),
        402,
        /credits/,
        "insufficient_quota_error"
      )
      refuses(await post(server, generating, { ...asked, speech_sample_rate: "1" }, { key }), 422, /rate/)
      const affordable = `${"x ".repeat(166)}y`
      assert.strictEqual((await post(server, generating, { ...asked, text: affordable }, { key })).status, 200)
      refuses(await post(server, streaming, asked, { key }), 402, /credits/, "insufficient_quota_error")
    })

    it("share one rate limit, apart from the library of voices", async () => {
      const key = keyOf("voices")
      for (let count = 0; count < allowance; count++) {
        assert.notStrictEqual(
          (await post(limited, [creating, streaming, generating][count % 3] ?? "", {}, { key })).status,
          429
        )
      }
      for (const path of [creating, streaming, generating]) {
        const answer = await post(limited, path, good, { key })
        refuses(answer, 429, /voice_cloning/, "rate_limit_exceeded_error")
        assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/)
      }
      assert.strictEqual((await sendRequest(limited, "/voices", { key })).status, 200)
    })

    it("are unavailable without an engine that clones voices", async () => {
      const parts = { ...good, voice_id: undefined, ref_audio: clip }
      refuses(
        await post(limited, generating, parts, { key: keyOf("unvoiced") }),
        503,
        /speech engine/,
        "model_call_error"
      )
    })

    describe("with a probed engine", () => {
      let watched: VoiceParts

      beforeAll(async () => {
        const { json } = await post(probed, creating, { file: clip, name: "Probed", language: "hi-IN" })
        watched = { voice_id: json.voice_id, language_code: "en-IN", output_audio_codec: "linear16" }
      })

      const asks = async (text: string, path: string) => {
        const body = new Response(voiceForm({ ...watched, text }))
        const asking = request(`${probed.url}${path}`, {
          method: "POST",
          agent: false,
          headers: { "api-subscription-key": testKeys.beta, "content-type": body.headers.get("content-type") ?? "" }
        }).end(Buffer.from(await body.arrayBuffer()))
        asking.on("error", () => undefined)
        return asking
      }

      /** Requests a stream, and returns once its headers have arrived. */
      const open = async (text: string): Promise<Opened> => {
        const asking = await asks(text, streaming)
        const [response]: [IncomingMessage] = await once(asking, "response") as [IncomingMessage]
        return { response, leave: () => asking.destroy() }
      }

      it("send the first bytes before the last are synthesized", async () => {
        const { response } = await open("wait")
        let size = 0
        response.on("data", (piece) => size += piece.length)
        await once(response, "data")
        assert.isBelow(size, 2 * 24_000)
        assert.notInclude(probe.reports, "voice stopped")
        probe.open("voice")
        await once(response, "end")
        assert.strictEqual(size, 2 * 24_000)
      })

      it("respond with a JSON 500 when they fail before the first byte", async () => {
        for (const path of [streaming, generating]) {
          const answer = await post(probed, path, { ...watched, text: "break at once" })
          refuses(answer, 500, /engine broke/, "internal_server_error")
        }
      })

      it("are cut visibly when they fail after the first byte", async () => {
        const { response } = await open("break")
        await once(response, "data")
        response.resume()
        probe.open("voice")
        const [error] = await once(response, "error")
        assert.instanceOf(error, Error)
        assert.isFalse(response.complete)
      })

      it("apply backpressure to synthesis", async () => {
        const opened = await Promise.all(Array.from({ length: 3 }, () => open("go on")))
        opened.forEach(({ response }) => response.on("error", () => undefined).pause())
        const spoken = async () => (await sendRequest(probed, "/health")).json.calls
        let before = -1
        for (let alike = 0, now = await spoken(); alike < 20; now = await spoken()) {
          alike = now === before ? alike + 1 : 0
          before = now
        }
        opened.forEach(({ leave }) => leave())
        await probe.reported("voice stopped", 3)
      })

      it("stop when the client disconnects from a stream", async () => {
        const { leave, response } = await open("go on")
        response.on("error", () => undefined)
        await once(response, "data")
        leave()
        await probe.reported("voice stopped")
      })

      it.each([streaming, generating])("stop when the client disconnects before the response: %s", async (path) => {
        const asking = await asks("say nothing", path)
        await probe.reported("voice begun")
        asking.destroy()
        await probe.reported("voice stopped")
      })
    })
  })
