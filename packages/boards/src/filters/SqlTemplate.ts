import { BoardsFailure } from "@trunkline/errors"
import type { Parameter, Statement } from "@trunkline/warehouse"
import { Array, Either, Option } from "effect"
import type { FilterType } from "./Filter.js"
import { type ClausePart, type SqlParts, takeApart, type TextPart, type TokenPart } from "./SqlParts.js"

/** What SQL gets for a filter: null is "no value", said on purpose. */
export type Binding =
  | null
  | { readonly _tag: "Scalar"; readonly value: string | number }
  | { readonly _tag: "List"; readonly items: ReadonlyArray<string | number> }
  | {
    readonly _tag: "Range"
    readonly start: string
    /** The first moment after the range. */
    readonly end: string
    /** The last moment inside it, for `BETWEEN {{name}}`. */
    readonly last: string
  }

/** A filter as SQL gets it. */
export interface BoundFilter {
  readonly type: FilterType
  readonly binding: Binding
}

/** An analyst's SQL, read (shapes 7.4). */
export interface SqlTemplate {
  /** The filters that it uses, in the order of their first use. */
  readonly names: ReadonlyArray<string>
  /** Those of them that stand outside optional clauses, so that there must be a value. */
  readonly required: ReadonlyArray<string>
  /** Those of them of which it uses the start or the end, so that they must be ranges. */
  readonly ranges: ReadonlyArray<string>
  /** Whether it has optional clauses. */
  readonly optional: boolean
  readonly parts: SqlParts["parts"]
}

const isToken = (part: { readonly _tag: string }): part is TokenPart => part._tag === "Token"
const tokensOf = (part: SqlParts["parts"][number]): ReadonlyArray<TokenPart> =>
  part._tag === "Clause" ? part.parts.filter(isToken) : isToken(part) ? [part] : []
const namesOf = (tokens: ReadonlyArray<TokenPart>) => Array.dedupe(tokens.map(({ name }) => name))

const fail = (code: BoardsFailure["code"], message: string) => Either.left(new BoardsFailure({ code, message }))

/**
 * Reads an analyst's SQL. `declared` are names of filters that it need not use but that are meant as filters.
 *
 * Fails with `INVALID_SQL` where tokens, clauses or quotes are not well formed, and where a filter's token stands inside
 * quotes: there it would be text, since values are bound and never written into SQL (design: boards 3.5).
 */
export const parseTemplate = (
  sql: string,
  declared: ReadonlyArray<string> = []
): Either.Either<SqlTemplate, BoardsFailure> =>
  Either.flatMap(takeApart(sql), ({ parts, quoted }) => {
    const tokens = parts.flatMap(tokensOf)
    const names = namesOf(tokens)
    const misplaced = quoted.find((name) => names.includes(name) || declared.includes(name))
    return misplaced === undefined
      ? Either.right({
        names,
        required: namesOf(parts.filter(isToken)),
        ranges: namesOf(tokens.filter(({ side }) => side !== "whole")),
        optional: parts.some(({ _tag }) => _tag === "Clause"),
        parts
      })
      : fail(
        "INVALID_SQL",
        `{{${misplaced}}} stands inside quotes, where it would only be text. Write it without them: values are bound.`
      )
  })

interface Expansion {
  readonly text: string
  readonly parameters: ReadonlyArray<Parameter>
}

/** Spaces, so that nothing beside it becomes a part of a placeholder: `?1` would be another one. */
const bound = (text: string, ...parameters: ReadonlyArray<Parameter>): Expansion => ({ text: ` ${text} `, parameters })

/** A list of nothing: nothing is in it, and everything is not in it; that of NULL would make both unknown. */
const emptyList = bound("SELECT NULL WHERE 1=0")

const expand = ({ name, side }: TokenPart, { binding, type }: BoundFilter): Either.Either<Expansion, BoardsFailure> => {
  if (side !== "whole") {
    return type === "date_range"
      ? Either.right(bound("?", binding?._tag === "Range" ? binding[side] : null))
      : fail("INVALID_SQL", `{{${name}.${side}}} needs a filter of type date_range; ${name} is of type ${type}`)
  }
  if (binding === null) return Either.right(type === "date_range" ? bound("? AND ?", null, null) : bound("?", null))
  switch (binding._tag) {
    case "Scalar":
      return Either.right(bound("?", binding.value))
    case "Range":
      return Either.right(bound("? AND ?", binding.start, binding.last))
    case "List":
      return Either.right(
        binding.items.length === 0 ? emptyList : bound(binding.items.map(() => "?").join(","), ...binding.items)
      )
  }
}

/** The most values that SQLite binds to one statement (its SQLITE_MAX_VARIABLE_NUMBER). */
const MAX_BOUND = 32_766

/** How many values a token may bind: known before any list is written out. */
const boundBy = (part: TextPart | TokenPart, bindingOf: (name: string) => Option.Option<BoundFilter>): number => {
  if (part._tag === "Text") return 0
  const binding = Option.getOrUndefined(bindingOf(part.name))?.binding
  return binding?._tag === "List" ? binding.items.length : 2
}

const gap: TextPart = { _tag: "Text", text: " " }

/**
 * The statement that the warehouse is given: a parameter for each token, in their order. A filter without a binding
 * has no value; null is an explicit one, which is NULL where a value is required. Either drops optional clauses.
 *
 * Fails with `MISSING_FILTER_VALUE` where a required value is not there, with `INVALID_SQL` where `{{name.start}}`
 * or `{{name.end}}` names what is no range, and with `RESOURCE_LIMIT` where more values would be bound than SQLite takes.
 */
export const compileTemplate = (
  template: SqlTemplate,
  bindingOf: (name: string) => Option.Option<BoundFilter>
): Either.Either<Statement, BoardsFailure> => {
  const isWanted = (clause: ClausePart) =>
    clause.parts.filter(isToken).every(({ name }) => Option.exists(bindingOf(name), ({ binding }) => binding !== null))
  const chosen = template.parts.flatMap((part) =>
    part._tag === "Clause" ? isWanted(part) ? [gap, ...part.parts, gap] : [gap] : [part]
  )
  if (chosen.reduce((sum, part) => sum + boundBy(part, bindingOf), 0) > MAX_BOUND) {
    return fail(
      "RESOURCE_LIMIT",
      `The filters would bind more than ${MAX_BOUND} values. Use a list once, in a WITH query.`
    )
  }
  const expansions = chosen.map((part): Either.Either<Expansion, BoardsFailure> =>
    part._tag === "Text"
      ? Either.right({ text: part.text, parameters: [] })
      : Option.match(bindingOf(part.name), {
        onNone: () => fail("MISSING_FILTER_VALUE", `The SQL needs a value for ${part.name}`),
        onSome: (bound) => expand(part, bound)
      })
  )
  return Either.map(Either.all(expansions), (expanded) => ({
    text: expanded.map(({ text }) => text).join(""),
    parameters: expanded.flatMap(({ parameters }) => parameters)
  }))
}
