import { assert, beforeAll, describe, it } from "@effect/vitest"
import { testKeys } from "@trunkline/http-api/testing"
import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { sendRequest } from "../Client.js"
import { clipSaying, voiceForm, type VoiceParts } from "../Clips.js"
import { probing } from "../Probe.js"
import { creating, generating, post, refuses, said, streaming } from "../requests/VoiceRequests.js"
import { served, type Way } from "../Ways.js"

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

/**
 * Rejections of requests for voices and speech, and disconnects. Raw HTTP, since its subject is the wire: forms that no type allows,
 * envelopes, and connections that break.
 */
export const voiceChecksSuite = (way: Way) =>
  describe(`checks of voice requests over ${way.name}`, () => {
    const probe = probing()

    const server = served(way)

    const probed = served(way, "probed")

    let clip: { readonly bytes: Uint8Array; readonly name: string }

    let good: VoiceParts

    beforeAll(async () => {
      clip = { bytes: await clipSaying("a reference"), name: "clip.wav" }
      const created = await post(server, creating, { file: clip, name: "Asha", language: "hi-IN" })
      assert.strictEqual(created.status, 200, created.text)
      good = { voice_id: created.json.voice_id, text: said, language_code: "en-IN" }
    })

    it.each(Object.entries(rejectedByStreams))("reject a stream with %s", async (_, [change, status, message]) => {
      refuses(await post(server, streaming, { ...good, ...change }), status, message)
    })

    it.each(Object.entries(rejectedByGeneration))("reject generation with %s", async (_, [change, status, message]) => {
      refuses(await post(server, generating, { ...good, ...change }), status, message)
    })

    it.each([creating, streaming, generating])("accept keys without the beta feature: %s", async (path) => {
      const parts = path === creating
        ? { file: clip, name: "Open", language: "hi-IN" }
        : { output_audio_codec: "wav", ...good }
      const answer = await post(server, path, parts, { key: testKeys.main })
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
