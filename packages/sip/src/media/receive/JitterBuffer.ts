import { frameSamples } from "@trunkline/audio"
import { fadeLength, makeConcealment, maxPeriod } from "../concealment/Concealment.js"
import { makeTimeScale } from "../concealment/TimeScale.js"
import { type RtpCodec, samplesPerUnit, type SoundRate } from "../packets/RtpCodec.js"
import { type RtpPacket, timestampDistance } from "../packets/RtpPacket.js"
import { makeCodeRing, ringUnits } from "./CodeRing.js"
import { type DelayLimits, makeDelayEstimate } from "./DelayEstimate.js"

/** Sound that arrives in packets at any time, and leaves in a frame every 20 ms. */
export interface JitterBuffer {
  /** Takes the sound of a packet that was not received before. */
  readonly push: (packet: RtpPacket, codec: RtpCodec, arrivalMillis: number) => void
  /** Takes note that the other side sent no sound for some units of the timestamp, as during a key: that is no gap. */
  readonly pushSilence: (timestamp: number, units: number) => void
  /**
   * Fills a frame of 20 ms: 160 samples, or 320 at 16,000 Hz. Returns true when some of them stand for lost or late packets.
   * Call this once every 20 ms of the same clock as `arrivalMillis`.
   */
  readonly pop: (nowMillis: number, frame: Float32Array) => boolean
  /** Transit of a packet compared with the shortest one, in milliseconds; 0 before the first packet. */
  readonly deviationMillis: (timestamp: number, arrivalMillis: number) => number
  /** Drops all sound, for a stream that begins anew. */
  readonly reset: () => void
  /** Delay of the sound after the fastest packets, in milliseconds. */
  readonly delayMillis: number
  /** Packets that arrived after their turn. */
  readonly latePackets: number
  /** Frames that were filled in, wholly or in part. */
  readonly concealedFrames: number
}

/** Range of the delay of a jitter buffer, and the rate of its sound. */
export interface JitterBufferOptions {
  /** In milliseconds; 20 by default. */
  readonly minimumMillis?: number
  /** In milliseconds, at most 500; 200 by default. */
  readonly maximumMillis?: number
  /** Samples per second of the frames; 8,000 by default. It stays, whatever the codecs of the packets. */
  readonly rate?: SoundRate
}

/** Units of the timestamp in a millisecond. All times count such units, at any rate. */
const unitsPerMilli = 8

/** Delay above the target, and below it, from which the delay is adjusted: 10 ms. */
const longExcess = 80
const shortExcess = 80

/** Delay beyond the maximum at which sound is dropped at once: 200 ms. */
const maxExcess = 1_600

/** Frames between two adjustments within sound that is not quiet. */
const pauseFrames = 5

/** Adding this keeps extended timestamps positive. */
const timeOrigin = 2 ** 33

/**
 * Makes a jitter buffer for sound in packets of any duration. Its delay follows the jitter of the last five
 * seconds: it grows by repeating a period of the voice and shrinks by leaving one out, mostly in pauses. When a packet is
 * missing and none has come after it, the next one is awaited up to the maximum of the delay; a packet that was late is
 * then still heard, and the delay shrinks again. After a pause of the sender the delay begins at its target.
 */
