import { Option, ParseResult, Schema, SchemaAST } from "effect"
import { absent, numberText, quote, type Write, writeJson } from "./JsonText.js"
import { writeTransformedStruct, writeTypeLiteral } from "./StructWriter.js"
import { surrogateOf, writeUnion } from "./UnionWriter.js"

const JsonWriterAnnotation: unique symbol = Symbol.for("@trunkline/json-writer/JsonWriterAnnotation")

/**
 * Annotations of a schema that has a writer of its own, for transformations that are written often. `write` must give the
 * JSON text of the encoded value for every value of the type, and must throw for other types.
 */
export const writtenAs = <A>(
  write: (value: A) => string
): { readonly [JsonWriterAnnotation]: (value: A) => string } => ({
  [JsonWriterAnnotation]: write
})

/** Encodes by Schema, and fails as Schema does. */
const writeBySchema = (ast: SchemaAST.AST): Write => {
  let encode: ((value: unknown) => unknown) | undefined
  return (value) => JSON.stringify((encode ??= ParseResult.encodeUnknownSync(Schema.make(ast)))(value))
}

const writers = new WeakMap<SchemaAST.AST, Write>()

/** The writer of a schema, compiled once. */
const compile = (ast: SchemaAST.AST): Write => {
  const cachedWrite = writers.get(ast)
  if (cachedWrite !== undefined) return cachedWrite
  const write = make(ast, writeBySchema(ast))
  writers.set(ast, write)
  return write
}

const lazily = (write: () => Write): Write => {
  let compiledWrite: Write | undefined
  return (value) => (compiledWrite ??= write())(value)
}

/** Options that keep properties which the schema does not name, or their order. */
const keepsOthers = (ast: SchemaAST.AST): boolean =>
  Option.exists(
    SchemaAST.getAnnotation<SchemaAST.ParseOptions>(SchemaAST.ParseOptionsAnnotationId)(ast),
    ({ onExcessProperty, propertyOrder }) => onExcessProperty === "preserve" || propertyOrder === "original"
  )

const isNumber = (ast: SchemaAST.AST): boolean =>
  ast._tag === "NumberKeyword" || ast._tag === "Refinement" && isNumber(ast.from)

const writeTuple = ({ elements, rest }: SchemaAST.TupleType, mismatch: Write): Write => {
  const [items, ...trailing] = rest
  if (trailing.length > 0) return mismatch
  const writes = elements.map(({ type }) => compile(type))
  const minLength = elements.filter(({ isOptional }) => !isOptional).length
  const writeItem = items === undefined ? undefined : compile(items.type)
  return (value) => {
    if (!Array.isArray(value) || value.length < minLength) return mismatch(value)
    if (writeItem === undefined && value.length > writes.length) return mismatch(value)
    let text = "["
    for (let index = 0; index < value.length; index++) {
      const write = writes[index] ?? writeItem ?? mismatch
      const part = write(value[index])
      text += `${index === 0 ? "" : ","}${part === absent ? "null" : part}`
    }
    return `${text}]`
  }
}

const writeTransformation = (ast: SchemaAST.Transformation, mismatch: Write): Write =>
  surrogateOf(ast) !== undefined && ast.to._tag === "Declaration"
    // A class: its instances have the fields that its struct encodes.
    ? compile(ast.from)
    : writeTransformedStruct(ast, compile, mismatch)

const make = (ast: SchemaAST.AST, mismatch: Write): Write => {
  const annotation = SchemaAST.getAnnotation<Write>(JsonWriterAnnotation)(ast)
  if (Option.isSome(annotation)) return annotation.value
  if (keepsOthers(ast)) return mismatch
  switch (ast._tag) {
    case "StringKeyword":
    case "TemplateLiteral":
      return (value) => typeof value === "string" ? quote(value) : mismatch(value)
    case "NumberKeyword":
      return (value) => typeof value === "number" ? numberText(value) : mismatch(value)
    case "BooleanKeyword":
      return (value) => value === true ? "true" : value === false ? "false" : mismatch(value)
    case "Literal": {
      if (typeof ast.literal === "bigint") return mismatch
      const { literal } = ast
      const text = JSON.stringify(literal)
      return (value) => value === literal ? text : mismatch(value)
    }
    case "Enums": {
      const texts = new Map<unknown, string>(ast.enums.map(([, value]) => [value, JSON.stringify(value)]))
      return (value) => texts.get(value) ?? mismatch(value)
    }
    case "UndefinedKeyword":
      return (value) => value === undefined ? absent : mismatch(value)
    case "UnknownKeyword":
    case "AnyKeyword":
    case "VoidKeyword":
      return writeJson
    case "Refinement":
      // JSON would have null for other numbers, so Schema decides about them.
      return isNumber(ast) ? (value) => Number.isFinite(value) ? String(value) : mismatch(value) : compile(ast.from)
    case "Suspend":
      return lazily(() => compile(ast.f()))
    case "TupleType":
      return writeTuple(ast, mismatch)
    case "TypeLiteral":
      return writeTypeLiteral(ast, compile, mismatch)
    case "Union":
      return ast.types.some((type) => type._tag === "Suspend")
        ? lazily(() => writeUnion(ast, compile, mismatch))
        : writeUnion(ast, compile, mismatch)
    case "Transformation":
      return writeTransformation(ast, mismatch)
    default:
      return mismatch
  }
}

/**
 * Compiles a schema into a plain function that writes a value as JSON text: the text of
 * `JSON.stringify(Schema.encodeSync(schema)(value))`, and like it undefined for a value that has no JSON.
 *
 * Structs, classes, records, arrays, tuples, unions, literals, enums and refinements are compiled. Other transformations and
 * declarations are encoded by Schema, unless they are annotated by `writtenAs`.
 *
 * The writer trusts the type checker: it does not test refinements, patterns of template literals, or whether an object is
 * an instance of its class. Only a refined number that is not finite is left to Schema. A value of another type, an unknown literal or a value of no member of a union fails with a
 * `ParseError`, as in Schema; one that an annotated schema does not have fails as its writer does.
 */
export const jsonWriter = <A, I>(schema: Schema.Schema<A, I>): (value: A) => string => compile(schema.ast)
