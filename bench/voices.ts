import { AudioCodecs } from "@trunkline/audio"
import { AudioCodecsWasm } from "@trunkline/codecs-wasm"
import { testKeys } from "@trunkline/http-api/testing"
import { Effect } from "effect"
import { fork } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { ms, percentile } from "./boards-timing.js"
import { here, publish } from "./published.js"
import { benchCodecs } from "./voices-codecs.js"

const text = "Your order of twelve books left our store this morning. It will be with you by tomorrow evening. " +
  "If you are not at home, the driver will call you before he comes. Thank you for your patience, and goodbye."

interface StreamTiming {
  readonly first: number
  readonly total: number
  readonly bytes: number
}

const headers = { "api-subscription-key": testKeys.beta }

const formOf = (parts: Readonly<Record<string, string | Blob>>): FormData => {
  const form = new FormData()
  Object.entries(parts).forEach(([name, part]) => {
    if (typeof part === "string") form.append(name, part)
    else form.append(name, part, "clip.wav")
  })
  return form
}

const listen = async (url: string, parts: Readonly<Record<string, string>>): Promise<StreamTiming> => {
  const started = performance.now()
  const response = await fetch(`${url}/voices/clone/stream`, { method: "POST", headers, body: formOf(parts) })
  if (!response.ok || response.body === null) throw new Error(await response.text())
  let first = 0
  let bytes = 0
  for await (const piece of response.body) {
    first ||= performance.now() - started
    bytes += piece.length
  }
  return { first, total: performance.now() - started, bytes }
}

const rssOf = async (child: ReturnType<typeof fork>): Promise<number> => {
  child.send("rss")
  const [rss] = await once(child, "message")
  return Math.round(Number(rss) / 1_048_576)
}

const benchServer = async (): Promise<void> => {
  await publish("voices-server.ts")
  const child = fork(here("dist/voices-server.js"), [], { execArgv: [] })
  try {
    const [url] = await once(child, "message")
    const clip = new Blob([readFileSync(here("../docs/sounds/reference.wav"))])
    const created = await fetch(`${url}/voices/create`, {
      method: "POST",
      headers,
      body: formOf({ file: clip, name: "Bench", language: "en-IN" })
    })
    const { voice_id }: ReturnType<typeof JSON.parse> = await created.json()
    const request = { voice_id, text, language_code: "en-IN", output_audio_codec: "linear16" }
    await listen(url, request)
    const alone: Array<StreamTiming> = []
    for (let round = 0; round < 15; round++) alone.push(await listen(url, request))
    const seconds = (alone[0]?.bytes ?? 0) / 48_000
    const medianOf = (pick: (timing: StreamTiming) => number) => percentile(alone.map(pick), 50)
    console.log(
      `  espeak-ng over HTTP, ${seconds.toFixed(1)} s of audio: first byte ${ms(medianOf(({ first }) => first))}, all ${
        ms(medianOf(({ total }) => total))
      } (${Math.round(seconds * 1_000 / medianOf(({ total }) => total))}x real time)`
    )
    const before = await rssOf(child)
    let highest = before
    const watching = setInterval(() => void rssOf(child).then((rss) => (highest = Math.max(highest, rss))), 100)
    const started = performance.now()
    const many = await Promise.all(
      Array.from({ length: 100 }, () => listen(url, { ...request, output_audio_codec: "mp3" }))
    )
    clearInterval(watching)
    const took = performance.now() - started
    console.log(
      `  100 mp3 streams at once: first byte p50 ${ms(percentile(many.map(({ first }) => first), 50))}, p99 ${
        ms(percentile(many.map(({ first }) => first), 99))
      }; all in ${ms(took)} (${
        Math.round(100 * seconds * 1_000 / took)
      }x real time); ${before} MB of memory before, ${highest} MB at most`
    )
  } finally {
    child.kill()
  }
}

/** Compares all codecs with ffmpeg, and prints the latency for listeners. */
export const run = async (): Promise<void> => {
  await Effect.runPromise(
    Effect.flatMap(AudioCodecs, (codecs) => Effect.promise(() => benchCodecs(codecs))).pipe(
      Effect.provide(AudioCodecsWasm.layer())
    )
  )
  await benchServer()
}
