import { Option, ParseResult, Schema, SchemaAST } from "effect"
import { isObject, quote, type Write } from "./JsonText.js"

const allKinds = ["array", "bigint", "boolean", "function", "null", "number", "object", "string", "symbol", "undefined"]
const nullish = [null, undefined]

/** Kind of a value: its type, with arrays and null apart from objects. */
const kindOf = (value: unknown): string => value === null ? "null" : Array.isArray(value) ? "array" : typeof value

/** Surrogate of a class: the struct of its fields. */
export const surrogateOf = (ast: SchemaAST.AST): SchemaAST.AST | undefined =>
  Option.getOrUndefined(SchemaAST.getAnnotation<SchemaAST.AST>(SchemaAST.SurrogateAnnotationId)(ast))

/** Kinds of the values of a schema's type side. */
const kindsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  switch (ast._tag) {
    case "StringKeyword":
    case "TemplateLiteral":
      return ["string"]
    case "NumberKeyword":
      return ["number"]
    case "BooleanKeyword":
      return ["boolean"]
    case "UndefinedKeyword":
      return ["undefined"]
    case "Literal":
      return [kindOf(ast.literal)]
    case "Enums":
      return [...new Set(ast.enums.map(([, value]) => kindOf(value)))]
    case "TupleType":
      return ["array"]
    case "TypeLiteral":
      return ast.propertySignatures.length + ast.indexSignatures.length > 0 ? ["object"] : allKinds
    case "Union":
      return [...new Set(ast.types.flatMap(kindsOf))]
    case "Refinement":
      return kindsOf(ast.from)
    case "Suspend":
      return kindsOf(SchemaAST.typeAST(ast.f()))
    case "Transformation":
      return kindsOf(ast.to)
    case "Declaration": {
      if (surrogateOf(ast) !== undefined) return ["object"]
      const accepts = ParseResult.is(Schema.make(ast))
      return allKinds.filter((kind) => nullish.every((value) => kindOf(value) !== kind || accepts(value)))
    }
    default:
      return allKinds
  }
}

/** Literal values of a string or number that a schema consists of; undefined if it has others. */
const literalsOf = (ast: SchemaAST.AST): ReadonlyArray<string | number> | undefined => {
  if (ast._tag === "Literal" && (typeof ast.literal === "string" || typeof ast.literal === "number")) {
    return [ast.literal]
  }
  return ast._tag === "Enums" ? ast.enums.map(([, value]) => value) : undefined
}

/** Texts of literals by their value; undefined if one of the members is no literal. */
const literalTexts = (members: ReadonlyArray<SchemaAST.AST>): ReadonlyMap<unknown, string> | undefined => {
  const texts = new Map<unknown, string>()
  for (const member of members) {
    const literals = literalsOf(member)
    if (literals === undefined) return undefined
    literals.forEach((literal) => texts.set(literal, typeof literal === "string" ? quote(literal) : String(literal)))
  }
  return texts
}

/** A string or a number that is written as it is, whichever member it belongs to. */
const isPlain = (ast: SchemaAST.AST): boolean =>
  ast._tag === "StringKeyword" || ast._tag === "NumberKeyword" || ast._tag === "TemplateLiteral" ||
  literalsOf(ast) !== undefined || ast._tag === "Refinement" && isPlain(ast.from)

/** The struct on the type side of a member, if it has one. */
const structOf = (ast: SchemaAST.AST): SchemaAST.TypeLiteral | undefined => {
  const type = SchemaAST.typeAST(ast)
  const struct = surrogateOf(type) ?? type
  return struct._tag === "TypeLiteral" ? struct : struct._tag === "Refinement" ? structOf(struct.from) : undefined
}

/** Literals by which the required properties of a member tell it from others. */
const tagsOf = (ast: SchemaAST.AST): ReadonlyMap<PropertyKey, ReadonlyArray<unknown>> =>
  new Map(
    structOf(ast)?.propertySignatures.flatMap(({ isOptional, name, type }) => {
      const literals = type._tag === "Union" ? type.types.map(literalsOf) : [literalsOf(type)]
      return isOptional || literals.includes(undefined) ? [] : [[name, literals.flatMap((values) => values ?? [])]]
    })
  )

/** Compiles objects that one of their properties tells apart; undefined if none does. */
const writeTagged = (
  members: ReadonlyArray<SchemaAST.AST>,
  compile: (ast: SchemaAST.AST) => Write,
  mismatch: Write
): Write | undefined => {
  const tags = members.map(tagsOf)
  const tag = [...tags[0]?.keys() ?? []].find((name) => {
    const literals = tags.flatMap((one) => one.get(name) ?? [])
    return tags.every((one) => one.has(name)) && new Set(literals).size === literals.length
  })
  if (tag === undefined) return undefined
  const writes = new Map(members.flatMap((member, index) => {
    const write = compile(member)
    return (tags[index]?.get(tag) ?? []).map((literal): [unknown, Write] => [literal, write])
  }))
  return (value) => (isObject(value) ? writes.get(value[tag]) ?? mismatch : mismatch)(value)
}

/** Compiles the members of one kind; `mismatch` writes where only Schema can tell them apart. */
const writeKind = (
  members: ReadonlyArray<SchemaAST.AST>,
  compile: (ast: SchemaAST.AST) => Write,
  mismatch: Write
): Write => {
  const [first, ...others] = members
  if (first === undefined) return mismatch
  if (others.length === 0) return compile(first)
  const texts = literalTexts(members)
  if (texts !== undefined) return (value) => texts.get(value) ?? mismatch(value)
  if (members.every(isPlain)) return compile(members.find((member) => literalsOf(member) === undefined) ?? first)
  return writeTagged(members, compile, mismatch) ?? mismatch
}

/**
 * Compiles a union: the kind of a value, then its literal or the tag of its object, chooses the member. `mismatch` writes
 * values that no member has, and those of kinds whose members only Schema can tell apart.
 */
export const writeUnion = (
  { types }: SchemaAST.Union,
  compile: (ast: SchemaAST.AST) => Write,
  mismatch: Write
): Write => {
  const members = types.map((type) => ({ type, kinds: kindsOf(SchemaAST.typeAST(type)) }))
  const writes = new Map(
    [...new Set(members.flatMap(({ kinds }) => kinds))].map((kind) => {
      const ofKind = members.filter(({ kinds }) => kinds.includes(kind)).map(({ type }) => type)
      return [kind, writeKind(ofKind, compile, mismatch)]
    })
  )
  const writeOf = (kind: string) => writes.get(kind) ?? mismatch
  const [writeNull, writeUndefined] = [writeOf("null"), writeOf("undefined")]
  const others = new Set([...writes].flatMap(([kind, write]) => kind === "null" || kind === "undefined" ? [] : [write]))
  const [only = mismatch] = others
  // The usual unions: a value or null, an optional value.
  if (others.size <= 1) {
    return (value) => value === null ? writeNull(value) : value === undefined ? writeUndefined(value) : only(value)
  }
  return (value) => value === undefined ? writeUndefined(value) : writeOf(kindOf(value))(value)
}
