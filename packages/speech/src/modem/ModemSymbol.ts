/** Tones that sound alone, in hertz: `edge` where an utterance begins and ends, `beat` inside it. */
export const pilots = { edge: 1300, beat: 1500 } as const

/** Which pilot tone. */
export type Pilot = keyof typeof pilots

/** What sounds for the length of one symbol: a byte, or a pilot tone. */
export type ModemSymbol = number | Pilot

/** The first tone of a byte, in hertz, by its upper four bits. */
export const lowTones: ReadonlyArray<number> = Array.from({ length: 16 }, (_, index) => 400 + 50 * index)

/** The second tone of a byte, in hertz, by its lower four bits. */
export const highTones: ReadonlyArray<number> = Array.from({ length: 16 }, (_, index) => 1700 + 50 * index)

/** How an utterance begins. The beats are two symbols apart, which tells how long a symbol is. */
export const preamble: ReadonlyArray<Pilot> = ["edge", "beat", "edge", "beat"]

/** Bytes from one beat to the next: they keep the listener in time however the sound is stretched. */
export const bytesPerBeat = 16

/**
 * The symbols of an utterance: the preamble, how many bytes follow (modulo 256), the bytes with a beat after every 16,
 * the length being the first of them, and an edge.
 */
export const symbolsOf = (bytes: ReadonlyArray<number>): ReadonlyArray<ModemSymbol> => [
  ...preamble,
  ...[bytes.length & 0xff, ...bytes].flatMap((byte, index): ReadonlyArray<ModemSymbol> =>
    index > 0 && index % bytesPerBeat === 0 ? ["beat", byte] : [byte]
  ),
  "edge"
]
