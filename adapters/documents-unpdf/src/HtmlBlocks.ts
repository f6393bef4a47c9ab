import { type Block, DocumentRefused } from "@trunkline/knowledge"
import { Either } from "effect"
import { Parser } from "htmlparser2"

/** Elements whose content nobody reads. */
const hiddenTags = new Set(
  "script style noscript template svg math iframe object canvas audio video select textarea button nav dialog head"
    .split(" ")
)

/** Elements that stand within a line. */
const inline = new Set(
  "a abbr b bdi bdo cite code data del dfn em font i ins kbd label mark q s samp small span strong sub sup time u var wbr"
    .split(" ")
)

/** Deepest nesting that is followed; browsers stop at 512. */
const deepest = 512

/** Nesting at which a page is refused: the parser's time grows with its square. */
const maxNesting = 5_000

/** Characters that are parsed between two looks at the work that they make. */
const partLength = 65_536

/** Elements that the parser may search for those that end tags close. Tags that close nothing make it search all open ones. */
const maxSearch = 100_000_000

const tooDeep = new DocumentRefused({
  message: `The page nests its elements more than ${
    maxNesting.toLocaleString("en")
  } deep. Save it again from its source, or as text`
})

const tooBroken = new DocumentRefused({
  message: "The page has too many end tags that close nothing. Save it again from its source, or as text"
})

/** Text and structure of a page. */
export interface HtmlText {
  readonly title: string | null
  readonly blocks: ReadonlyArray<Block>
}

/** True for an element that says that it is not shown. */
const isHidden = ({ "aria-hidden": aria, hidden: attribute, style = "" }: Readonly<Record<string, string>>): boolean =>
  attribute !== undefined || aria === "true" || /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style)

const headingLevel = (name: string): number => /^h[1-6]$/.test(name) ? Number(name[1]) : 0

/**
 * Reads the headings and paragraphs of an HTML page as people see them. Scripts, styles, navigation and hidden elements are left
 * out, nothing is run or loaded, and broken markup is read as far as it goes. A page whose markup takes the time of far longer ones
 * is refused.
 */
export const readHtml = (source: string): Either.Either<HtmlText, DocumentRefused> => {
  const blocks: Array<Block> = []
  let title = ""
  let text = ""
  let level = 0
  let isTitle = false
  /** Elements within the outermost hidden one, with itself. */
  const hiddenPath: Array<string> = []
  let depth = 0
  let mostDepth = 0
  let endTags = 0

  const close = () => {
    const content = text.replaceAll(/[ \t\n\f\r]+/g, " ").trim()
    if (content !== "") blocks.push({ level, text: content, page: null })
    text = ""
  }

  const parser = new Parser({
    onopentag: (name, attributes) => {
      mostDepth = Math.max(mostDepth, ++depth)
      isTitle = name === "title"
      if (hiddenPath.length > 0 || hiddenTags.has(name) || isHidden(attributes) || depth > deepest) {
        hiddenPath.push(name)
        return
      }
      if (name === "br") text += " "
      else if (name === "td" || name === "th") text += " "
      else if (!inline.has(name)) close()
      const heading = headingLevel(name)
      if (heading > 0) level = heading
    },
    ontext: (part) => {
      if (isTitle) title += part
      else if (hiddenPath.length === 0) text += part
    },
    onclosetag: (name, isImplied) => {
      depth--
      if (!isImplied) endTags++
      isTitle = false
      if (hiddenPath.length > 0) {
        hiddenPath.pop()
        return
      }
      if (inline.has(name) || name === "br" || name === "td" || name === "th") return
      close()
      if (headingLevel(name) > 0) level = 0
    }
  }, { decodeEntities: true, lowerCaseTags: true })
  let search = 0
  for (let at = 0; at < source.length; at += partLength) {
    const part = source.slice(at, at + partLength)
    endTags = 0
    parser.write(part)
    if (mostDepth > maxNesting) return Either.left(tooDeep)
    search += Math.max(0, part.split("</").length - 1 - endTags) * mostDepth
    if (search > maxSearch) return Either.left(tooBroken)
  }
  parser.end()
  close()
  const tidyTitle = title.replaceAll(/\s+/g, " ").trim()
  return Either.right({ title: tidyTitle === "" ? null : tidyTitle, blocks })
}

/** The encoding that a page declares in its first 1024 bytes, as HTML asks for; null without one. */
export const htmlCharset = (bytes: Uint8Array): string | null =>
  /<meta[^>]+charset\s*=\s*["']?([\w:.-]+)/i.exec(new TextDecoder("latin1").decode(bytes.subarray(0, 1_024)))?.[1]
    ?.toLowerCase() ?? null
