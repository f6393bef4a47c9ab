const counterBits = 26
const counterSize = 2 ** counterBits

/** Time and counter of the last UUIDv7, from which the next one follows. */
export interface UuidV7State {
  readonly at: number
  readonly counter: number
}

/** The state before the first UUID. */
export const initialUuidV7: UuidV7State = { at: Number.NEGATIVE_INFINITY, counter: 0 }

/**
 * Advances to the next UUIDv7 by the counter method of RFC 9562, section 6.2: a new millisecond resets the counter to a
 * random number in its lower half; the same or an earlier millisecond increments it. A full counter moves on to the next
 * millisecond.
 */
export const nextUuidV7 = (last: UuidV7State, now: number, random: number): UuidV7State =>
  now > last.at
    ? { at: now, counter: random % (counterSize / 2) }
    : last.counter + 1 < counterSize
    ? { at: last.at, counter: last.counter + 1 }
    : { at: last.at + 1, counter: 0 }

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0")

/**
 * Formats a UUIDv7: 48 bits of time in milliseconds since 1970, a 26-bit counter and 48 random bits. UUIDs of successive
 * states sort in order of creation.
 */
export const formatUuidV7 = ({ at, counter }: UuidV7State, random48: number): string => {
  const time = hex(at, 12)
  const counterHigh = Math.floor(counter / 2 ** 14)
  const counterLow = counter % 2 ** 14
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${hex(counterHigh, 3)}`,
    hex(0x8000 + counterLow, 4),
    hex(random48, 12)
  ].join("-")
}

/** Formats a UUIDv4 from 122 random bits in groups of 48, 12, 14 and 48. */
export const formatUuidV4 = (bits: readonly [number, number, number, number]): string => {
  const head = hex(bits[0], 12)
  return [head.slice(0, 8), head.slice(8), `4${hex(bits[1], 3)}`, hex(0x8000 + bits[2], 4), hex(bits[3], 12)].join("-")
}
