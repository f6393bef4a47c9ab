import type { LawName } from "./Law.js"

/**
 * Codec of sound in packets: a law of G.711, or G.722. All have one byte for each unit of the timestamp, which is a sample at
 * 8,000 hertz: the clock of G.722 is 8,000 as well, by an old mistake, although its bytes are two samples at 16,000 each
 * (RFC 3551, section 4.5.2).
 */
export type RtpCodec = LawName | "g722"

/** Samples per second of sound on its way from and to packets, whatever their codec. */
export type SoundRate = 8_000 | 16_000

/** Samples in a unit of the timestamp. */
export const samplesPerUnit = (rate: SoundRate): 1 | 2 => rate === 16_000 ? 2 : 1
