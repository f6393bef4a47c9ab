import { Effect } from "effect"
import { rollbackable } from "./Transactions.js"

/**
 * A keyed table in memory, on which every memory store is built. Rows are immutable values and never undefined. Reads
 * are synchronous; writes are effects that `Transactions.layerMemory` can roll back.
 *
 * A rollback restores a row only if the transaction's own write is still in place. Iteration follows insertion order,
 * except that a row restored by a rollback comes last.
 *
 * @example
 * ```ts
 * const agents = MemoryTable.make<AgentId, Agent>()
 * yield* agents.set(agent.id, agent)
 * agents.get(agent.id)
 * ```
 */
export class MemoryTable<K, V> {
  readonly #rows = new Map<K, V>()

  /** A new, empty table. */
  static readonly make = <K, V>(): MemoryTable<K, V> => new MemoryTable<K, V>()

  /** The row under a key. */
  get(key: K): V | undefined {
    return this.#rows.get(key)
  }

  /** True if there is a row under the key. */
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

  /** Number of rows. */
  get size(): number {
    return this.#rows.size
  }

  /** Inserts a row under the key or replaces it. */
  set(key: K, value: V): Effect.Effect<void> {
    return this.#write((rows) => {
      const restore = this.#restore(key)
      rows.set(key, value)
      return () => {
        if (rows.get(key) === value) restore()
      }
    })
  }

  /** Removes the row under the key; false if there is none. */
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
    return rollbackable(() => change(this.#rows))
  }
}
