import type { Channel } from "./Channel.js"
import { isShared, noBook } from "./Codebooks.js"
import { gainOf, stretchesOf } from "./Spectrum.js"

/** Two channels that were written together. */
export interface Pair {
  readonly left: Channel
  readonly right: Channel
  /** Which bands are written as the middle and the side of two channels, or invert what is shared. */
  readonly joint: Uint8Array
  /** Whether all bands are joint, which does not invert what is shared. */
  readonly isAllJoint: boolean
}

/** Makes a left and a right channel of what a pair shares. */
export const separate = ({ isAllJoint, joint, left, right }: Pair): void => {
  for (const { band, from, to } of stretchesOf(left.info)) {
    const [one, other] = [left.books[band] ?? 0, right.books[band] ?? 0]
    const isJoint = joint[band] === 1
    const share = (gain: number) => {
      for (let at = from; at < to; at++) right.spectrum[at] = (left.spectrum[at] ?? 0) * gain
    }
    if (isShared(other)) {
      const isInverted = (other === noBook.inverted) !== (isJoint && !isAllJoint)
      share((isInverted ? -1 : 1) * gainOf(-(right.levels[band] ?? 0)))
    } else if (isJoint && one === noBook.noise && other === noBook.noise) {
      share(gainOf((right.levels[band] ?? 0) - (left.levels[band] ?? 0)))
    } else if (isJoint && !isShared(one) && one !== noBook.noise && other !== noBook.noise) {
      for (let at = from; at < to; at++) {
        const [middle, side] = [left.spectrum[at] ?? 0, right.spectrum[at] ?? 0]
        left.spectrum[at] = middle + side
        right.spectrum[at] = middle - side
      }
    }
  }
}
