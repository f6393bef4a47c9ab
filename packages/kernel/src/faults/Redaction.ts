/** A pattern of what no reader of logs may see, with what is written in its place. */
type Masked = readonly [pattern: RegExp, replacement: string]

/** Patterns of secrets in a text. */
const secrets: ReadonlyArray<Masked> = [
  [/\/\/[^\s/@]{1,1000}@/gu, "//***@"],
  [/\b(bearer|basic)\s+[^\s"',;]+/giu, "$1 ***"],
  [
    /\b((?:api|access|secret|private)?[-_ ]?(?:key|token|secret|password|passwd|authorization|signature))(["']?\s*[:=]\s*["']?)[^\s"',;&)]+/giu,
    "$1$2***"
  ],
  [/\b(?:sk|pk|rk|gsk|hf|ghp|gho|whsec|xox[a-z]|AKIA|AIza|eyJ)[-_]?[\w.*+/=-]{8,}/gu, "***"]
]

/** Patterns of secrets, and of addresses of people, in a text. */
export const secretPatterns: ReadonlyArray<Masked> = [
  ...secrets,
  [/(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu, "***"]
]

const mask = (text: string, patterns: ReadonlyArray<Masked>): string =>
  patterns.reduce((plain, [pattern, replacement]) => plain.replace(pattern, replacement), text)

/** A text without what looks like a key, a token or a password; numbers and addresses of people stay. */
export const withoutSecrets = (text: string): string => mask(text, secrets)

/** A URL of a server; those of files are places in stacks. */
const url = /\b(?!file:)([a-z][a-z0-9+.-]*:\/\/)([^\s"'<>`]+)/giu

/** The host of a URL, without user, path and query. */
const hostOf = (rest: string): string => {
  const [authority = ""] = rest.split(/[/?#\\]/u)
  const host = authority.slice(authority.lastIndexOf("@") + 1)
  return host.length === rest.length ? host : `${host}/***`
}

/** Ids and dates, which stay, and digits of a phone number: with a plus sign 7 or more, otherwise 9 or more. */
const numbers =
  /(?:\b\d{8}[-_])?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b\d{4}-\d\d-\d\d(?!\d)|(?:\+|%2b|\b00)\d(?:[ ()-]{0,2}\d){6,}|(?<!\d\.|\d)\d(?:[ ()-]{0,2}\d){8,}/giu

const isKept = (text: string): boolean => /[0-9a-f]{8}-[0-9a-f]{4}-|^\d{4}-\d\d-\d\d$/iu.test(text)

const maskNumber = (text: string): string => isKept(text) ? text : `******${text.replace(/\D/gu, "").slice(-4)}`

/**
 * A text as logs, spans and metrics may have it: of URLs only the host stays, of phone numbers the last four digits, and
 * nothing of keys, tokens, passwords and e-mail addresses. UUIDs, dates and places in stacks stay as they are.
 *
 * @example
 * ```ts
 * redact("Called +919876543210 by https://me:pw@host.example/hook?key=1") // "Called ******3210 by https://host.example/***"
 * ```
 */
export const redact = (text: string): string =>
  mask(text.replace(url, (_, scheme: string, rest: string) => `${scheme}${hostOf(rest)}`), secretPatterns)
    .replace(numbers, maskNumber)