export const makeJitterBuffer = (
  { maximumMillis = 200, minimumMillis = 20, rate = 8_000 }: JitterBufferOptions = {}
): JitterBuffer => {
  const limits: DelayLimits = {
    minimum: minimumMillis * unitsPerMilli,
    maximum: Math.min(500, maximumMillis) * unitsPerMilli
  }
  const estimate = makeDelayEstimate(limits)
  const scale = samplesPerUnit(rate)
  const ring = makeCodeRing(rate)
  const concealment = makeConcealment(rate)
  const timeScale = makeTimeScale(rate)
  /** Timestamps, extended so that they never wrap: of the last packet, of what is heard next, and after the newest one. */
  let last = Number.NaN
  let next = 0
  let newest = 0
  /** End of what was heard, and of a pause of the sender. */
  let soundEnd = 0
  let pauseEnd = 0
  let sinceAdjusted = 0
  let delay = 0
  let latePackets = 0
  let concealedFrames = 0

  const extend = (timestamp: number): number =>
    Number.isNaN(last) ? timeOrigin + timestamp : last + timestampDistance(last % 2 ** 32, timestamp)

  /** Position that should be heard at a time. */
  const due = (now: number): number => Math.round(now - estimate.base - estimate.target)

  const skipTo = (position: number): void => {
    ring.drop(next, position)
    next = position
  }

  /** Begins at a packet after a pause, at the target of the delay, but never again with what was heard. */
  const begin = (start: number, now: number): void => {
    if (now - start > estimate.base + limits.maximum) {
      estimate.reset()
      estimate.add(now - start)
    }
    skipTo(Math.max(soundEnd, Math.min(start, due(now))))
    newest = Math.max(newest, next)
    pauseEnd = start
  }

  const isPausing = (): boolean => newest <= next && concealment.filledSamples >= scale * fadeLength

  const fill = (frame: Float32Array, from: number, to: number): boolean => {
    const isGap = next >= pauseEnd
    if (isGap) concealment.fill(frame, scale * from, scale * to)
    else frame.fill(0, scale * from, scale * to)
    return isGap
  }

  /** Fills a frame with what is there. Returns true when something had to be filled in. */
  const assemble = (frame: Float32Array, now: number): boolean => {
    let isConcealed = false
    let at = 0
    while (at < frameSamples) {
      const present = ring.present(next, frameSamples - at)
      if (present > 0) {
        ring.copy(next, present, frame, at)
        concealment.play(frame, scale * at, scale * (at + present))
        skipTo(next + present)
        soundEnd = next
        at += present
        continue
      }
      if (next < newest) {
        const gap = ring.countMissing(next, newest - next)
        const excess = due(now + at) - next
        if (next >= pauseEnd && excess > 0) {
          next += Math.min(gap, excess)
          continue
        }
        const fillLength = Math.min(gap, frameSamples - at)
        isConcealed = fill(frame, at, at + fillLength) || isConcealed
        next += fillLength
        at += fillLength
        continue
      }
      const isShort = concealment.filledSamples < scale * fadeLength
      isConcealed = fill(frame, at, frameSamples) && isShort || isConcealed
      const isLong = now + frameSamples - next > estimate.base + limits.maximum
      if (isLong || next < pauseEnd) next += frameSamples - at
      at = frameSamples
    }
    return isConcealed
  }

  /** Makes the delay shorter or longer by a period, where enough sound is there. Returns false when it stays. */
  const adjust = (frame: Float32Array, excess: number): boolean => {
    sinceAdjusted += 1
    const isLong = excess > longExcess
    if (!isLong && excess > -shortExcess) return false
    const need = isLong ? frameSamples + maxPeriod : frameSamples
    if (concealment.filledSamples > 0 || ring.present(next, need) < need) return false
    ring.copy(next, need, timeScale.input, 0)
    if (sinceAdjusted < pauseFrames && !timeScale.isQuiet()) return false
    sinceAdjusted = 0
    const count = isLong ? timeScale.shorten(frame) : timeScale.lengthen(frame)
    concealment.play(frame, 0, scale * frameSamples)
    skipTo(next + count / scale)
    soundEnd = next
    return true
  }

  return {
    push: (packet, codec, arrivalMillis) => {
      const length = packet.payloadEnd - packet.payloadStart
      if (length === 0 || length > ringUnits / 2) return
      const now = arrivalMillis * unitsPerMilli
      const start = extend(packet.timestamp)
      const isFirst = Number.isNaN(last)
      estimate.add(now - start)
      last = start
      if (isFirst) {
        next = newest = soundEnd = start - estimate.target
        pauseEnd = start
      } else if (isPausing() && start + length > soundEnd) begin(start, now)
      if (start + length <= next) {
        latePackets += 1
        return
      }
      if (start + length > next + ringUnits) skipTo(start + length - ringUnits)
      ring.put(packet, codec, start, Math.max(start, next))
      newest = Math.max(newest, start + length)
    },
    pushSilence: (timestamp, units) => {
      if (Number.isNaN(last)) return
      const start = extend(timestamp)
      const end = Math.min(start + units, next + ringUnits)
      if (end <= next) return
      ring.putSilence(Math.max(start, next), end)
      newest = Math.max(newest, end)
    },
    pop: (nowMillis, frame) => {
      if (Number.isNaN(last)) {
        frame.fill(0)
        return false
      }
      const now = nowMillis * unitsPerMilli
      // In a pause nothing is lost by beginning exactly at the target.
      if (next < pauseEnd) next = Math.max(next, Math.min(pauseEnd, due(now)))
      const excess = due(now) - next
      if (excess > limits.maximum - estimate.target + maxExcess) skipTo(due(now))
      else if (adjust(frame, excess)) return false
      const isConcealed = assemble(frame, now)
      if (isConcealed) concealedFrames += 1
      delay = (now + frameSamples - next - estimate.base) / unitsPerMilli
      return isConcealed
    },
    deviationMillis: (timestamp, arrivalMillis) =>
      Number.isNaN(last) ? 0 : arrivalMillis - (extend(timestamp) + estimate.base) / unitsPerMilli,
    reset: () => {
      ring.drop(0, ringUnits)
      estimate.reset()
      last = Number.NaN
    },
    get delayMillis() {
      return delay
    },
    get latePackets() {
      return latePackets
    },
    get concealedFrames() {
      return concealedFrames
    }
  }
}
