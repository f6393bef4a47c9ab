/** Bytes of a sample. */
const sampleBytes = 2

/** A stretch of sound. */
export interface Stretch {
  /** Position of its first sample. */
  readonly from: number
  /** Its packets in order. */
  readonly packets: ReadonlyArray<Uint8Array>
}

/** The last seconds of a sound, 16 bit PCM; positions count its samples from the beginning. */
export interface RecentSound {
  /** Position after the last sample. */
  readonly end: () => number
  /** Appends a packet, which must not change afterwards. */
  readonly add: (packet: Uint8Array) => void
  /** Returns the sound since a position, as far as it is kept. */
  readonly since: (position: number) => Stretch
}

/** Keeps the last `capacity` samples of a sound. */
export const makeRecentSound = (capacity: number): RecentSound => {
  const packets: Array<Uint8Array> = []
  let end = 0
  /** Position of the first sample of the first packet. */
  let begin = 0

  return {
    end: () => end,
    add: (packet) => {
      packets.push(packet)
      end += packet.length / sampleBytes
      for (let first = packets[0]; first !== undefined; first = packets[0]) {
        const next = begin + first.length / sampleBytes
        if (next > end - capacity) return
        begin = next
        packets.shift()
      }
    },
    since: (position) => {
      const from = Math.min(end, Math.max(position, end - capacity, begin))
      let at = begin
      const parts = packets.flatMap((packet) => {
        const rest = packet.subarray(Math.max(0, from - at) * sampleBytes)
        at += packet.length / sampleBytes
        return rest.length > 0 ? [rest] : []
      })
      return { from, packets: parts }
    }
  }
}
