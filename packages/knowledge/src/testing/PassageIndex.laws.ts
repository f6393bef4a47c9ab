import { assert, layer } from "@effect/vitest"
import type { Scope } from "@trunkline/kernel"
import { Effect, type Layer, Option } from "effect"
import type { KnowledgeDocument } from "../records/KnowledgeDocument.js"
import { PassageIndex } from "../search/PassageIndex.js"
import type { IndexUnusable } from "../search/PassageSearch.js"
import { termsOf } from "../words/Question.js"
import { documentNamed, passageOf, workspaceOf } from "./KnowledgeFixtures.js"
import { languageSamples } from "./SampleTexts.js"

/** Laws of `PassageIndex`. Every test uses its own workspace. */
export const passageIndexLaws = <E>(name: string, live: Layer.Layer<PassageIndex, E>) =>
  layer(live)(`PassageIndex laws: ${name}`, (it) => {
    const fill = (
      scope: Scope,
      documents: Readonly<Record<string, ReadonlyArray<string>>>,
      change: Partial<KnowledgeDocument> = {}
    ) =>
      Effect.gen(function*() {
        const index = yield* PassageIndex
        for (const [name, texts] of Object.entries(documents)) {
          yield* index.put(scope, {
            document: documentNamed(name, change),
            revision: 1,
            passages: texts.map((text) => passageOf(text))
          })
        }
        yield* index.settle(scope, 1)
      })

    const ask = (
      scope: Scope,
      question: string,
      { collections = null, limit = 10 }: {
        readonly collections?: ReadonlyArray<string> | null
        readonly limit?: number
      } = {}
    ): Effect.Effect<ReadonlyArray<string>, IndexUnusable, PassageIndex> =>
      Effect.flatMap(PassageIndex, (index) =>
        Effect.map(
          index.search(scope, { terms: termsOf(question), collections, limit, version: 1 }),
          (answer) => Option.getOrThrow(answer).map(({ text }) => text)
        ))

    it.effect("tells a passage with its document, heading, page and place", () =>
      Effect.gen(function*() {
        const index = yield* PassageIndex
        const scope = workspaceOf("source")
        const document = documentNamed("source", { title: "Handbook", collection: "shop" })
        const passages = [
          passageOf("Nothing to see."),
          { heading: "Orders > Returns", page: 7, text: "Send it back within 30 days." }
        ]
        yield* index.put(scope, { document, revision: 4, passages })
        yield* index.settle(scope, 4)
        const hits = Option.getOrThrow(
          yield* index.search(scope, { terms: termsOf("back within days"), collections: null, limit: 3, version: 4 })
        )
        const [{ score, ...hit } = assert.fail("there is no hit")] = hits
        assert.deepStrictEqual(hit, {
          document_id: document.document_id,
          collection: "shop",
          title: "Handbook",
          source: "source.md",
          position: 1,
          heading: "Orders > Returns",
          page: 7,
          text: "Send it back within 30 days."
        })
        assert.isAbove(score, 0)
        assert.deepStrictEqual(yield* index.state(scope), {
          version: 4,
          revisions: [{ document_id: document.document_id, revision: 4 }]
        })
      }))

    for (const { answer, language, other, question } of languageSamples) {
      it.effect(`answers a question in ${language}`, () =>
        Effect.gen(function*() {
          const scope = workspaceOf(`language-${language}`)
          yield* fill(scope, { sample: [other, answer] })
          assert.strictEqual((yield* ask(scope, question))[0], answer)
        }))
    }

    it.effect("keeps words with vowel signs apart, which are marks", () =>
      Effect.gen(function*() {
        const scope = workspaceOf("marks")
        yield* fill(scope, { marks: ["कल", "काल", "किला", "கல்", "கால்"] })
        assert.deepStrictEqual(yield* ask(scope, "काल"), ["काल"])
        assert.deepStrictEqual(yield* ask(scope, "कल"), ["कल"])
        assert.deepStrictEqual(yield* ask(scope, "கால்"), ["கால்"])
      }))

    it.effect("finds words however they are encoded, accented, counted or inflected in English", () =>
      Effect.gen(function*() {
        const scope = workspaceOf("forms")
        const texts = ["क़ीमत देखें", "Café menu", "कुल ५०० रुपये", "Cancellations are free", "ZWJ क्‍ष here"]
        yield* fill(scope, { forms: texts })
        assert.deepStrictEqual(yield* ask(scope, "\u0958ीमत"), ["क़ीमत देखें"])
        assert.deepStrictEqual(yield* ask(scope, "CAFE"), ["Café menu"])
        assert.deepStrictEqual(yield* ask(scope, "500"), ["कुल ५०० रुपये"])
        assert.deepStrictEqual(yield* ask(scope, "cancelled"), ["Cancellations are free"])
        assert.deepStrictEqual(yield* ask(scope, "क्ष"), ["ZWJ क्‍ष here"])
      }))

    it.effect("ranks passages with more and rarer words first, and headings before texts", () =>
      Effect.gen(function*() {
        const index = yield* PassageIndex
        const scope = workspaceOf("rank")
        const filler = Array.from({ length: 12 }, (_, at) => passageOf(`Standard delivery text number ${at}`))
        const passages = [
          ...filler,
          passageOf("Delivery of pianos costs extra"),
          passageOf("Delivery is standard"),
          { heading: "Pianos", page: null, text: "They are heavy, and this passage is about as long" }
        ]
        yield* index.put(scope, { document: documentNamed("rank"), revision: 1, passages })
        yield* index.settle(scope, 1)
        const [first, second] = yield* ask(scope, "what does the delivery of a piano cost")
        assert.deepStrictEqual([first, second], [passages[12]?.text, passages[14]?.text])
      }))

    it.effect("reads phrases and beginnings of words", () =>
      Effect.gen(function*() {
        const scope = workspaceOf("phrases")
        yield* fill(scope, { phrases: ["the blue line bus", "the line is blue", "bluebells bloom"] })
        assert.deepStrictEqual(yield* ask(scope, "\"blue line\""), ["the blue line bus"])
        assert.sameMembers([...yield* ask(scope, "blueb*")], ["bluebells bloom"])
        assert.strictEqual((yield* ask(scope, "blu*")).length, 3)
      }))

    it.effect("takes the language of queries for words", () =>
      Effect.gen(function*() {
        const scope = workspaceOf("syntax")
        yield* fill(scope, { syntax: ["near the gate", "column text"] })
        const attacks = [
          "NEAR(gate, 1) OR *",
          "text : gate",
          "\"gate",
          "gate\" OR \"x",
          "^gate - {text} : column",
          "'; drop table words; -- gate",
          "gate AND NOT column",
          "(((gate"
        ]
        for (const attack of attacks) assert.include(yield* ask(scope, attack), "near the gate", attack)
        assert.deepStrictEqual(yield* ask(scope, "words"), [])
      }))

    it.effect("looks in the collections that are asked for", () =>
      Effect.gen(function*() {
        const scope = workspaceOf("collections")
        yield* fill(scope, { one: ["refund one"] }, { collection: "one" })
        yield* fill(scope, { two: ["refund two"] }, { collection: "two-2_b" })
        assert.deepStrictEqual(yield* ask(scope, "refund", { collections: ["one"] }), ["refund one"])
        assert.deepStrictEqual(yield* ask(scope, "refund", { collections: ["two-2_b"] }), ["refund two"])
        assert.strictEqual((yield* ask(scope, "refund", { collections: ["one", "two-2_b"] })).length, 2)
        assert.deepStrictEqual(yield* ask(scope, "refund", { collections: ["three"] }), [])
        assert.deepStrictEqual(yield* ask(scope, "one", { collections: ["two-2_b"] }), [])
      }))

    it.effect("finds neither what was replaced nor what was removed", () =>
      Effect.gen(function*() {
        const index = yield* PassageIndex
        const scope = workspaceOf("changes")
        yield* fill(scope, { kept: ["kept word"], changed: ["former word"], removed: ["removed word"] })
        yield* fill(scope, { changed: ["later word"] })
        yield* index.remove(scope, [documentNamed("removed").document_id, documentNamed("never").document_id])
        assert.sameMembers([...yield* ask(scope, "word")], ["kept word", "later word"])
        assert.deepStrictEqual(yield* ask(scope, "former removed"), [])
      }))

    it.effect("gives no more than the limit, and nothing when it does not have the version", () =>
      Effect.gen(function*() {
        const index = yield* PassageIndex
        const scope = workspaceOf("limit")
        yield* fill(scope, { many: Array.from({ length: 20 }, (_, at) => `same ${at}`) })
        assert.strictEqual((yield* ask(scope, "same", { limit: 4 })).length, 4)
        const search = { terms: termsOf("same"), collections: null, limit: 4, version: 2 }
        assert.isTrue(Option.isNone(yield* index.search(scope, search)))
      }))

    it.effect("never tells one workspace of another", () =>
      Effect.gen(function*() {
        const [one, two] = [workspaceOf("mine"), workspaceOf("mine-other")]
        yield* fill(one, { secret: ["the secret of one"] })
        yield* fill(two, { secret: ["the secret of two"] })
        assert.deepStrictEqual(yield* ask(one, "secret"), ["the secret of one"])
        assert.deepStrictEqual(yield* ask(two, "secret"), ["the secret of two"])
      }))
  })
