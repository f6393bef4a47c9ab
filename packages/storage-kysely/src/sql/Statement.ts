import { CompiledQuery, type QueryResult } from "kysely"

/** Parameter of a statement. */
export type SqlValue = string | number | Uint8Array | null

/** Ways of running statements. */
export interface StatementRunner {
  /** Runs a statement synchronously; null if that is not possible now. */
  readonly executeNow: <Row>(text: string, values: ReadonlyArray<SqlValue>) => QueryResult<Row> | null
  /** Runs a statement. */
  readonly execute: <Row>(query: CompiledQuery) => Promise<QueryResult<Row>>
  /** Handles a failed synchronous statement; rejects with the error. */
  readonly fail: (error: unknown) => Promise<never>
  /** True if `execute` takes statements before the one before has ended, and runs them in order. */
  readonly pipelines?: boolean
}

/** A prepared text with its values, which `yield*` runs within `Sql.statements`. */
export class SqlStatement<Row> {
  #result: QueryResult<Row> = { rows: [] }

  /** The result, once the statement has run. */
  get result(): QueryResult<Row> {
    return this.#result
  }

  constructor(
    readonly text: string,
    readonly values: ReadonlyArray<SqlValue>
  ) {}

  /** Runs the statement synchronously; false if that is not possible now. */
  tryNow({ executeNow }: StatementRunner): boolean {
    const result = executeNow<Row>(this.text, this.values)
    if (result === null) return false
    this.#result = result
    return true
  }

  /** Runs the statement. */
  async run({ execute }: StatementRunner): Promise<void> {
    this.#result = await execute<Row>(CompiledQuery.raw(this.text, [...this.values]))
  }

  /** Yields the statement to `Sql.statements`, and returns its result. */
  *[Symbol.iterator](): Statements<QueryResult<Row>> {
    yield this
    return this.#result
  }
}

/** Statements that depend on each other's results, as a generator function writes them. */
export type Statements<A> = Generator<SqlStatement<unknown>, A, void>

/** Statements that run as one step. */
class StatementGroup<Row> extends SqlStatement<Row> {
  readonly #statements: ReadonlyArray<SqlStatement<Row>>
  #done = 0

  constructor(statements: ReadonlyArray<SqlStatement<Row>>) {
    super("", [])
    this.#statements = statements
  }

  override tryNow(runner: StatementRunner): boolean {
    for (let next = this.#statements[this.#done]; next !== undefined; next = this.#statements[++this.#done]) {
      if (!next.tryNow(runner)) return false
    }
    return true
  }

  override async run(runner: StatementRunner): Promise<void> {
    if (runner.pipelines === true) {
      await Promise.all(this.#statements.slice(this.#done).map((one) => one.run(runner)))
      return
    }
    do {
      await this.#statements[this.#done]?.run(runner)
      this.#done += 1
    } while (!(await this.#goOn(runner)))
  }

  /** Runs the next statements synchronously, as far as possible; true when all have run. */
  #goOn(runner: StatementRunner): boolean | Promise<never> {
    try {
      return this.tryNow(runner)
    } catch (error) {
      return runner.fail(error)
    }
  }
}

/**
 * Runs statements in order, none of which needs the results of others, as one step: a database behind a network gets all of
 * them at once. Returns their results.
 */
export function* together<Row>(
  statements: ReadonlyArray<SqlStatement<Row>>
): Statements<ReadonlyArray<QueryResult<Row>>> {
  if (statements.length > 0) yield new StatementGroup(statements)
  return statements.map((one) => one.result)
}

/**
 * Runs statements and scripts of which none needs the results of others, and none changes the rows of others: a database behind a network
 * gets the next statements of all of them at once. Returns their results.
 */
export function* sideBySide<A>(
  parts: ReadonlyArray<{ readonly [Symbol.iterator]: () => Statements<A> }>
): Statements<ReadonlyArray<A>> {
  const results: Array<A> = []
  const scripts = parts.map((one) => one[Symbol.iterator]())
  let running = scripts.map((script, index) => ({ script, index, step: script.next() }))
  while (running.length > 0) {
    const waiting: Array<SqlStatement<unknown>> = []
    running = running.filter(({ index, step }) => {
      if (step.done === true) results[index] = step.value
      else waiting.push(step.value)
      return step.done !== true
    })
    if (waiting.length > 0) yield new StatementGroup(waiting)
    running = running.map(({ script, index }) => ({ script, index, step: script.next() }))
  }
  return results
}

/** Makes a statement. */
export const statement = <Row>(text: string, values: ReadonlyArray<SqlValue>): SqlStatement<Row> =>
  new SqlStatement(text, values)

/** Runs statements synchronously up to the first one that cannot; returns that one, or the result of all. */
export const runNow = <A>(script: Statements<A>, runner: StatementRunner): IteratorResult<SqlStatement<unknown>, A> => {
  let step = script.next()
  while (step.done !== true && step.value.tryNow(runner)) step = script.next()
  return step
}

/** Runs the rest of some statements, from one that cannot run synchronously. */
export const runRest = async <A>(
  script: Statements<A>,
  next: SqlStatement<unknown>,
  runner: StatementRunner
): Promise<A> => {
  for (let current = next;;) {
    await current.run(runner)
    const step = await runOrFail(script, runner)
    if (step.done === true) return step.value
    current = step.value
  }
}

const runOrFail = async <A>(script: Statements<A>, runner: StatementRunner) => {
  try {
    return runNow(script, runner)
  } catch (error) {
    return runner.fail(error)
  }
}
