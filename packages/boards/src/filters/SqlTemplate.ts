import { BoardsFailure } from "@trunkline/errors"
import type { Parameter, WarehouseStatement } from "@trunkline/warehouse"
import { Array, Either, Option } from "effect"
import { type Replacement, writtenNames } from "./ColumnNames.js"
import type { FilterType } from "./Filter.js"
import { type ClausePart, parseSqlParts, type SqlParts, type SqlText, type TokenPart } from "./SqlParts.js"

/** A value to bind. Whole numbers that a number cannot hold exactly are bigints of at most 64 bits. */
export type BoundValue = string | number | bigint

/** Value of a filter as SQL parameters; null is an explicit "no value". */
export type FilterBinding =
  | null
  | { readonly _tag: "Scalar"; readonly value: BoundValue }
  | { readonly _tag: "List"; readonly items: ReadonlyArray<BoundValue> }
  | {
    readonly _tag: "Range"
    readonly start: string
    /** First millisecond after the range. */
    readonly end: string
    /** Last millisecond of the range, for `BETWEEN {{name}}`. */
    readonly last: string
  }

/** A filter's type and value. */
export interface BoundFilter {
  readonly type: FilterType
  readonly binding: FilterBinding
}

/** Parsed SQL of a widget. */
export interface SqlTemplate {
  /** Filters that the SQL uses, in order of first use. */
  readonly names: ReadonlyArray<string>
  /** Filters used outside optional clauses, which need a value. */
  readonly required: ReadonlyArray<string>
  /** Filters whose start or end is used, which must be date ranges. */
  readonly ranges: ReadonlyArray<string>
  /** True when the SQL has optional clauses. */
  readonly optional: boolean
  readonly parts: SqlParts["parts"]
}

const isToken = (part: { readonly _tag: string }): part is TokenPart => part._tag === "Token"
const tokensOf = (part: SqlParts["parts"][number]): ReadonlyArray<TokenPart> =>
  part._tag === "Clause" ? part.parts.filter(isToken) : isToken(part) ? [part] : []
const namesOf = (tokens: ReadonlyArray<TokenPart>) => Array.dedupe(tokens.map(({ name }) => name))

const fail = (code: BoardsFailure["code"], message: string) => Either.left(new BoardsFailure({ code, message }))

/**
 * Parses a widget's SQL. `declared` are names that are meant as filters even when the SQL does not use them.
 *
 * Fails with `INVALID_SQL` for malformed tokens, clauses or quotes, and for a filter token inside quotes: it would be
 * literal text there, because values are bound and never written into the SQL.
 */
export const parseTemplate = (
  sql: string,
  declaredNames: ReadonlyArray<string> = []
): Either.Either<SqlTemplate, BoardsFailure> =>
  Either.flatMap(parseSqlParts(sql), ({ parts, quotedNames }) => {
    const tokens = parts.flatMap(tokensOf)
    const names = namesOf(tokens)
    const quotedName = quotedNames.find((name) => names.includes(name) || declaredNames.includes(name))
    return quotedName === undefined
      ? Either.right({
        names,
        required: namesOf(parts.filter(isToken)),
        ranges: namesOf(tokens.filter(({ side }) => side !== "whole")),
        optional: parts.some(({ _tag }) => _tag === "Clause"),
        parts
      })
      : fail(
        "INVALID_SQL",
        `{{${quotedName}}} is inside quotes, where it is literal text. Remove the quotes; values are bound.`
      )
  })

/** A statement, and how its columns are named. */
export interface CompiledTemplate extends WarehouseStatement {
  /** Names of the columns of a result by those that the warehouse gives them: their aliases, or their SQL as written. */
  readonly columnNames: (columns: ReadonlyArray<string>) => ReadonlyArray<string>
}

interface Expansion {
  readonly text: string
  readonly parameters: ReadonlyArray<Parameter>
}

/** SQL text surrounded by spaces, so that a following digit cannot become part of a placeholder such as `?1`. */
const placeholder = (text: string, ...parameters: ReadonlyArray<Parameter>): Expansion => ({
  text: ` ${text} `,
  parameters
})

/** A whole number as a parameter of any engine; the plus leaves it without affinity, as other values are. */
const slotOf = (value: BoundValue): string => typeof value === "bigint" ? "(+CAST(? AS INTEGER))" : "?"
const parameterOf = (value: BoundValue): Parameter => typeof value === "bigint" ? String(value) : value

