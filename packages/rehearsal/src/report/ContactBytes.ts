/** One byte per contact, by its number from 1; 0 until it is set. Grows on demand. */
export interface ContactBytes {
  readonly get: (person: number) => number
  /** Sets a byte; values over 255 are stored as 255. */
  readonly set: (person: number, value: number) => void
}

/** Bytes for an unknown number of contacts. */
export const contactBytes = (): ContactBytes => {
  let bytes = new Uint8Array(1_024)
  return {
    get: (person) => bytes[person] ?? 0,
    set: (person, value) => {
      if (person >= bytes.length) {
        const larger = new Uint8Array(Math.max(person + 1, bytes.length * 2))
        larger.set(bytes)
        bytes = larger
      }
      bytes[person] = Math.min(255, value)
    }
  }
}
