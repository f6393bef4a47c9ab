import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { AudioCodecsWasm } from "@trunkline/codecs-wasm"
import { testEngineWith, testKeys } from "@trunkline/http-api/testing"
import { serve } from "@trunkline/node-http"
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { clipSaying } from "../serving/Clips.js"
import { found } from "./Sounds.js"

const run = promisify(execFile)

/** Output of curl: the status and the content type, and the body in a file. */
interface Printed {
  readonly status: string
  readonly type: string
  readonly body: Buffer
}

describe.skipIf(!found("curl"))("voices with curl (skipped where there is none)", () => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-curl-"))
  let server: Awaited<ReturnType<typeof serve>>

  const curl = async (path: string, ...fields: ReadonlyArray<string>): Promise<Printed> => {
    const file = join(folder, "body")
    const printing = ["-s", "-o", file, "-w", "%{http_code} %{content_type}"]
    const key = ["-H", `api-subscription-key: ${testKeys.beta}`]
    const form = fields.flatMap((field) => ["-F", field])
    const { stdout } = await run("curl", [...printing, ...key, ...form, `${server.url}${path}`])
    const [status = "", ...type] = stdout.split(" ")
    return { status, type: type.join(" "), body: readFileSync(file) }
  }

  beforeAll(async () => {
    writeFileSync(join(folder, "clip.wav"), await clipSaying("a reference"))
    server = await serve(testEngineWith({ codecs: AudioCodecsWasm.layer() }), { port: 0 })
  })
  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })

  it("are saved, streamed as mp3 and generated as FLAC", async () => {
    const file = `@${join(folder, "clip.wav")}`
    const created = await curl("/voices/create", `file=${file};type=audio/wav`, "name=Asha", "language=hi-IN")
    assert.strictEqual(created.status, "200", created.body.toString())
    const { voice_id } = JSON.parse(created.body.toString())

    const spoken = ["language_code=hi-IN", "text=नमस्ते, ₹1,25,000"]
    const streamed = await curl("/voices/clone/stream", `voice_id=${voice_id}`, ...spoken, "output_audio_bitrate=64k")
    assert.deepStrictEqual([streamed.status, streamed.type], ["200", "audio/mpeg"])
    // An MPEG frame of layer III begins with these bits (ISO 11172-3).
    assert.strictEqual((streamed.body.readUInt16BE() & 0xffe6) >> 1, 0xffe2 >> 1)

    const generated = await curl("/voices/clone", `ref_audio=${file}`, ...spoken, "output_audio_codec=flac")
    const { audio_b64 } = JSON.parse(generated.body.toString())
    assert.strictEqual(Buffer.from(audio_b64, "base64").toString("latin1", 0, 4), "fLaC")
  })

  it("are refused in words", async () => {
    const refused = await curl("/voices/clone/stream", "voice_id=", "language_code=hi-IN", "text=")
    assert.deepStrictEqual([refused.status, JSON.parse(refused.body.toString()).error.code], [
      "400",
      "invalid_request_error"
    ])
  })
})
