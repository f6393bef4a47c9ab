/** A number in so many bits. */
export type Bits = readonly [number: number, width: number]

/** Packs numbers and then bytes, bit after bit. */
export const bytesOfBits = (numbers: ReadonlyArray<Bits>, rest: Uint8Array = new Uint8Array()): Uint8Array => {
  const bits = [...numbers, ...Array.from(rest, (byte): Bits => [byte, 8])]
    .map(([number, width]) => number.toString(2).padStart(width, "0"))
    .join("")
  return Uint8Array.from(
    { length: Math.ceil(bits.length / 8) },
    (_, at) => parseInt(bits.slice(at * 8, at * 8 + 8).padEnd(8, "0"), 2)
  )
}
