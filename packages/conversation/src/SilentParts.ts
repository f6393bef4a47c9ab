/** Filter of a text that is written piece by piece. */
export interface SilentParts {
  /** Takes the next piece; returns what is certain to be for the ear. */
  readonly push: (text: string) => string
  /** Returns the rest. A part that was not closed is dropped. */
  readonly end: () => string
}

/** Beginnings of parts that are not spoken, and their ends: thoughts, tool calls, programs. */
const parts: ReadonlyArray<readonly [string, string]> = [
  ["<think>", "</think>"],
  ["<thinking>", "</thinking>"],
  ["<tool_call>", "</tool_call>"],
  ["<script", "</script>"],
  ["<style", "</style>"],
  ["<!--", "-->"],
  ["```", "```"]
]

/** A JSON object, up to the quote of its first name. */
const object = /\{\s*"/u
const objectBegins = /\{\s*$/u

/** HTML tags and Markdown links, with what is spoken of them, and their beginnings at the end of a text. */
const markup = [
  { whole: /<\/?[a-z][^<>]*>/giu, spoken: "", begins: /<\/?(?:[a-z][^<>]{0,200})?$/iu },
  {
    whole: /!?\[([^[\]]*)\]\([^()\s]*\)/gu,
    spoken: "$1",
    begins: /!$|!?\[[^[\]]{0,200}(?:\](?:\([^()\s]{0,500})?)?$/u
  }
]

const withoutMarkup = (text: string): string =>
  markup.reduce((rest, { spoken, whole }) => rest.replace(whole, spoken), text)

/** Index after a JSON object at the beginning of a text; -1 when it is not complete. */
const endOfObject = (text: string): number => {
  let depth = 0
  let isString = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (isString) {
      if (sign === "\\") at += 1
      else isString = sign !== "\""
    } else if (sign === "\"") isString = true
    else if (sign === "{") depth += 1
    else if (sign === "}") depth -= 1
    if (depth === 0) return at + 1
  }
  return -1
}

/** A part in a text: where it begins and ends; `to` is -1 when its end is not there. */
interface Found {
  readonly from: number
  readonly to: number
}

/** The first part that is not spoken. */
const firstPart = (text: string): Found | null => {
  const lower = text.toLowerCase()
  const found = parts.flatMap(([begin, end]): ReadonlyArray<Found> => {
    const from = lower.indexOf(begin)
    if (from < 0) return []
    const at = lower.indexOf(end, from + begin.length)
    return [{ from, to: at < 0 ? -1 : at + end.length }]
  })
  const json = text.search(object)
  if (json >= 0) {
    const length = endOfObject(text.slice(json))
    found.push({ from: json, to: length < 0 ? -1 : json + length })
  }
  return found.reduce<Found | null>((first, one) => first === null || one.from < first.from ? one : first, null)
}

/** Index from which the end of a text may be the beginning of a part. */
const doubtfulFrom = (text: string): number => {
  const lower = text.toLowerCase()
  const starts = parts.flatMap(([begin]) => {
    for (let length = begin.length - 1; length > 0; length--) {
      if (lower.endsWith(begin.slice(0, length))) return [text.length - length]
    }
    return []
  })
  const begun = [objectBegins, ...markup.map(({ begins }) => begins)]
    .flatMap((pattern) => pattern.exec(text)?.index ?? [])
  return Math.min(text.length, ...begun, ...starts)
}

/**
 * Leaves out of a text what a model writes for machines: thoughts and tool calls between tags, code between fences, JSON
 * objects, HTML tags, and the addresses of links.
 */
export const makeSilentParts = (): SilentParts => {
  let rest = ""

  const spoken = (): string => {
    let made = ""
    for (let part = firstPart(rest); part !== null; part = firstPart(rest)) {
      made += rest.slice(0, part.from)
      if (part.to < 0) {
        rest = rest.slice(part.from)
        return withoutMarkup(made)
      }
      rest = rest.slice(part.to)
    }
    const doubtful = doubtfulFrom(rest)
    made += rest.slice(0, doubtful)
    rest = rest.slice(doubtful)
    return withoutMarkup(made)
  }

  return {
    push: (text) => {
      rest += text
      return spoken()
    },
    end: () => {
      const last = firstPart(rest) === null ? withoutMarkup(rest) : ""
      rest = ""
      return last
    }
  }
}
