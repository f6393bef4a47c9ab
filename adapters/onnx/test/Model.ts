import { concatSamples, makeResampler, readWav, speechSpans } from "@trunkline/audio"
import { VadSilero } from "@trunkline/onnx"
import { Either } from "effect"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

/** Folder whose packages have the runtime and the model; `node tools/with.mjs test/clients` installs them. */
export const from = fileURLToPath(new URL("../../../test/clients", import.meta.url))

const problem = VadSilero.problem({ from })

/** True where the model and espeak-ng are installed. */
export const canHear = problem === null && spawnSync("espeak-ng", ["--version"]).status === 0

export const skippedWithout = canHear ? "with the model" : `skipped: ${problem ?? "espeak-ng is not installed"}`

/** A sentence by espeak-ng at a rate in hertz, from its first sound to its last. */
export const sentenceAt = (to: number): Float32Array => {
  const text = "My order number is nine one two and I am in a hurry"
  const { stdout } = spawnSync("espeak-ng", ["-v", "en-gb", "--stdout", text])
  const spoken = Either.getOrThrow(readWav(stdout, { seconds: 60 }))
  const resampler = makeResampler({ from: spoken.rate, to, band: "telephone" })
  const samples = concatSamples([resampler.push(spoken.samples), resampler.end()])
  const [span] = speechSpans({ rate: to, samples })
  return samples.slice(span?.from, span?.to)
}
