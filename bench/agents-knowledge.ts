import { Ids, OrgId, Scope, Transactions, WorkspaceId } from "@trunkline/kernel"
import {
  DocumentId,
  DocumentReader,
  Knowledge,
  KnowledgeDocument,
  KnowledgeStore,
  type Passage
} from "@trunkline/knowledge"
import { PassageIndexSqlite } from "@trunkline/sqlite"
import { DateTime, Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ms, percentile } from "./boards-timing.js"
import { report } from "./report.js"

const passages = Number(process.env["PASSAGES"] ?? 100_000)
const passagesOfDocument = 500
const wordsOfPassage = 200
const vocabulary = 40_000
const questions = 2_000

/** Syllables of the words, so that they look like words to the stemmer. */
const consonants = "b ch d f g h j k l m n p r s t v w y sh th".split(" ")
const vowels = "a e i o u aa ee".split(" ")

let seed = 42
/** A number from 0 to 1 that is the same in each run (mulberry32). */
const random = (): number => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}

const pick = <A>(items: ReadonlyArray<A>): A => {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error("There is nothing to pick from")
  return item
}

const makeWord = (): string =>
  Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(consonants) + pick(vowels)).join("")

const words = Array.from({ length: vocabulary }, makeWord)

/** A word as often as words of a language are used: the rank's inverse, by Zipf. */
const usedWord = (): string => words[Math.floor(vocabulary ** random()) - 1] ?? "word"

const makePassage = (heading: string): Passage => ({
  heading,
  page: 1,
  text: Array.from({ length: wordsOfPassage }, usedWord).join(" ")
})

const scope = new Scope({ org_id: OrgId.make("bench"), workspace_id: WorkspaceId.make("main") })

const at = DateTime.unsafeMake("2026-11-29T00:00:00Z")

const documentOf = (number: number): KnowledgeDocument =>
  new KnowledgeDocument({
    document_id: DocumentId.make(`doc-${number}`),
    collection: number % 2 === 0 ? "even" : "odd",
    title: `Handbook ${number}`,
    source: `handbook-${number}.pdf`,
    kind: "pdf",
    language_name: null,
    hash: String(number),
    bytes: 1,
    pages: 1,
    passages: passagesOfDocument,
    created_at: at,
    updated_at: at
  })

/** A person's sentence: six words of a passage, some of them frequent, among those that every question has. */
const makeQuestion = (from: Passage): string => {
  const asked = from.text.split(" ")
  return `how do I know what the ${Array.from({ length: 6 }, () => pick(asked)).join(" ")} is for my order please`
}

const measure = (collections: ReadonlyArray<string> | null) =>
  Effect.gen(function*() {
    const store = yield* KnowledgeStore
    const knowledge = yield* Knowledge
    const samples: Array<Passage> = []
    for (let number = 0; number < passages / passagesOfDocument; number++) {
      const made = Array.from({ length: passagesOfDocument }, (_, part) => makePassage(`Chapter ${part}`))
      samples.push(...made.slice(0, 10))
      yield* store.save(scope, documentOf(number), made)
    }
    const began = performance.now()
    yield* knowledge.search(scope, { question: "anything", collections, limit: 5 })
    const filled = performance.now() - began
    const times: Array<number> = []
    let answered = 0
    for (let number = 0; number < questions; number++) {
      const question = makeQuestion(pick(samples))
      const started = performance.now()
      const hits = yield* knowledge.search(scope, { question, collections, limit: 5 })
      times.push(performance.now() - started)
      if (hits.length > 0) answered++
    }
    return { filled, times, answered }
  })

const layerIn = (folder: string) =>
  Knowledge.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(
      KnowledgeStore.layerMemory,
      DocumentReader.layerPlain,
      PassageIndexSqlite.layer({ folder }),
      Ids.layer,
      Transactions.layerMemory
    ))
  )

/** Prints how long a search among many passages takes, from the question to the passages with their texts. */
export const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-knowledge-"))
  try {
    const { answered, filled, times } = await Effect.runPromise(Effect.provide(measure(null), layerIn(folder)))
    const inSeconds = (filled / 1_000).toFixed(1)
    console.log(`${passages} passages indexed in ${inSeconds} s; ${answered} of ${questions} questions answered`)
    const figures = [percentile(times, 50), percentile(times, 99), Math.max(...times)].map(ms).join(" / ")
    console.log(figures)
    report({
      path: `search among ${passages} passages, p50 / p99 / max`,
      ours: figures,
      peer: `index filled again in ${inSeconds} s`,
      ratio: "",
      goal: "p99 < 10 ms"
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
