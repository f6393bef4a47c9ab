const tag = /<!\[CDATA\[[\s\S]*?\]\]>|<(\/?)([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/gu
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gu
const entity = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-fA-F]+);)/u
const unprintable = /(?![\t\n\r])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u
const activeTags = ["script", "foreignobject", "iframe", "image", "use", "a", "animate", "set", "style", "link"]

const attributeFaults = (name: string, value: string): ReadonlyArray<string> => [
  ...(/^on/i.test(name) ? [`attribute ${name}`] : []),
  ...(/href$/i.test(name) ? [`reference ${value}`] : []),
  ...(/url\(\s*['"]?[^#'"\s]/i.test(value) || /javascript:/i.test(value) ? [`address ${value}`] : [])
]

/** Lists the faults of an SVG: malformed XML, active content, and references to external resources. */
export const svgFaults = (svg: string): ReadonlyArray<string> => {
  const faults: Array<string> = []
  const open: Array<string> = []
  const between = (text: string) => {
    if (/[<>]/.test(text)) faults.push(`loose bracket in ${text.slice(0, 40)}`)
    if (entity.test(text)) faults.push(`loose ampersand in ${text.slice(0, 40)}`)
    if (open.length === 0 && text.trim() !== "") faults.push("text outside of the root")
  }
  let end = 0
  let roots = 0
  for (const match of svg.matchAll(tag)) {
    const [whole, closing, name = "", attributes = "", empty] = match
    between(svg.slice(end, match.index))
    end = match.index + whole.length
    if (whole.startsWith("<!")) {
      faults.push("CDATA")
      continue
    }
    if (activeTags.includes(name.toLowerCase())) faults.push(`element ${name}`)
    if (entity.test(attributes)) faults.push(`loose ampersand in ${attributes.slice(0, 40)}`)
    const names = [...attributes.matchAll(attribute)].map(([, key = "", one, other]) => {
      faults.push(...attributeFaults(key, one ?? other ?? ""))
      return key
    })
    if (new Set(names).size < names.length) faults.push(`an attribute twice in ${name}`)
    if (closing === "/") {
      if (open.pop() !== name) faults.push(`</${name}> without its start`)
    } else {
      if (open.length === 0) roots += 1
      if (empty !== "/") open.push(name)
    }
  }
  between(svg.slice(end))
  if (unprintable.test(svg)) faults.push("characters that XML cannot hold")
  if (open.length > 0) faults.push(`<${open.join("><")}> without its end`)
  if (roots !== 1 || !svg.startsWith("<svg")) faults.push("not one svg element")
  return faults
}

/** Contents of the `text` and `title` elements of an SVG, as written in the file. */
export const svgTexts = (svg: string): ReadonlyArray<string> =>
  [...svg.matchAll(/<(text|title)\b[^>]*>([\s\S]*?)<\/\1>/gu)].map(([, , text = ""]) => text)
