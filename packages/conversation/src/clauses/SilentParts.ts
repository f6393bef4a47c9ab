/** Filter of a text that is written piece by piece. */
export interface TextFilter {
  /** Takes the next piece; returns what is certain to be for the ear. */
  readonly push: (text: string) => string
  /** Returns the rest. A part that was not closed is dropped. */
  readonly end: () => string
}

/** A part that is not spoken, from its beginning to its end; `start` is the text with which it begins. */
interface PartPattern {
  readonly start: string
  readonly begins: RegExp
  readonly ends: RegExp
}

/** Thoughts, tool calls, programs and comments. */
const parts: ReadonlyArray<PartPattern> = [
  { start: "<think>", begins: /<think>/iu, ends: /<\/think>/iu },
  { start: "<thinking>", begins: /<thinking>/iu, ends: /<\/thinking>/iu },
  { start: "<tool_call>", begins: /<tool_call>/iu, ends: /<\/tool_call>/iu },
  { start: "<script", begins: /<script/iu, ends: /<\/script>/iu },
  { start: "<style", begins: /<style/iu, ends: /<\/style>/iu },
  { start: "<!--", begins: /<!--/u, ends: /-->/u },
  { start: "```", begins: /```/u, ends: /```/u }
]

/** A JSON object, up to the colon after its first name. */
const object = /\{\s*"[^"]{0,100}"\s*:/u
const objectBegins = /\{\s*(?:"[^"]{0,100}(?:"\s*)?)?$/u

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

/** A part in a text: where it begins, its index after the beginning, and its end; a JSON object has no pattern of its end. */
interface Found {
  readonly from: number
  readonly inside: number
  readonly ends: RegExp | null
}

/** The first part that is not spoken. */
const firstPart = (text: string): Found | null => {
  const starts = parts.flatMap(({ begins, ends }): ReadonlyArray<Found> => {
    const match = begins.exec(text)
    return match === null ? [] : [{ from: match.index, inside: match.index + match[0].length, ends }]
  })
  const json = text.search(object)
  if (json >= 0) starts.push({ from: json, inside: json, ends: null })
  return starts.reduce<Found | null>((first, one) => first === null || one.from < first.from ? one : first, null)
}

/** Characters in which the end of a part may have begun: one less than those of the longest end. */
const maxEnd = "</tool_call>".length - 1

/** Index from which the end of a text may be the beginning of a part. */
const doubtfulFrom = (text: string): number => {
  const starts = parts.flatMap(({ start }) => {
    for (let length = start.length - 1; length > 0; length--) {
      if (text.slice(-length).toLowerCase() === start.slice(0, length)) return [text.length - length]
    }
    return []
  })
  return Math.min(objectBegins.exec(text)?.index ?? text.length, ...starts)
}

/** Signs with which a part begins; a text without them has none. */
const firstSigns = /[<`{]/u

/** Leaves out thoughts and tool calls between tags, code between fences, comments and JSON objects. Long ones are not kept. */
const withoutParts = (): TextFilter => {
  let rest = ""
  /** The end of the part in which the text is; null outside of one, and in a JSON object, which is kept until it is complete. */
  let open: RegExp | null = null

  /** Leaves the part in which the text is; false when its end is not there. */
  const leave = (ends: RegExp): boolean => {
    const endedMatch = ends.exec(rest)
    open = endedMatch === null ? ends : null
    rest = endedMatch === null ? rest.slice(-maxEnd) : rest.slice(endedMatch.index + endedMatch[0].length)
    return endedMatch !== null
  }

  const takeSpeech = (): string => {
    if (open !== null && !leave(open)) return ""
    let result = ""
    for (let part = firstPart(rest); part !== null; part = firstPart(rest)) {
      result += rest.slice(0, part.from)
      rest = rest.slice(part.inside)
      if (part.ends !== null) {
        if (!leave(part.ends)) return result
        continue
      }
      const length = endOfObject(rest)
      if (length < 0) return result
      rest = rest.slice(length)
    }
    const doubtful = doubtfulFrom(rest)
    result += rest.slice(0, doubtful)
    rest = rest.slice(doubtful)
    return result
  }

  return {
    push: (text) => {
      if (open === null && rest === "" && !firstSigns.test(text)) return text
      rest += text
      return takeSpeech()
    },
    end: () => {
      const last = open === null && firstPart(rest) === null ? rest : ""
      rest = ""
      open = null
      return last
    }
  }
}

/** Names of HTML elements in texts, and of those of SSML. Anything else between these signs may be meant. */
const names =
  "a|abbr|b|big|blockquote|body|br|button|center|cite|code|dd|del|details|dfn|div|dl|dt|em|font|h[1-6]|head|hr|html|i|img|"
  + "ins|kbd|li|link|mark|meta|ol|p|pre|q|s|samp|section|small|span|strike|strong|sub|summary|sup|table|tbody|td|tfoot|th|"
  + "thead|tr|tt|u|ul|var|audio|break|emphasis|phoneme|prosody|say-as|speak|voice"

/** The inside of a link's text and address: with one more level of the same brackets. */
const linkText = "(?:[^[\\]]|\\[[^[\\]]{0,100}\\]){0,300}"
const linkAddress = "(?:[^()\\n]|\\([^()\\n]{0,200}\\)){0,500}"

/** HTML tags and Markdown links, with what is spoken of them, and their beginnings at the end of a text. */
const markup = [
  {
    whole: new RegExp(`</?(?:${names})(?:[\\s/][^<>]{0,500})?>`, "giu"),
    spoken: "",
    begins: /<\/?(?:[a-z][\w-]{0,10}(?:[\s/][^<>]{0,500})?)?$/iu
  },
  {
    whole: new RegExp(`!?\\[(${linkText})\\]\\(${linkAddress}\\)`, "gu"),
    spoken: "$1",
    begins: new RegExp(
      `!$|!?\\[${linkText}(?:\\[[^[\\]]{0,100}|\\](?:\\(${linkAddress}(?:\\([^()\\n]{0,200})?)?)?$`,
      "u"
    )
  }
]

/** Signs with which a tag or a link begins. */
const markupSigns = /[<![]/u

const withoutMarkup = (text: string): string =>
  markup.reduce((rest, { spoken, whole }) => rest.replace(whole, spoken), text)

/** Leaves out HTML tags and the addresses of links. */
const withoutTags = (): TextFilter => {
  let rest = ""
  return {
    push: (text) => {
      if (rest === "" && !markupSigns.test(text)) return text
      rest += text
      const markupStart = Math.min(rest.length, ...markup.flatMap(({ begins }) => begins.exec(rest)?.index ?? []))
      const certain = rest.slice(0, markupStart)
      rest = rest.slice(markupStart)
      // The text of a link may be another one.
      return withoutMarkup(withoutMarkup(certain))
    },
    end: () => {
      const last = withoutMarkup(withoutMarkup(rest))
      rest = ""
      return last
    }
  }
}

/**
 * Leaves out of a text what a model writes for machines: thoughts and tool calls between tags, code between fences, JSON
 * objects, comments, HTML tags, and the addresses of links.
 */
export const makeSilentParts = (): TextFilter => {
  const [parts, tags] = [withoutParts(), withoutTags()]
  return {
    push: (text) => tags.push(parts.push(text)),
    end: () => tags.push(parts.end()) + tags.end()
  }
}
