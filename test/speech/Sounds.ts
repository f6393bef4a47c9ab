import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** True when a program is installed. */
export const found = (program: string): boolean => spawnSync(program, ["-version"]).error === undefined

/** True when independent audio programs are installed. */
export const hasFfmpeg = found("ffprobe") && found("ffmpeg")

/** Options of ffmpeg for bytes without a header. */
const headerless: Readonly<Record<string, string>> = { linear16: "s16le", mulaw: "mulaw", alaw: "alaw" }

/** A file as ffmpeg sees it: its codec, its rate, its channels, and every sample of it. */
export interface Seen {
  readonly codec: string
  readonly rate: number
  readonly channels: number
  readonly samples: Float32Array
}

/** Has ffprobe describe and ffmpeg decode a file, at its own rate. */
export const seenByFfmpeg = (
  bytes: Uint8Array,
  { codec, rate }: { readonly codec: string; readonly rate: number }
): Seen => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-sound-"))
  try {
    const file = join(folder, "sound")
    writeFileSync(file, bytes)
    const format = headerless[codec]
    const input = format === undefined ? [] : ["-f", format, "-ar", String(rate), "-ac", "1"]
    const described = ["-v", "error", "-show_streams", "-of", "json"]
    const probed = spawnSync("ffprobe", [...described, ...input, file], { encoding: "utf8" })
    const [stream] = JSON.parse(probed.stdout || "{}").streams ?? []
    const decoded = spawnSync("ffmpeg", ["-v", "error", ...input, "-i", file, "-f", "f32le", "-"], {
      maxBuffer: 1 << 28
    })
    return {
      codec: stream?.codec_name ?? probed.stderr,
      rate: Number(stream?.sample_rate),
      channels: Number(stream?.channels),
      samples: new Float32Array(new Uint8Array(decoded.stdout).buffer)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The frequency of a tone by where it rises through zero, its first and last tenth left out. */
export const frequencyOf = ({ rate, samples }: Pick<Seen, "rate" | "samples">): number => {
  const inner = samples.subarray(Math.floor(samples.length / 10), Math.ceil(samples.length * 9 / 10))
  const rises: Array<number> = []
  inner.forEach((sample, index) => {
    const before = inner[index - 1] ?? 0
    if (index > 0 && before < 0 && sample >= 0) rises.push(index - sample / (sample - before))
  })
  const [first = 0] = rises
  return (rises.length - 1) * rate / ((rises.at(-1) ?? 0) - first)
}
