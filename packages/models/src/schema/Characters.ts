import type { AST } from "@eslint-community/regexpp"
import { rotated } from "./Draws.js"

/** A part of a pattern that matches one character. */
export type CharacterNode = AST.CharacterClass | AST.CharacterSet | AST.ExpressionCharacterClass

const letters = "abcdefghijklmnopqrstuvwxyz"

/** What one character is first looked for in: digits apart, since a class of digits alone has no letters. */
const pools = [letters, letters.toUpperCase(), "0123456789", " -_.,:/@#+!?()[]{}'\"%&*=<>|~^$;`\\", "\n\té"].map(
  (pool) => [...pool]
)

/** Characters of several scripts and kinds. */
const rare = [..."अकతমاאЖΩ中あ한ñß€😀①٣\u00a0\u0300\u200d\u0000"]

/** How many parts of a class are looked at. */
const mostParts = 50

const partsOf = (node: CharacterNode): ReadonlyArray<string> => {
  if (node.type !== "CharacterClass") return []
  return node.elements.slice(0, mostParts).flatMap((part) => {
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

/** The characters that a part of a pattern matches, as far as they are known here. */
export const charactersOf = (node: CharacterNode, isUnicode: boolean): ReadonlyArray<string> => {
  const matches = new RegExp(`^${node.raw}$`, isUnicode ? "u" : "")
  const fitting = pools.map((pool) => pool.filter((one) => matches.test(one))).find(({ length }) => length > 0)
  return fitting ?? [...partsOf(node), ...rare].filter((one) => matches.test(one))
}

/** One of the characters, as drawn. */
export const oneOf = (characters: ReadonlyArray<string>, place: number): string => rotated(characters, place)[0] ?? ""
