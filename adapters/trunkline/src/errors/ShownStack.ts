const words = "node-do-not-add-exception-line"

/** Takes the stack of an error from here on, and returns the error. */
const takeStack = <E>(error: E): E => {
  try {
    if (error instanceof Error) Error.captureStackTrace(error, takeStack)
  } catch {
    // A proxy or a frozen error keeps the stack that it has.
  }
  return error
}

/**
 * Node.js prints the line of source of an uncaught error before its message, a whole screen of a minified bundle, unless that
 * line holds these words. A call by this name is in one line with them, however a bundle breaks its lines.
 */
export const shownStack = { [words]: takeStack }
