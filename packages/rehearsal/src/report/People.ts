/** A byte for each person, by their number from 1; 0 until it is set. It grows as people come. */
export interface PeopleBytes {
  readonly get: (person: number) => number
  /** Sets a byte; more than 255 counts as 255. */
  readonly set: (person: number, value: number) => void
}

/** Bytes for people of whom it is not known how many they are. */
export const peopleBytes = (): PeopleBytes => {
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
