import type { Audio } from "@trunkline/audio"
import { spawnSync } from "node:child_process"

/** True when ffmpeg is installed. */
export const hasFfmpeg = spawnSync("ffmpeg", ["-version"]).status === 0

const run = (input: Uint8Array, ...parameters: ReadonlyArray<string>): Uint8Array =>
  spawnSync("ffmpeg", ["-v", "error", ...parameters], { input, maxBuffer: 2 ** 28 }).stdout

/** Encodes and decodes audio with ffmpeg, in the given container with additional parameters. */
export const through = ({ rate, samples }: Audio, format: string, parameters: ReadonlyArray<string>): Audio => {
  const raw = ["-f", "f32le", "-ac", "1", "-ar", String(rate)]
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
  const coded = run(bytes, ...raw, "-i", "-", ...parameters, "-f", format, "-")
  const decoded = run(coded, "-i", "-", ...raw, "-")
  return { rate, samples: new Float32Array(decoded.slice().buffer) }
}
