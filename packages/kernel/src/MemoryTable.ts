import { Effect } from "effect"
import { undoable } from "./Undoable.js"

/**
 * A keyed table in memory, the ground of every memory store. Rows are immutable values, never undefined; reading is plain and
 * synchronous, writing is an effect that `Transactions.layerMemory` can roll back.
 *
 * A rollback restores a row only where the transaction's own write is still in place. The order of iteration is
 * that of insertion, except that a row which a rollback brings back comes last.
 */
export class MemoryTable<K, V> {
  readonly #rows = new Map<K, V>()

  /** A new, empty table. */
  static readonly make = <K, V>(): MemoryTable<K, V> => new MemoryTable<K, V>()

  /** The row under a key. */
  get(key: K): V | undefined {
    return this.#rows.get(key)
  }

  /** Whether there is a row under the key. */
  has(key: K): boolean {
    return this.#rows.has(key)
  }

  /** All rows. */
  values(): IterableIterator<V> {
    return this.#rows.values()
  }

  /** All keys with their rows. */
  entries(): IterableIterator<[K, V]> {
    return this.#rows.entries()
  }

  /** How many rows there are. */
  get size(): number {
    return this.#rows.size
  }

  /** Puts a row under the key, in place of the one that is there. */
  set(key: K, value: V): Effect.Effect<void> {
    return this.#write((rows) => {
      const restore = this.#restore(key)
      rows.set(key, value)
      return () => {
        if (rows.get(key) === value) restore()
      }
    })
  }

  /** Removes the row under the key; says whether there was one. */
  delete(key: K): Effect.Effect<boolean> {
    return Effect.suspend(() => {
      const found = this.#rows.has(key)
      return Effect.as(this.#write((rows) => this.#remove(rows, key)), found)
    })
  }

  /** Removes every row. */
  clear(): Effect.Effect<void> {
    return this.#write((rows) => {
      const undo = Array.from(rows.keys(), (key) => this.#remove(rows, key))
      return () => undo.forEach((restore) => restore())
    })
  }

  #remove(rows: Map<K, V>, key: K): () => void {
    const restore = this.#restore(key)
    rows.delete(key)
    return () => {
      if (!rows.has(key)) restore()
    }
  }

  #restore(key: K): () => void {
    const rows = this.#rows
    const before = rows.get(key)
    return before === undefined ? () => void rows.delete(key) : () => void rows.set(key, before)
  }

  #write(change: (rows: Map<K, V>) => () => void): Effect.Effect<void> {
    return undoable(() => change(this.#rows))
  }
}
