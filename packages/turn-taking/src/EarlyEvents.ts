import type { AudioLine, LineEvent } from "@trunkline/telephony"

/** Most events that are kept: thirty seconds of frames, as a turn may have that another ear has heard before. */
const maxKept = 1_500

/** An event that stays as it is: a line may reuse the samples of its frames. */
const lasting = (event: LineEvent): LineEvent =>
  event._tag === "Frame" ? { ...event, samples: event.samples.slice() } : event

/**
 * Listens to a line from now on, while ears and voices are still opened: whoever answers a call says the first words at once. The
 * first listener gets the last thirty seconds before it at once.
 */
export const heardFromNow = (line: AudioLine): AudioLine => {
  let keptLineEvents: Array<LineEvent> = []
  line.hear((event) => {
    if (event._tag === "Ended") return
    keptLineEvents.push(lasting(event))
    if (keptLineEvents.length > maxKept) keptLineEvents.shift()
  })
  return {
    ...line,
    hear: (listener) => {
      const before = keptLineEvents
      keptLineEvents = []
      before.forEach(listener)
      line.hear(listener)
    }
  }
}
