import type { Sound } from "@trunkline/audio"
import { spawnSync } from "node:child_process"

/** Whether ffmpeg is installed. */
export const hasFfmpeg = spawnSync("ffmpeg", ["-version"]).status === 0

const run = (input: Uint8Array, ...parameters: ReadonlyArray<string>): Uint8Array =>
  spawnSync("ffmpeg", ["-v", "error", ...parameters], { input, maxBuffer: 2 ** 28 }).stdout

/** A sound as it comes out of a codec: ffmpeg's name of its container, and what else it is told. */
export const through = ({ rate, samples }: Sound, format: string, parameters: ReadonlyArray<string>): Sound => {
  const raw = ["-f", "f32le", "-ac", "1", "-ar", String(rate)]
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
  const coded = run(bytes, ...raw, "-i", "-", ...parameters, "-f", format, "-")
  const decoded = run(coded, "-i", "-", ...raw, "-")
  return { rate, samples: new Float32Array(decoded.slice().buffer) }
}
