import type { Passage } from "../records/KnowledgeDocument.js"
import { knowledgeLimits } from "../records/KnowledgeLimits.js"
import { countWords } from "../words/Words.js"
import type { Block } from "./Block.js"

/** Words from which on a passage takes no further paragraph. */
const enoughWords = 180

/** Most words of a passage, and most characters, for texts without spaces. */
const maxWords = 300
const maxCharacters = 2_400

/** Words from which on a passage does not go on with the next page. */
const enoughForPage = 60

/** Words that the parts of a long paragraph share, so that a sentence on the border is whole in one of them. */
const sharedWords = 40

/** Joins the headings of a path. */
const separator = " > "

/** Ends of sentences in Latin and Indic scripts. */
const sentenceEnd = /[.!?।॥…]["'”’)]*$/

/** Cuts words that are longer than a passage. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  (text.match(/\S+/g) ?? []).flatMap((word) =>
    word.length <= maxCharacters ? [word] : word.match(new RegExp(`.{1,${maxCharacters}}`, "gsu")) ?? []
  )

/** The number of words that a part takes from the beginning: up to the last sentence that ends in its second half. */
const lengthOfPart = (words: ReadonlyArray<string>): number => {
  let size = 0
  let characters = 0
  while (size < Math.min(words.length, maxWords)) {
    characters += (words[size]?.length ?? 0) + 1
    if (size > 0 && characters > maxCharacters) break
    size++
  }
  if (size === words.length) return size
  const end = words.slice(0, size).findLastIndex((word) => sentenceEnd.test(word)) + 1
  return end > size / 2 ? end : size
}

/** Cuts a paragraph that is longer than a passage; its parts overlap. */
const cutParagraph = (text: string): ReadonlyArray<string> => {
  if (text.length <= maxCharacters && countWords(text) <= maxWords) return [text]
  const words = wordsOf(text)
  const parts: Array<string> = []
  let at = 0
  for (;;) {
    const size = lengthOfPart(words.slice(at, at + maxWords + 1))
    parts.push(words.slice(at, at + size).join(" "))
    if (at + size >= words.length) return parts
    at += size - Math.min(sharedWords, Math.floor(size / 4))
  }
}

const tidy = (text: string): string => text.replaceAll(/[ \t]+/g, " ").replaceAll(/ ?\n[ \n]*/g, "\n").trim()

/**
 * Splits a document into passages of some 180 to 300 words. Each begins at a heading or a paragraph and has the path of
 * headings above it; only a paragraph that is longer is cut, at the end of a sentence where there is one, with an overlap of
 * some 40 words. Paragraphs without a letter or a digit are left out.
 */
export const splitPassages = (blocks: Iterable<Block>): ReadonlyArray<Passage> => {
  const passages: Array<Passage> = []
  const headings: Array<Block> = []
  let texts: Array<string> = []
  let words = 0
  let characters = 0
  let page: number | null = null

  const close = () => {
    if (texts.length > 0) {
      const heading = headings.map(({ text }) => text).join(separator).slice(0, knowledgeLimits.name)
      passages.push({ heading, page, text: texts.join("\n") })
    }
    texts = []
    words = 0
    characters = 0
  }

  for (const block of blocks) {
    const text = tidy(block.text)
    if (!/[\p{L}\p{N}]/u.test(text)) continue
    if (block.level > 0) {
      close()
      while ((headings.at(-1)?.level ?? 0) >= block.level) headings.pop()
      headings.push({ ...block, text: text.replaceAll("\n", " ") })
      continue
    }
    for (const part of cutParagraph(text)) {
      const size = countWords(part)
      const isFull = words + size > maxWords || characters + part.length > maxCharacters || words >= enoughWords
      if (isFull || (block.page !== page && words >= enoughForPage)) close()
      if (texts.length === 0) page = block.page
      texts.push(part)
      words += size
      characters += part.length + 1
    }
  }
  close()
  return passages
}
