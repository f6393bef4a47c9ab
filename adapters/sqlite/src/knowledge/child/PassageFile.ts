import { stemsOf } from "@trunkline/knowledge/words"
import Database from "better-sqlite3"
import type { FileHits, FileSearch, FileState, PassageFilePlace, StoredDocument } from "../Messages.js"
import { idsOf, PassageSearcher } from "./PassageSearcher.js"

/** Format of the file. One of another format is emptied, and filled again from the documents. */
const format = 1

/** Time that a write waits for another process, in milliseconds. */
const busyMillis = 5_000

/** Size of the page cache of each open file, in KiB. */
const cacheKibibytes = 16 * 1024

/** Passages that were written before the index is merged into one piece, in which searches are fastest. */
const mergeAfter = 5_000

/**
 * A collection has the ids of passages from its id times `idsOfCollection` on, so that a search in it reads a range of the index.
 * The index holds the stems of words, separated by spaces, so that its tokenizer only has to keep them whole. By default it
 * would split words at the vowel signs of Indic scripts, which are marks (categories Mc and Mn).
 */
const tables = `
  create table state (id integer primary key, format integer not null, scope text not null, version integer not null);
  create table collections (id integer primary key, name text not null unique);
  create table documents (
    id integer primary key,
    document_id text not null unique,
    revision integer not null,
    collection text not null,
    title text not null,
    source text not null
  );
  create table passages (
    id integer primary key,
    document integer not null,
    position integer not null,
    heading text not null,
    page integer,
    text text not null
  );
  create index passages_by_document on passages (document);
  create virtual table words using fts5 (
    heading, text, content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
  );
`

interface StateRow {
  readonly format: number
  readonly scope: string
  readonly version: number
}

/** The index of one workspace. */
export class PassageFile {
  readonly #database: Database.Database
  readonly #place: PassageFilePlace
  readonly #searcher: PassageSearcher
  #written = 0

  /** Opens the file, creates it if needed, and empties one of another format or workspace. */
  constructor(place: PassageFilePlace) {
    this.#place = place
    this.#database = new Database(place.file, { timeout: busyMillis })
    try {
      for (
        const pragma of ["journal_mode = WAL", "synchronous = NORMAL", "secure_delete = ON", "temp_store = memory"]
      ) {
        this.#database.pragma(pragma)
      }
      this.#database.pragma(`cache_size = -${cacheKibibytes}`)
      this.#database.pragma("mmap_size = 536870912")
      this.#database.pragma("journal_size_limit = 16777216")
      if (!this.#isOurs()) this.#database.transaction(() => this.#recreate()).immediate()
      this.#searcher = new PassageSearcher(this.#database)
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  state(): FileState {
    const revisions = this.#database.prepare<[], { readonly document_id: string; readonly revision: number }>(
      "select document_id, revision from documents"
    ).all()
    return { version: this.#version(), revisions }
  }

  /** Writes a document in place of what is there of it. */
  put({ collection, document_id, passages, revision, source, title }: StoredDocument): void {
    this.#database.transaction(() => {
      this.#remove(document_id)
      const { lastInsertRowid: document } = this.#database.prepare(
        "insert into documents (document_id, revision, collection, title, source) values (?, ?, ?, ?, ?)"
      ).run(document_id, revision, collection, title, source)
      const insert = this.#database.prepare(
        "insert into passages (id, document, position, heading, page, text) values (?, ?, ?, ?, ?, ?)"
      )
      const index = this.#database.prepare("insert into words (rowid, heading, text) values (?, ?, ?)")
      const first = this.#nextId(collection)
      passages.forEach(({ heading, page, text }, position) => {
        const id = first + position
        insert.run(id, document, position, heading, page, text)
        index.run(id, stemsOf(`${title} ${heading}`).join(" "), stemsOf(text).join(" "))
      })
    }).immediate()
    this.#written += passages.length
  }

  /** Removes documents. */
  remove(ids: ReadonlyArray<string>): void {
    this.#database.transaction(() => ids.forEach((id) => this.#remove(id))).immediate()
  }

  /** Notes the version whose documents are all there. */
  settle(version: number): void {
    if (this.#written >= mergeAfter) {
      this.#database.exec("insert into words (words) values ('optimize')")
      this.#written = 0
    }
    this.#database.prepare("update state set version = ?").run(version)
  }

  /** The most relevant passages; null when the file does not have the version that is asked for. */
  search(search: FileSearch): FileHits {
    return this.#version() === search.version ? this.#searcher.search(search) : null
  }

  close(): void {
    this.#database.close()
  }

  /** The id of the next passage of a collection. */
  #nextId(collection: string): number {
    this.#database.prepare("insert into collections (name) values (?) on conflict do nothing").run(collection)
    const [from, to] = idsOf(this.#database, collection) ?? [0, 0]
    const last = this.#database.prepare<[number, number], { readonly id: number | null }>(
      "select max(id) as id from passages where id between ? and ?"
    ).get(from, to)?.id
    return (last ?? from) + 1
  }

  #remove(document_id: string): void {
    const row = this.#database.prepare<[string], { readonly id: number }>(
      "select id from documents where document_id = ?"
    ).get(document_id)
    if (row === undefined) return
    this.#database.prepare("delete from words where rowid in (select id from passages where document = ?)").run(row.id)
    this.#database.prepare("delete from passages where document = ?").run(row.id)
    this.#database.prepare("delete from documents where id = ?").run(row.id)
  }

  #read(): StateRow | undefined {
    const hasState = this.#database.prepare("select 1 from sqlite_schema where name = 'state'").get() !== undefined
    return hasState
      ? this.#database.prepare<[], StateRow>("select format, scope, version from state").get()
      : undefined
  }

  #version(): number {
    return this.#database.prepare<[], { readonly version: number }>("select version from state").get()?.version ?? 0
  }

  #isOurs(): boolean {
    const state = this.#read()
    return state?.format === format && state.scope === this.#place.scope
  }

  #recreate(): void {
    const names = this.#database.prepare<[], { readonly name: string }>(
      "select name from sqlite_schema where type = 'table' and name not like 'words\\_%' escape '\\' "
        + "and name not like 'sqlite\\_%' escape '\\'"
    ).all()
    for (const { name } of names) this.#database.exec(`drop table "${name}"`)
    this.#database.exec(tables)
    this.#database.prepare("insert into state (id, format, scope, version) values (1, ?, ?, 0)")
      .run(format, this.#place.scope)
  }
}
