import { describeCause } from "@trunkline/kernel"
import { Cause } from "effect"

const message = "An import broke in its thread"

/**
 * Something that broke in a thread. Its name and its stack tell what it was and where, as `describeCause` tells of any
 * error: nothing of what was being worked on.
 */
export class ThreadDefect extends Error {
  /** Of what `describeCause` said in the thread, or of a name alone. */
  constructor(description: string) {
    super(message)
    const [name = "", ...frames] = description.split("\n")
    this.name = name
    this.stack = [`${name}: ${message}`, ...frames].join("\n")
  }

  /** Of the error that ended a thread; its code, as in `ERR_WORKER_OUT_OF_MEMORY`, tells most. */
  static readonly of = (error: unknown): ThreadDefect => {
    const description = describeCause(Cause.die(error))
    return new ThreadDefect(
      error instanceof Error && "code" in error
        ? description.replace(/^.*/, (name) => `${name} ${error.code}`)
        : description
    )
  }
}
