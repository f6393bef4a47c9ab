import { isObject, type JsonObject, listIn, parsed, textIn } from "../Json.js"

/** What an upstream says about its failure. It may repeat prompts and keys, so it is looked at, and never shown. */
export interface ErrorWords {
  /** An HTTP status that the error names; null when it names none. */
  readonly status: number | null
  /** Its codes and types, in lower case, between blanks. */
  readonly codes: string
  /** In lower case, and only the beginning of it. */
  readonly message: string
  /** The place in the request that it names; empty when it names none. */
  readonly param: string
}

/** An error without words. */
const noWords: ErrorWords = { status: null, codes: "", message: "", param: "" }

/** Messages may repeat whole prompts. */
const mostCharacters = 2_000

const statusIn = (value: unknown): number | null => {
  const status = typeof value === "number" || typeof value === "string" ? Number(value) : 0
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : null
}

const wordsOf = (body: JsonObject): ErrorWords => {
  const error = isObject(body.error) ? body.error : { ...body, message: body.error ?? body.message ?? body.detail }
  const codes = [error.code, error.type, error.status, body.error_type].map(textIn).join(" ")
  return {
    status: [error.code, error.status, body.status, body.code].map(statusIn).find((status) => status !== null) ?? null,
    codes: codes.slice(0, mostCharacters).toLowerCase(),
    message: textIn(error.message).slice(0, mostCharacters).toLowerCase(),
    param: textIn(error.param).slice(0, mostCharacters)
  }
}

/** The error in a JSON value that an upstream sent; null where there is none. The forms are those of common servers. */
export const errorIn = (value: unknown): ErrorWords | null => {
  const [first] = listIn(value)
  const body = first ?? value
  return isObject(body) && (body.error || body.object === "error" || body.type === "error") ? wordsOf(body) : null
}

/** The words of what is an error, whatever its form. */
export const wordsOfError = (text: string): ErrorWords => {
  const value = parsed(text)
  return errorIn(value)
    ?? (isObject(value) ? wordsOf(value) : { ...noWords, message: text.slice(0, mostCharacters).toLowerCase() })
}
