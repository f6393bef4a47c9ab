/** The highest count that was seen of each nonce, so that no credentials are accepted twice. */
export interface NonceCounts {
  /** Notes a count of a nonce, and returns true unless it or a higher one was seen, or the nonce is too old to tell. */
  readonly use: (nonce: string, issuedAt: number, count: number) => boolean
  /** Forgets nonces that were issued before a time, which must not be used any more. */
  readonly forget: (before: number) => void
}

/**
 * Remembers a limited number of nonces. Where there are more, those that were used first are forgotten, and nonces that are
 * as old as a forgotten one are refused.
 */
export const makeNonceCounts = (limit: number): NonceCounts => {
  const counts = new Map<string, { readonly issuedAt: number; readonly count: number }>()
  let forgottenUntil = -Infinity
  return {
    use: (nonce, issuedAt, count) => {
      const entry = counts.get(nonce)
      if (entry === undefined ? issuedAt <= forgottenUntil : count <= entry.count) return false
      counts.set(nonce, { issuedAt, count })
      if (counts.size > limit) {
        const [oldest] = counts
        if (oldest !== undefined) {
          counts.delete(oldest[0])
          forgottenUntil = Math.max(forgottenUntil, oldest[1].issuedAt)
        }
      }
      return true
    },
    forget: (before) => {
      for (const [nonce, { issuedAt }] of counts) {
        if (issuedAt >= before) return
        counts.delete(nonce)
      }
    }
  }
}
