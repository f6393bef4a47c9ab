import { Effect } from "effect"
import { rollbackable } from "./Transactions.js"

/** Called after a row has been written, removed or rolled back, with the row now under the key: undefined for none. */
export type RowListener<K, V> = (key: K, row: V | undefined) => void

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
  readonly #onChange: RowListener<K, V>

  private constructor(onChange: RowListener<K, V>) {
    this.#onChange = onChange
  }

  /** A new, empty table. An index that follows `onChange` is rolled back with it. */
  static readonly make = <K, V>(onChange: RowListener<K, V> = () => {}): MemoryTable<K, V> =>
    new MemoryTable<K, V>(onChange)

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
    return rollbackable(() => {
      const before = this.#rows.get(key)
      this.#put(key, value)
      return () => {
        if (this.#rows.get(key) === value) this.#put(key, before)
      }
    })
  }

  /** Removes the row under the key; false if there is none. */
  delete(key: K): Effect.Effect<boolean> {
    return Effect.suspend(() => {
      const isPresent = this.#rows.has(key)
      return Effect.as(rollbackable(() => this.#remove(key)), isPresent)
    })
  }

  /** Removes every row. */
  clear(): Effect.Effect<void> {
    return rollbackable(() => {
      const undo = Array.from(this.#rows.keys(), (key) => this.#remove(key))
      return () => undo.forEach((restore) => restore())
    })
  }

  #remove(key: K): () => void {
    const before = this.#rows.get(key)
    this.#put(key, undefined)
    return () => {
      if (!this.#rows.has(key)) this.#put(key, before)
    }
  }

  #put(key: K, value: V | undefined): void {
    if (value === undefined) this.#rows.delete(key)
    else this.#rows.set(key, value)
    this.#onChange(key, value)
  }
}
