/** Indices of the packets of one stream that have come, as far as they matter. */
export interface PacketWindow {
  /** Highest index; -1 before the first packet. */
  readonly highest: number
  /** Completes a sequence number of 16 bits to the index that it most likely stands for. */
  readonly estimate: (sequence: number) => number
  /** True for an index that has not come before, and is not so old that this is forgotten. */
  readonly isNew: (index: number) => boolean
  readonly add: (index: number) => void
}

/**
 * Indices before the highest that are remembered: 2.5 s of packets of 20 ms. At least 64 must be (RFC 3711, section
 * 3.3.2).
 */
export const windowPackets = 128

const indexMask = windowPackets - 1

/** Sequence numbers of one roll-over counter, and half of them. */
const roundSize = 0x1_0000
const halfRound = roundSize / 2

/** Makes the window of a stream, for which no packet has come. */
export const makePacketWindow = (): PacketWindow => {
  /** 1 for indices that have come, each at its remainder. */
  const bits = new Uint8Array(windowPackets)
  let highest = -1

  return {
    get highest() {
      return highest
    },
    // RFC 3711, section 3.3.1 and appendix A. A stream begins with a roll-over counter of 0, below which there is none.
    estimate: (sequence) => {
      if (highest < 0) return sequence
      const last = highest % roundSize
      const start = highest - last
      if (last < halfRound) {
        return sequence - last > halfRound && start > 0
          ? start - roundSize + sequence
          : start + sequence
      }
      return last - halfRound > sequence ? start + roundSize + sequence : start + sequence
    },
    isNew: (index) => index > highest || highest - index < windowPackets && bits[index & indexMask] === 0,
    add: (index) => {
      if (index > highest + windowPackets) bits.fill(0)
      else for (let gap = highest + 1; gap < index; gap++) bits[gap & indexMask] = 0
      highest = Math.max(highest, index)
      bits[index & indexMask] = 1
    }
  }
}
