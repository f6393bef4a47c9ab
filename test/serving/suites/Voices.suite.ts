import { assert, beforeAll, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { sendRequest } from "../Client.js"
import { clipSaying, heardIn, voiceForm, type VoiceParts } from "../Clips.js"
import { allowance, keyOf } from "../engines/Customers.js"
import { refusal, type Remote, remoteOf } from "../Remote.js"
import { creating, generating, post, refuses, said, streaming } from "../requests/VoiceRequests.js"
import { served, type Way } from "../Ways.js"

/**
 * Voices and speech. Raw requests are left where the wire is the subject: forms with spellings and values that no type allows, and the
 * bytes and headers of sound.
 */
export const voicesSuite = (way: Way) =>
  describe(`voices over ${way.name}`, () => {
    const server = served(way)

    const limited = served(way, "limited")

    let clip: { readonly bytes: Uint8Array; readonly name: string }

    let good: VoiceParts

    beforeAll(async () => {
      clip = { bytes: await clipSaying("a reference"), name: "clip.wav" }
      const created = await post(server, creating, { file: clip, name: "Asha", language: "hi-IN" })
      assert.strictEqual(created.status, 200, created.text)
      good = { voice_id: created.json.voice_id, text: said, language_code: "en-IN" }
    })

    /** Checks how the client reads a refusal, and what was on the wire. */
    const fails = async (
      { last }: Remote,
      work: Promise<unknown>,
      { code, message, status }: { readonly status: number; readonly message: RegExp; readonly code: string }
    ) => {
      const failure = await refusal(work)
      assert.deepStrictEqual([failure.status, failure.code], [status, code])
      assert.match(failure.message, message)
      assert.strictEqual(failure.requestId, last().headers.get("x-request-id"))
      refuses({ ...last(), json: JSON.parse(last().text) }, status, message, code)
    }

    const missing = { status: 404, message: /No voice/, code: "not_found_error" }

    const noVoice = { status: 400, message: /voice/, code: "invalid_request_error" }

    it("save a voice, show it only to keys of its account, and delete it", async () => {
      const main = remoteOf(server, { key: testKeys.beta })
      const side = remoteOf(server, { key: testKeys.side })
      const foreign = remoteOf(server, { key: testKeys.foreign })
      const created = await main.trunkline.voices.create({
        file: new Blob([clip.bytes]),
        name: "Ravi",
        language: "en-IN",
        style: "sales",
        gender: "male"
      })
      assert.strictEqual(main.last().status, 200)
      const { data, request_id, ...voice } = created
      const { voice_id } = voice
      assert.match(voice_id, /^svc-[0-9a-f-]{36}$/)
      assert.deepStrictEqual(data, { voice_id, reference_text: "a reference" })
      assert.strictEqual(request_id, main.last().headers.get("x-request-id"))
      assert.deepInclude(voice, { name: "Ravi", language: "en-IN", style: "sales", gender: "male" })

      assert.deepStrictEqual<unknown>(await side.trunkline.voices.get(voice_id), voice)
      const { items, total } = await side.trunkline.voices.list({ search: "ravi", sort_by: "name" })
      assert.deepStrictEqual<unknown>([total, items], [1, [voice]])
      const blank = await sendRequest(server, "/voices?search=ravi&sort_by=&sort_order=", { key: testKeys.side })
      assert.deepStrictEqual([blank.json.total, blank.json.items], [1, [voice]])

      await fails(foreign, foreign.trunkline.voices.get(voice_id), missing)
      await fails(foreign, foreign.trunkline.voices.remove(voice_id), missing)
      const asked = { text: said, language_code: "en-IN", voice_id } as const
      await fails(foreign, foreign.trunkline.voices.speak(asked), noVoice)

      assert.deepStrictEqual(await side.trunkline.voices.remove(voice_id), { voice_id, deleted: true })
      assert.strictEqual(side.last().status, 200)
      await fails(main, main.trunkline.voices.get(voice_id), missing)
      await fails(main, main.trunkline.voices.speak(asked), noVoice)
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
      const remote = remoteOf(server, { key: testKeys.foreign })
      const { voices } = remote.trunkline
      const create = () => voices.create({ file: new Blob([clip.bytes]), name: "Many", language: "hi-IN" })
      const ids = []
      for (let count = 0; count < 3; count++) ids.push((await create()).voice_id)
      await fails(remote, create(), { status: 403, message: /3 voices/, code: "TIER_LIMIT_REACHED" })
      await voices.remove(ids[0] ?? "")
      await create()
      assert.strictEqual(remote.last().status, 200)
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
      const { audio, text } = await heardIn(bytes, type)
      assert.deepStrictEqual([audio.rate, text], [16_000, said])
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
        const { audio, text: heard } = await heardIn(Buffer.from(json.audio_b64, "base64"), "audio/wav")
        assert.deepStrictEqual([audio.rate, heard], [24_000, said])
        assert.closeTo(json.audio_duration, audio.samples.length / audio.rate, 0.001)
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
  })
