/** What can be wrong with a take. */
export type TakeFault =
  /** Other words than those asked for. */
  | "misread"
  /** Too long or too short for its words. */
  | "too_long"
  | "too_short"
  /** Too loud for its samples. */
  | "clipped"
  /** Hardly any sound. */
  | "silent"

/** How good a take is. */
export interface Verdict {
  /** Nothing, when the take is good. */
  readonly faults: ReadonlyArray<TakeFault>
  /** The share of characters that were heard wrong, 0 to 1; null when nobody could listen. */
  readonly errorRate: number | null
}

/** Whether nothing is wrong with a take. */
export const isGood = ({ faults }: Verdict): boolean => faults.length === 0

/** Whether another take is better: it has fewer faults, or as many and fewer wrong characters where both were heard. */
export const isBetter = (another: Verdict, one: Verdict): boolean =>
  another.faults.length < one.faults.length ||
  (another.faults.length === one.faults.length && another.errorRate !== null && one.errorRate !== null &&
    another.errorRate < one.errorRate)
