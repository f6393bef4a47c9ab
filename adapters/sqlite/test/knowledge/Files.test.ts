import { assert, describe, it } from "@effect/vitest"
import { PassageIndex, termsOf } from "@trunkline/knowledge"
import { documentNamed, passageOf, workspaceOf } from "@trunkline/knowledge/testing"
import { PassageIndexSqlite } from "@trunkline/sqlite"
import { Effect, Option } from "effect"
import { readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { PassageFile } from "../../src/knowledge/child/PassageFile.js"
import { temporaryFolder } from "../warehouse/Folders.js"

const scope = workspaceOf("files")

const search = { terms: termsOf("piano"), collections: null, limit: 3, version: 1 }

const put = Effect.flatMap(PassageIndex, (index) =>
  Effect.zipRight(
    index.put(scope, { document: documentNamed("piano"), revision: 1, passages: [passageOf("A piano")] }),
    index.settle(scope, 1)
  ))

const find = Effect.flatMap(PassageIndex, (index) => index.search(scope, search))

describe("the file of a workspace", () => {
  it.scoped("is there again after a restart, for this user only", () =>
    Effect.gen(function*() {
      const folder = join(yield* temporaryFolder, "knowledge")
      const live = PassageIndexSqlite.layer({ folder })
      yield* Effect.provide(put, live)
      assert.strictEqual(statSync(folder).mode & 0o077, 0)
      assert.lengthOf(Option.getOrThrow(yield* Effect.provide(find, live)), 1)
    }))

  it.scoped("is made anew when it is damaged", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      yield* Effect.provide(put, PassageIndexSqlite.layer({ folder }))
      for (const name of readdirSync(folder)) writeFileSync(join(folder, name), "no database at all".repeat(1_000))
      yield* Effect.gen(function*() {
        assert.isTrue(Option.isNone(yield* find))
        yield* put
        assert.lengthOf(Option.getOrThrow(yield* find), 1)
      }).pipe(Effect.provide(PassageIndexSqlite.layer({ folder })))
    }))

  it.scoped("is emptied when it is of another workspace", () =>
    Effect.map(temporaryFolder, (folder) => {
      const file = join(folder, "one.sqlite")
      const mine = new PassageFile({ file, scope: "acme/one" })
      mine.put({
        document_id: "d",
        revision: 1,
        collection: "c",
        title: "t",
        source: "s",
        passages: [passageOf("Secret")]
      })
      mine.settle(1)
      mine.close()
      const other = new PassageFile({ file, scope: "acme/two" })
      assert.deepStrictEqual(other.state(), { version: 0, revisions: [] })
      assert.isNull(other.search({ ...search, terms: termsOf("secret") }))
      other.close()
    }))

  it.scoped("finds passages of which every word is frequent, and the rare word among them", () =>
    Effect.map(temporaryFolder, (folder) => {
      const file = new PassageFile({ file: join(folder, "many.sqlite"), scope: "acme/many" })
      const texts = Array.from(
        { length: 3_000 },
        (_, at) => passageOf(at === 2_900 ? "piano delivery zebra" : "piano delivery")
      )
      file.put({ document_id: "d", revision: 1, collection: "c", title: "t", source: "s", passages: texts })
      file.settle(1)
      const textsOf = (question: string, collections: ReadonlyArray<string> | null = null) =>
        file.search({ terms: termsOf(question), collections, limit: 2, version: 1 })?.map(({ text }) => text)
      assert.deepStrictEqual(textsOf("piano delivery"), ["piano delivery", "piano delivery"])
      assert.deepStrictEqual(textsOf("piano zebra"), ["piano delivery zebra"])
      assert.deepStrictEqual(textsOf("piano", ["c"]), ["piano delivery", "piano delivery"])
      assert.deepStrictEqual(textsOf("piano", ["other"]), [])
      file.close()
    }))
})
