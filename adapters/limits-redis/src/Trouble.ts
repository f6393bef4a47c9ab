/**
 * The kind of an error, in one word: the code of the operating system or of Redis, such as `ECONNREFUSED` or
 * `WRONGPASS`, and the name of its class otherwise. Never its message, which may hold addresses and credentials.
 */
export const troubleOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown"
  if ("code" in error && typeof error.code === "string") return error.code
  return /^[A-Z]{2,}(?= )/.exec(error.message)?.[0] ?? error.constructor.name
}
