import { decibels } from "../levels/Levels.js"

/**
 * Tone that a frame consists of:
 *
 * - `signal`: the tones of exchanges of 400 to 450 Hz, and 480 with 620 Hz (ITU-T E.180/Q.35, supplement 2).
 * - `low`, `middle`, `high`: the three of the special information tone: 950, 1400 and 1800 Hz (ITU-T E.180/Q.35).
 */
export type Tone = "signal" | "low" | "middle" | "high"

/** Tone and level of a frame. */
export interface FrameTone {
  /** Null for a frame of any other sound. */
  readonly tone: Tone | null
  /** Level in dBFS; -120 for silence. */
  readonly level: number
}

/** Share of the power of a frame that a tone has: one between two bands of 50 Hz loses a fifth to their neighbours. */
const minShare = 0.7

/** Level in dBFS below which nothing is a tone. */
const audibleLevel = -45

/** Centres of the three tones of special information, in hertz. */
const information = [["low", 950], ["middle", 1_400], ["high", 1_800]] as const

/** Mean square of a frame. */
const powerOf = (frame: Float32Array): number => {
  let squares = 0
  for (let at = 0; at < frame.length; at++) squares += (frame[at] ?? 0) ** 2
  return squares / frame.length
}

/** Factor of the recurrence of Goertzel for a frequency. */
const turnOf = (frequency: number, rate: number): number => 2 * Math.cos(2 * Math.PI * frequency / rate)

const energyOf = (turn: number, now: number, before: number): number =>
  now * now + before * before - turn * now * before

/**
 * Mean square of a frame of 20 ms within three bands of 50 Hz around a centre, by the algorithm of Goertzel. The three run
 * side by side, since each sample of one waits for the sample before.
 */
const bandPower = (frame: Float32Array, [lower, centre, upper]: readonly [number, number, number]): number => {
  let [a, b, c] = [0, 0, 0]
  let [earlierA, earlierB, earlierC] = [0, 0, 0]
  for (let at = 0; at < frame.length; at++) {
    const sample = frame[at] ?? 0
    const nextA = lower * a - earlierA + sample
    const nextB = centre * b - earlierB + sample
    const nextC = upper * c - earlierC + sample
    earlierA = a
    earlierB = b
    earlierC = c
    a = nextA
    b = nextB
    c = nextC
  }
  const energy = energyOf(lower, a, earlierA) + energyOf(centre, b, earlierB) + energyOf(upper, c, earlierC)
  return energy * 2 / frame.length ** 2
}

/**
 * Makes a function that tells the tone of a frame of 20 ms, for sound at a rate in hertz. It takes some microseconds, and
 * keeps nothing from one frame to the next.
 */
export const makeFrameTone = (rate: number): (frame: Float32Array) => FrameTone => {
  const around = (centre: number) =>
    [turnOf(centre - 50, rate), turnOf(centre, rate), turnOf(centre + 50, rate)] as const
  const [signal, second] = [around(450), around(650)]
  const others = information.map(([tone, centre]) => [tone, around(centre)] as const)

  const toneOf = (frame: Float32Array, power: number): Tone | null => {
    const first = bandPower(frame, signal)
    if (first >= minShare * power) return "signal"
    // The second tone is that of 480 Hz and 620 Hz; a voice has neither half of its power in each.
    if (first >= minShare / 3 * power && first + bandPower(frame, second) >= minShare * power) return "signal"
    return others.find(([, bands]) => bandPower(frame, bands) >= minShare * power)?.[0] ?? null
  }

  return (frame) => {
    const power = powerOf(frame)
    const level = decibels(power)
    return { tone: level < audibleLevel ? null : toneOf(frame, power), level }
  }
}
