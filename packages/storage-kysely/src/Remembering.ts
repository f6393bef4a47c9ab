/** Values that are read again and again, since decoding one takes longer than finding it. */
export interface Remembering<A> {
  /** What is remembered under a key, whatever its text. */
  readonly known: (key: string) => A | undefined
  /** Remembers a value that never changes under its key. */
  readonly put: (key: string, value: A) => void
  /** What the text under a key decodes to; what was decoded last serves for as long as it holds the same text. */
  readonly read: (key: string, text: string) => A
}

/** Remembers the last so many texts, by their keys. */
export const remembering = <A>(decode: (text: string) => A, most: number): Remembering<A> => {
  const values = new Map<string, { readonly text: string | null; readonly value: A }>()
  const keep = (key: string, text: string | null, value: A) => {
    values.delete(key)
    const [oldest] = values.keys()
    if (oldest !== undefined && values.size >= most) values.delete(oldest)
    values.set(key, { text, value })
  }
  return {
    known: (key) => values.get(key)?.value,
    put: (key, value) => keep(key, null, value),
    read: (key, text) => {
      const before = values.get(key)
      if (before?.text === text) return before.value
      const value = decode(text)
      keep(key, text, value)
      return value
    }
  }
}
