import { shownStack } from "../ShownStack.js"

/** An option of `createTrunkline` is missing, unknown or invalid. The message names it, and the next step. */
export class InvalidOption extends Error {
  override readonly name = "InvalidOption"
  /** Distinguishes this error from failures of operations. */
  readonly _tag = "InvalidOption"

  constructor(
    /** Path of the option, such as `lines.0.provider`. */
    readonly option: string,
    reason: string
  ) {
    super(`createTrunkline: ${option}: ${reason}`)
    shownStack["node-do-not-add-exception-line"](this)
  }
}
