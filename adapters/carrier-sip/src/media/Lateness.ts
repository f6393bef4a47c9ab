/** Width of a bucket in milliseconds, and their number: the last one holds all that is later than 64 ms. */
const bucketWidth = 0.25
export const latenessBuckets = 256

/** Counts of how late packets were sent, in a part of shared memory. */
export interface LatenessCounts {
  readonly memory: Int32Array
  readonly from: number
}

/** Counts a packet that was sent some milliseconds late. */
export const countLateness = ({ from, memory }: LatenessCounts, millis: number): void => {
  const bucket = Math.max(0, Math.min(latenessBuckets - 1, Math.floor(millis / bucketWidth)))
  memory[from + bucket] = (memory[from + bucket] ?? 0) + 1
}

/** Upper bound of the lateness of a share of the packets, in milliseconds; 0 without packets. */
export const latenessQuantile = (counts: ReadonlyArray<LatenessCounts>, share: number): number => {
  const sums = Array.from(
    { length: latenessBuckets },
    (_, bucket) => counts.reduce((sum, { from, memory }) => sum + (memory[from + bucket] ?? 0), 0)
  )
  const total = sums.reduce((sum, count) => sum + count, 0)
  let sumSoFar = 0
  const bucket = sums.findIndex((count) => (sumSoFar += count) >= total * share)
  return total === 0 ? 0 : (bucket + 1) * bucketWidth
}
