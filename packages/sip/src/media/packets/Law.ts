import { alaw, type G711, mulaw } from "@trunkline/audio"

/** A law of G.711 as tables, to convert payloads in place. */
export interface LawTables {
  /** Sample of each code. */
  readonly samples: Float32Array
  /** Encodes all samples into `bytes` from a position on. Samples that are not finite become silence. */
  readonly encode: (samples: Float32Array, bytes: Uint8Array, at: number) => void
}

const tablesOf = (law: G711): LawTables => {
  const samples = law.decode(Uint8Array.from({ length: 0x100 }, (_, code) => code))
  const codes = law.encode16(Int16Array.from({ length: 0x1_0000 }, (_, value) => value))
  return {
    samples,
    encode: (sound, bytes, at) => {
      for (let index = 0; index < sound.length; index++) {
        const level = Math.round((sound[index] ?? 0) * 0x8000)
        const value = level > 0x7FFF || level < -0x8000 ? clamp(level) : level
        bytes[at + index] = codes[value & 0xFFFF] ?? 0
      }
    }
  }
}

/** Full scale for what is louder; silence for what is infinite. */
const clamp = (level: number): number => Number.isFinite(level) ? Math.max(-0x8000, Math.min(0x7FFF, level)) : 0

/** Both laws of G.711. */
export const laws = { mulaw: tablesOf(mulaw), alaw: tablesOf(alaw) } satisfies Readonly<Record<string, LawTables>>

/** Name of a law of G.711. */
export type LawName = keyof typeof laws
