import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { completionOf } from "./Completions.js"

/** A block of TypeScript in a page. */
export interface Block {
  /** Page from the root of the repository, such as `docs/chat.md`. */
  readonly page: string
  /** Number of the block within its page, from 1. */
  readonly number: number
  /** Line of its first line in the page. */
  readonly line: number
  /** Text of the block. */
  readonly text: string
}

/** A block as a module of its own. */
export interface Module {
  readonly block: Block
  readonly source: string
  /** Number of lines before those of the block. */
  readonly linesBefore: number
}

/** Pages with blocks, from the root of the repository. */
export const pagesIn = (root: string): ReadonlyArray<string> => [
  "README.md",
  "adapters/trunkline/README.md",
  ...readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)
]

/** Blocks of TypeScript in the text of a page. */
export const blocksOf = (page: string, text: string): ReadonlyArray<Block> =>
  Array.from(text.matchAll(/^```(?:ts|typescript)[^\n]*\n([^]*?)^```/gm), ({ 0: whole, 1: code = "", index }, at) => ({
    page,
    number: at + 1,
    line: text.slice(0, index + whole.indexOf("\n") + 1).split("\n").length,
    text: code
  }))

/** All blocks of the documentation. */
export const allBlocks = (root: string): ReadonlyArray<Block> =>
  pagesIn(root).flatMap((page) => blocksOf(page, readFileSync(join(root, page), "utf8")))

/** The module of a block, with what the page says elsewhere. */
export const moduleOf = (block: Block): Module => {
  const { after, before } = completionOf(block.page, block.number)
  return {
    block,
    source: `${before}${block.text}${after}\nexport {}\n`,
    linesBefore: before.split("\n").length - 1
  }
}
