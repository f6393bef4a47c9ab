import { Context, Equal, Hash, Tracer } from "effect"

/** Map of services with one more. It is copied when somebody goes through it, which few do. */
class MapWithOne extends Map<string, unknown> {
  readonly base: ReadonlyMap<string, unknown>
  readonly #key: string
  readonly #value: unknown
  #copy: Map<string, unknown> | undefined

  constructor(base: ReadonlyMap<string, unknown>, key: string, value: unknown) {
    super()
    this.base = base
    this.#key = key
    this.#value = value
  }

  get #whole(): Map<string, unknown> {
    return this.#copy ??= new Map(this.base).set(this.#key, this.#value)
  }

  override get size(): number {
    return this.base.has(this.#key) ? this.base.size : this.base.size + 1
  }

  override get(key: string): unknown {
    return key === this.#key ? this.#value : this.base.get(key)
  }

  override has(key: string): boolean {
    return key === this.#key || this.base.has(key)
  }

  override entries(): MapIterator<[string, unknown]> {
    return this.#whole.entries()
  }

  override keys(): MapIterator<string> {
    return this.#whole.keys()
  }

  override values(): MapIterator<unknown> {
    return this.#whole.values()
  }

  override [Symbol.iterator](): MapIterator<[string, unknown]> {
    return this.#whole.entries()
  }

  override forEach(callback: (value: unknown, key: string, map: Map<string, unknown>) => void, self?: unknown): void {
    this.#whole.forEach(callback, self)
  }
}

/**
 * Context of an effect in a span: `Context.add` of `Tracer.ParentSpan` without its costs, which were most of the cost of a span.
 * The services, some two hundred in an engine, are not copied. The result equals only itself, since a fiber compares a context
 * with the one before it service by service.
 */
export const spanContext = <R>({ unsafeMap }: Context.Context<R>, span: Tracer.AnySpan): Context.Context<R> => {
  const base = unsafeMap instanceof MapWithOne ? unsafeMap.base : unsafeMap
  const context: Context.Context<R> = Context.unsafeMake(new MapWithOne(base, Tracer.ParentSpan.key, span))
  return Object.assign(context, {
    [Equal.symbol]: (that: unknown) => that === context,
    [Hash.symbol]: () => 0
  })
}
