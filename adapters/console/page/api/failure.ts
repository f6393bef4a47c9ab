import { TrunklineError } from "@trunkline/client"

/** Pause before a request that was refused for a moment is sent again, in milliseconds. */
export const refusalPause = 5000

/** True for a limit that was met and for a busy server: a page that stays open is behind for a moment, not broken. */
export const isOfTheMoment = (error: unknown): boolean =>
  error instanceof TrunklineError && (error.status === 429 || error.status === 503)

const sentences: Readonly<Record<string, string>> = {
  connection_failed: "The server does not answer. Check that it runs, and that you are online.",
  timeout: "The server took too long to answer. Try again in a moment."
}

/** The sentence for any error. */
export const sentenceOf = (error: unknown): string =>
  error instanceof TrunklineError
    ? sentences[error.code] ?? error.message
    : error instanceof Error
    ? error.message
    : String(error)

/** A failure that the page itself has met, or any other one, for showing it. */
export const failureOf = (error: unknown): TrunklineError =>
  error instanceof TrunklineError
    ? error
    : new TrunklineError({ message: sentenceOf(error), code: "page_error", status: null, cause: error })
