/** Where a rule may end in a text that it begins in at one of these places. */
type Ends = (text: ReadonlyArray<string>, from: ReadonlySet<number>) => ReadonlySet<number>

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" }

/** Reads the notation of llama.cpp's grammars, as far as it is written here. */
class Reader {
  at = 0
  constructor(readonly body: string, readonly ruleOf: (name: string) => Ends) {}

  blanks() {
    while (this.body[this.at] === " ") this.at++
  }

  has(mark: string) {
    this.blanks()
    if (!this.body.startsWith(mark, this.at)) return false
    this.at += mark.length
    return true
  }

  match(pattern: RegExp) {
    const sticky = new RegExp(pattern, "uy")
    sticky.lastIndex = this.at
    const match = sticky.exec(this.body)
    if (match !== null) this.at = sticky.lastIndex
    return match
  }

  character(): string {
    const code = this.match(/\\x([0-9A-F]{2})|\\u([0-9A-F]{4})|\\U([0-9A-F]{8})/)
    if (code !== null) {
      const point = Number.parseInt(code.slice(1).find((digits) => digits !== undefined) ?? "", 16)
      return String.fromCodePoint(Math.min(point, 0x10ffff))
    }
    const [text = "", escaped] = this.match(/\\(.)|[^]/) ?? []
    return escaped === undefined ? text : escapes[escaped] ?? escaped
  }

  alternatives(): Ends {
    const choices = [this.sequence()]
    while (this.has("|")) choices.push(this.sequence())
    return (text, from) => new Set(choices.flatMap((ends) => [...ends(text, from)]))
  }

  sequence(): Ends {
    const results: Array<Ends> = []
    for (;;) {
      this.blanks()
      if (this.at === this.body.length || ["|", ")"].includes(this.body[this.at] ?? "")) break
      results.push(this.repeated(this.item()))
    }
    return (text, from) => results.reduce((places, ends) => places.size === 0 ? places : ends(text, places), from)
  }

  item(): Ends {
    if (this.has("(")) {
      const inner = this.alternatives()
      if (!this.has(")")) throw new Error(`No ) in ${this.body}`)
      return inner
    }
    if (this.has("\"")) {
      const letters: Array<string> = []
      while (this.body[this.at] !== "\"") letters.push(this.character())
      this.at++
      return (text, from) =>
        new Set(
          [...from].filter((at) => letters.every((letter, index) => text[at + index] === letter)).map((at) =>
            at + letters.length
          )
        )
    }
    if (this.has("[")) return this.oneOf()
    const name = this.match(/[a-zA-Z0-9-]+/)?.[0]
    if (name === undefined) throw new Error(`Nothing at ${this.at} in ${this.body}`)
    return this.ruleOf(name)
  }

  oneOf(): Ends {
    const isNegated = this.match(/\^/) !== null
    const ranges: Array<readonly [string, string]> = []
    while (this.body[this.at] !== "]") {
      const first = this.character()
      ranges.push([first, this.match(/-(?!\])/) === null ? first : this.character()])
    }
    this.at++
    const code = (letter: string) => letter.codePointAt(0) ?? 0
    const fits = (letter: string) =>
      ranges.some(([first, last]) => code(letter) >= code(first) && code(letter) <= code(last)) !== isNegated
    return (text, from) =>
      new Set([...from].filter((at) => at < text.length && fits(text[at] ?? "")).map((at) => at + 1))
  }

  repeated(item: Ends): Ends {
    const [mark, least = "0", comma, most = ""] = this.match(/[?*+]|\{(\d+)(,?)(\d*)\}/) ?? []
    if (mark === undefined) return item
    const from = mark === "+" ? 1 : Number(least)
    const to = mark === "?" ? 1 : mark === "*" || mark === "+" || (comma === "," && most === "")
      ? Infinity
      : comma === ""
      ? from
      : Number(most)
    return (text, begin) => {
      const ends = new Set<number>(from === 0 ? begin : [])
      let places = begin
      for (let times = 1; times <= to && places.size > 0; times++) {
        places = new Set([...item(text, places)].filter((at) => times < from || !ends.has(at)))
        if (times >= from) { for (const at of places) ends.add(at) }
      }
      return ends
    }
  }
}

/** Checks texts against a grammar. */
export const makeMatcher = (grammar: string): (text: string) => boolean => {
  const bodies = new Map(
    grammar.split("\n").map((line) => {
      const [name = "", ...body] = line.split(" ::= ")
      return [name, body.join(" ::= ")]
    })
  )
  const rules = new Map<string, Ends>()
  const ruleOf = (name: string): Ends => (text, from) => {
    const existing = rules.get(name)
    if (existing !== undefined) return existing(text, from)
    const body = bodies.get(name)
    if (body === undefined) throw new Error(`No rule ${name}`)
    const rule = new Reader(body, ruleOf).alternatives()
    rules.set(name, rule)
    return rule(text, from)
  }
  return (text) => {
    const letters = Array.from(text)
    return ruleOf("root")(letters, new Set([0])).has(letters.length)
  }
}
