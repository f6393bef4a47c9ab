import type { AST } from "@eslint-community/regexpp"
import type { PatternTree } from "@trunkline/models"
import { childHash, rotate } from "./Draws.js"

/** A node of a pattern that matches one character. */
export type CharacterNode = AST.CharacterClass | AST.CharacterSet | AST.ExpressionCharacterClass

const letters = "abcdefghijklmnopqrstuvwxyz"

/** Pools of characters in order of preference; digits apart, since a class of digits has no letters. */
const pools = [letters, letters.toUpperCase(), "0123456789", " -_.,:/@#+!?()[]{}'\"%&*=<>|~^$;`\\", "\n\té"].map(
  (pool) => [...pool]
)

/** Characters of several scripts and categories. */
const rare = [..."अकతমاאЖΩ中あ한ñß€😀①٣\u00a0\u0300\u200d\u0000"]

/** Upper bound of elements of a class that are read. */
const maxParts = 50

const partsOf = (node: CharacterNode): ReadonlyArray<string> => {
  if (node.type !== "CharacterClass") return []
  return node.elements.slice(0, maxParts).flatMap((part) => {
    switch (part.type) {
      case "Character":
        return [String.fromCodePoint(part.value)]
      case "CharacterClassRange":
        return [part.min.value, Math.floor((part.min.value + part.max.value) / 2), part.max.value]
          .map((point) => String.fromCodePoint(point))
      default:
        return []
    }
  })
}

/** Lists known characters that a node matches. */
const charactersOf = (node: CharacterNode, isUnicode: boolean): ReadonlyArray<string> => {
  const matches = new RegExp(`^${node.raw}$`, isUnicode ? "u" : "")
  const fitting = pools.map((pool) => pool.filter((one) => matches.test(one))).find(({ length }) => length > 0)
  return fitting ?? [...partsOf(node), ...rare].filter((one) => matches.test(one))
}

/** Draws one of the characters. */
const oneOf = (characters: ReadonlyArray<string>, place: number): string => rotate(characters, place)[0] ?? ""

/** Upper bounds of a text in UTF-16 units, and of pattern nodes that are expanded. */
const max = { units: 10_000, parts: 20_000 }

/** State of writing a text. */
interface Writing {
  readonly isUnicode: boolean
  readonly captures: Map<AST.CapturingGroup, string>
  readonly characters: Map<AST.Node, ReadonlyArray<string>>
  readonly least: Map<AST.Node, number>
  /** Characters that repetitions still have to add. */
  missingLength: number
  units: number
  parts: number
}

/** Counts the characters that a node has at least. */
const leastOf = (element: AST.Element, memo: Map<AST.Node, number>): number => {
  const before = memo.get(element)
  if (before !== undefined) return before
  const least = countedLeast(element, memo)
  memo.set(element, least)
  return least
}

const countedLeast = (element: AST.Element, memo: Map<AST.Node, number>): number => {
  switch (element.type) {
    case "Quantifier":
      return element.min * leastOf(element.element, memo)
    case "Group":
    case "CapturingGroup":
      return Math.min(
        ...element.alternatives.map(({ elements }) => elements.reduce((sum, part) => sum + leastOf(part, memo), 0))
      )
    case "Assertion":
    case "Backreference":
      return 0
    default:
      return 1
  }
}

const isFull = ({ parts, units }: Writing) => units >= max.units || parts >= max.parts

const repeat = (node: AST.Quantifier, writing: Writing, place: number): string => {
  const one = Math.max(1, leastOf(node.element, writing.least))
  const room = Math.max(0, node.max - node.min)
  const extra = Math.min(room, Math.max(0, Math.ceil(writing.missingLength / one)))
  writing.missingLength -= extra * one
  let text = ""
  for (let count = 0; count < node.min + extra && !isFull(writing); count++) {
    text += write(node.element, writing, childHash(place, count))
  }
  return text
}

const choose = (alternatives: ReadonlyArray<AST.Alternative>, writing: Writing, place: number): string => {
  const alternative = rotate(alternatives, place)[0]
  return (alternative?.elements ?? []).map((element, index) => write(element, writing, childHash(place, index))).join(
    ""
  )
}

const characterIn = (node: CharacterNode, writing: Writing): ReadonlyArray<string> => {
  const characterSet = writing.characters.get(node) ?? charactersOf(node, writing.isUnicode)
  writing.characters.set(node, characterSet)
  return characterSet
}

const write = (node: AST.Element, writing: Writing, place: number): string => {
  writing.parts++
  if (isFull(writing)) return ""
  switch (node.type) {
    case "Quantifier":
      return repeat(node, writing, place)
    case "Group":
      return choose(node.alternatives, writing, place)
    case "CapturingGroup": {
      const text = choose(node.alternatives, writing, place)
      writing.captures.set(node, text)
      return text
    }
    case "Backreference": {
      const group = Array.isArray(node.resolved) ? node.resolved[0] : node.resolved
      return group === undefined ? "" : writing.captures.get(group) ?? ""
    }
    case "Assertion":
      return ""
    case "Character":
      writing.units++
      return String.fromCodePoint(node.value)
    default:
      writing.units++
      return oneOf(characterIn(node, writing), place)
  }
}

/** Writes texts for the positive lookaheads of an alternative. */
const ahead = (alternative: AST.Alternative | undefined, writing: Writing, place: number): string =>
  (alternative?.elements ?? []).map((element, index) =>
    element.type === "Assertion" && element.kind === "lookahead" && !element.negate
      ? choose(element.alternatives, writing, childHash(place, index))
      : ""
  ).join("")

/** Settings of writing a text. */
export interface WritingOptions {
  /** Hash that choices are drawn from. */
  readonly place: number
  /** Characters to add in repetitions. */
  readonly missingLength: number
  /** Prepends texts for lookaheads. */
  readonly isAhead: boolean
}

/** A written text, and the number of expanded nodes. */
export interface Written {
  readonly text: string
  readonly parts: number
}

/** Writes a text that a pattern matches, apart from its assertions. */
export const textFor = ({ alternatives, isUnicode }: PatternTree, options: WritingOptions): Written => {
  const { isAhead, missingLength, place } = options
  const writing: Writing = {
    isUnicode,
    captures: new Map(),
    characters: new Map(),
    least: new Map(),
    missingLength,
    units: 0,
    parts: 0
  }
  const alternative = rotate(alternatives, place)[0]
  const first = isAhead ? ahead(alternative, writing, place) : ""
  const rest = (alternative?.elements ?? []).map((element, index) => write(element, writing, childHash(place, index)))
  return { text: first + rest.join(""), parts: writing.parts }
}
