import { type Block, paragraph } from "./Block.js"

/** Paragraphs of a plain text: what empty lines separate. */
export const readPlainText = (text: string): ReadonlyArray<Block> => text.split(/\n[ \t]*\n/).map(paragraph)
