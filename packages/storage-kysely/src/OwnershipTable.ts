/** Who owns the database: one row, from the first owner on. Moments are epoch milliseconds of the owner's wall clock. */
export interface OwnershipTable {
  readonly id: 1
  /** Who that is, for people. */
  readonly owner: string
  /** The name of the lock that the owner holds for as long as its process lives. */
  readonly lock: string
  /** How many owners there have been. A later version of this software must keep this column: it shuts older ones out. */
  readonly fence: number
  /** How often the owner has said that it is there. */
  readonly beat: number
  readonly beat_at: number
  /** After so long without a beat somebody else may take over. */
  readonly lease_millis: number
}
