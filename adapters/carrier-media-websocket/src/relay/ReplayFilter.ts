/** Events of a connection that came back, without those that had arrived over the one before. */
export interface ReplayFilter {
  /** Takes the next event; returns the events that are new so far, in order. */
  readonly push: (event: string) => ReadonlyArray<string>
  /** Returns what is still held: it was no repetition. */
  readonly release: () => ReadonlyArray<string>
}

/**
 * Leaves out events that a provider replays although they had arrived. Events have no numbers, so the beginning of the replay
 * is compared with the end of what had arrived: the longest such piece is left out. An event in the middle of what had arrived
 * is no repetition: the same word can be said twice.
 */
export const makeReplayFilter = (arrived: ReadonlyArray<string>): ReplayFilter => {
  /** Places in what had arrived at which the replay may begin. */
  let starts = arrived.map((_, index) => index)
  let heldTexts: ReadonlyArray<string> = []
  let repeats = 0
  let count = 0

  const release = (): ReadonlyArray<string> => {
    const fresh = heldTexts.slice(repeats)
    starts = []
    heldTexts = []
    repeats = 0
    return fresh
  }

  return {
    push: (event) => {
      if (starts.length === 0) return [...release(), event]
      starts = starts.filter((start) => arrived[start + count] === event)
      count += 1
      heldTexts = [...heldTexts, event]
      if (starts.length === 0) return release()
      if (starts.some((start) => start + count === arrived.length)) repeats = heldTexts.length
      starts = starts.filter((start) => start + count < arrived.length)
      return starts.length === 0 ? release() : []
    },
    release
  }
}
