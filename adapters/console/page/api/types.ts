export type * from "../../../trunkline/src/generated/Resources.js"

/** A page of a list by offset. */
export interface Page<Item> {
  readonly items: ReadonlyArray<Item>
  readonly total: number
  readonly limit: number
  readonly offset: number
}
