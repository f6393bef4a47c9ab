import { type Audio, concatSamples, type G711, levelsOf, makeResampler, readWav } from "@trunkline/audio"
import { Either } from "effect"
import { spawnSync } from "node:child_process"

/** A voice of espeak-ng with words per minute and pitch. */
export type Caller = readonly [voice: string, speed: number, pitch: number]

/** Sound of a text at 8 kHz. */
export const speechOf = (text: string, [voice, speed, pitch]: Caller): Audio => {
  const parameters = ["--stdout", "-v", voice, "-s", String(speed), "-p", String(pitch), text]
  const { stdout } = spawnSync("espeak-ng", parameters, { maxBuffer: 1 << 24 })
  const { rate, samples } = Either.getOrThrow(readWav(new Uint8Array(stdout), { seconds: 60 }))
  const { end, push } = makeResampler({ from: rate, to: 8_000 })
  return { rate: 8_000, samples: concatSamples([push(samples), end()]) }
}

/** Random numbers from -1 to 1, the same in each run. */
const makeNoise = () => {
  let state = 12_345
  return () => {
    state = state * 48_271 % 2_147_483_647
    return state / 1_073_741_824 - 1
  }
}

const random = makeNoise()

/** A telephone line: its codec, noise some decibels below the speech, and the share of frames that are lost. */
export interface Line {
  readonly codec: G711
  readonly snr: number
  readonly loss: number
}

/** Sound between pauses over a line. */
export const overLine = (audio: Audio, { codec, loss, snr }: Line): Audio => {
  const pause = new Float32Array(4_000)
  const samples = concatSamples([pause, audio.samples, pause])
  const level = Math.sqrt(3) * 10 ** ((levelsOf(audio).rms - snr) / 20)
  const output = codec.decode(codec.encode(samples.map((sample) => sample + level * random())))
  for (let at = 0; at < output.length; at += 160) if ((random() + 1) / 2 < loss) output.fill(0, at, at + 160)
  return { rate: 8_000, samples: output }
}