/** Subquery without rows, so that `IN` is false and `NOT IN` is true; an empty list as NULL would make both unknown. */
const emptyList = placeholder("SELECT NULL WHERE 1=0")

const expand = ({ name, side }: TokenPart, { binding, type }: BoundFilter): Either.Either<Expansion, BoardsFailure> => {
  if (side !== "whole") {
    return type === "date_range"
      ? Either.right(placeholder("?", binding?._tag === "Range" ? binding[side] : null))
      : fail("INVALID_SQL", `{{${name}.${side}}} needs a filter of type date_range; ${name} is of type ${type}`)
  }
  if (binding === null) {
    return Either.right(type === "date_range" ? placeholder("? AND ?", null, null) : placeholder("?", null))
  }
  switch (binding._tag) {
    case "Scalar":
      return Either.right(placeholder(slotOf(binding.value), parameterOf(binding.value)))
    case "Range":
      return Either.right(placeholder("? AND ?", binding.start, binding.last))
    case "List":
      return Either.right(
        binding.items.length === 0
          ? emptyList
          : placeholder(binding.items.map(slotOf).join(","), ...binding.items.map(parameterOf))
      )
  }
}

/** Most parameters that SQLite binds to a statement (SQLITE_MAX_VARIABLE_NUMBER). */
const maxParameters = 32_766

/** Upper bound of the parameters of a part, computed before lists are expanded. */
const countParameters = (
  part: SqlText | TokenPart,
  bindingOf: (name: string) => Option.Option<BoundFilter>
): number => {
  if (part._tag === "Text") return 0
  const binding = Option.getOrUndefined(bindingOf(part.name))?.binding
  return binding?._tag === "List" ? binding.items.length : 2
}

/**
 * Compiles SQL with filter values to a statement with positional parameters. A filter that `bindingOf` does not know
 * has no value; null is an explicit one, bound as NULL where a value is required. Either drops the optional clauses
 * that use the filter.
 *
 * Fails with `MISSING_FILTER_VALUE` when a required value is missing, with `INVALID_SQL` when `{{name.start}}` or
 * `{{name.end}}` names a filter that is not a date range, and with `RESOURCE_LIMIT` when the statement would have more
 * parameters than SQLite allows.
 */
export const compileTemplate = (
  template: SqlTemplate,
  bindingOf: (name: string) => Option.Option<BoundFilter>
): Either.Either<CompiledTemplate, BoardsFailure> => {
  const isIncluded = (clause: ClausePart) =>
    clause.parts.filter(isToken).every(({ name }) => Option.exists(bindingOf(name), ({ binding }) => binding !== null))
  const pieces = template.parts.flatMap((part) => part._tag !== "Clause" ? [part] : isIncluded(part) ? part.parts : [])
  if (pieces.reduce((sum, part) => sum + countParameters(part, bindingOf), 0) > maxParameters) {
    return fail(
      "RESOURCE_LIMIT",
      `The filters would bind more than ${maxParameters} values. Use a list once, in a WITH query.`
    )
  }
  let text = ""
  const parameters: Array<Parameter> = []
  const replacements: Array<Replacement> = []

  const write = (parts: SqlTemplate["parts"]): Either.Either<void, BoardsFailure> => {
    for (const part of parts) {
      const from = text.length
      if (part._tag === "Text") {
        text += part.text
      } else if (part._tag === "Clause") {
        const isOmitted = !isIncluded(part)
        text += " "
        if (!isOmitted) {
          const inner = write(part.parts)
          if (Either.isLeft(inner)) return inner
          text += " "
        }
        replacements.push({ sourceText: part.sourceText, from, to: text.length, isOmitted })
      } else {
        const expansion = Option.match(bindingOf(part.name), {
          onNone: () => fail("MISSING_FILTER_VALUE", `The SQL needs a value for ${part.name}`),
          onSome: (boundFilter) => expand(part, boundFilter)
        })
        if (Either.isLeft(expansion)) return Either.left(expansion.left)
        for (const parameter of expansion.right.parameters) parameters.push(parameter)
        text += expansion.right.text
        replacements.push({ sourceText: part.sourceText, from, to: text.length, isOmitted: false })
      }
    }
    return Either.void
  }

  return Either.map(write(template.parts), () => ({
    text,
    parameters,
    columnNames: (columns) => writtenNames(text, replacements, columns)
  }))
}
