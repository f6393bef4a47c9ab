/** Texts that are read again and again, since decoding one takes longer than finding it. */
export interface Remembering<A> {
  /** What the text under a key decodes to; what was decoded last serves for as long as it holds the same text. */
  readonly read: (key: string, text: string) => A
}

/** Remembers the last so many texts, by their keys. */
export const remembering = <A>(decode: (text: string) => A, most: number): Remembering<A> => {
  const known = new Map<string, { readonly text: string; readonly value: A }>()
  return {
    read: (key, text) => {
      const before = known.get(key)
      if (before?.text === text) return before.value
      const value = decode(text)
      known.delete(key)
      const [oldest] = known.keys()
      if (oldest !== undefined && known.size >= most) known.delete(oldest)
      known.set(key, { text, value })
      return value
    }
  }
}
