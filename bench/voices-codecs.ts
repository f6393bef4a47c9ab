import { type Audio, AudioCodec, type AudioCodecs, type AudioFormat, StreamCodec } from "@trunkline/audio"
import { Effect, Schema } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { ms, percentile, timed } from "./boards-timing.js"

const rounds = 7
const rate = 24_000
const seconds = 11.3
const pieceSamples = rate / 5

/** Eleven seconds of audio that is not trivial to compress: harmonics of varying loudness. */
const samples = Float32Array.from({ length: seconds * rate }, (_, index) => {
  const time = index / rate
  const pitch = 140 + 30 * Math.sin(2 * Math.PI * 0.7 * time)
  const voice = [1, 2, 3, 5, 8].reduce(
    (sum, harmonic) => sum + Math.sin(2 * Math.PI * pitch * harmonic * time) / harmonic,
    0
  )
  return 0.12 * voice * Math.abs(Math.sin(2 * Math.PI * 2 * time))
})

const clip: Audio = { rate, samples }

const pieces = Array.from(
  { length: Math.ceil(samples.length / pieceSamples) },
  (_, index) => samples.subarray(index * pieceSamples, (index + 1) * pieceSamples)
)

/** The arguments of ffmpeg for the same output. */
const ffmpegArguments: Readonly<Record<AudioCodec, ReadonlyArray<string>>> = {
  mp3: ["-c:a", "libmp3lame", "-b:a", "128k", "-f", "mp3"],
  wav: ["-c:a", "pcm_s16le", "-f", "wav"],
  linear16: ["-c:a", "pcm_s16le", "-f", "s16le"],
  mulaw: ["-c:a", "pcm_mulaw", "-f", "mulaw"],
  alaw: ["-c:a", "pcm_alaw", "-f", "alaw"],
  flac: ["-c:a", "flac", "-f", "flac"],
  opus: ["-c:a", "libopus", "-f", "ogg"],
  aac: ["-c:a", "aac", "-f", "adts"]
}

interface Run {
  readonly first: number
  readonly total: number
}

const byFfmpeg = async (codec: AudioCodec): Promise<Run> => {
  const input = ["-f", "f32le", "-ar", String(rate), "-ac", "1", "-i", "pipe:0"]
  const started = performance.now()
  const child = spawn("ffmpeg", ["-v", "error", ...input, ...ffmpegArguments[codec], "-flush_packets", "1", "pipe:1"], {
    stdio: ["pipe", "pipe", "inherit"]
  })
  const first = once(child.stdout, "data").then(() => performance.now() - started)
  child.stdout.resume()
  for (const piece of pieces) child.stdin.write(new Uint8Array(piece.slice().buffer))
  child.stdin.end()
  await once(child, "close")
  return { first: await first, total: performance.now() - started }
}

const isStreamed = Schema.is(StreamCodec)

const streamed = (codecs: AudioCodecs["Type"], codec: StreamCodec) =>
  Effect.gen(function*() {
    const started = performance.now()
    let first: number | undefined
    const encoder = yield* codecs.encoder({ codec, rate })
    for (const piece of pieces) {
      const bytes = yield* encoder.push(piece)
      if (bytes.length > 0) first ??= performance.now() - started
    }
    yield* encoder.end
    const total = performance.now() - started
    return { first: first ?? total, total }
  }).pipe(Effect.scoped, Effect.runPromise)

/** A whole file has no first byte before its last. */
const whole = async (codecs: AudioCodecs["Type"], format: AudioFormat): Promise<Run> => {
  const { took } = await timed(() => Effect.runPromise(codecs.encode(clip, format)))
  return { first: took, total: took }
}

const medianOf = (runs: ReadonlyArray<Run>): Run => ({
  first: percentile(runs.map(({ first }) => first), 50),
  total: percentile(runs.map(({ total }) => total), 50)
})

/** Compares every codec in this process with one ffmpeg process per clip, taking turns. */
export const benchCodecs = async (codecs: AudioCodecs["Type"]): Promise<void> => {
  console.log(`  ${seconds} s of audio at ${rate} Hz in chunks of 200 ms; medians of ${rounds}. x = times real time`)
  for (const codec of AudioCodec.literals) {
    const ours: Array<Run> = []
    const theirs: Array<Run> = []
    for (let round = 0; round <= rounds; round++) {
      const runs = [
        isStreamed(codec) ? await streamed(codecs, codec) : await whole(codecs, { codec, rate }),
        await byFfmpeg(codec)
      ] as const
      if (round === 0) continue
      ours.push(runs[0])
      theirs.push(runs[1])
    }
    const [one, other] = [medianOf(ours), medianOf(theirs)]
    const speed = (run: Run) => `${Math.round(seconds * 1_000 / run.total)}x`
    const first = isStreamed(codec) ? `first byte ${ms(one.first)} to ${ms(other.first)}, ` : ""
    console.log(
      `  ${codec.padEnd(8)} ${first}all ${ms(one.total)} (${speed(one)}) to ffmpeg's ${ms(other.total)} (${
        speed(other)
      }): ${(other.total / one.total).toFixed(1)} times as fast`
    )
  }
}
