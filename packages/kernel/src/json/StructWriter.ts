import { Option, ParseResult, Schema, SchemaAST } from "effect"
import { absent, isObject, quote, type Write } from "./JsonText.js"

/** A property of the text: its name there, and the text of its value. */
interface Property {
  readonly name: string
  readonly write: (owner: Readonly<Record<PropertyKey, unknown>>) => string
}

/** Compiles the schema of a property or an item. */
type Compile = (ast: SchemaAST.AST) => Write

/** Names in the order in which an object with these names as keys lists them: numbers first. */
const inKeyOrder = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.keys(Object.fromEntries(names.map((name) => [name, null])))

/** Names of properties that every object inherits, which an assignment may not even set. */
const isInherited = (name: PropertyKey) => name in Object.prototype

const writeProperties = (properties: ReadonlyArray<Property>, mismatch: Write): Write => {
  const orderedProperties = inKeyOrder(properties.map(({ name }) => name)).flatMap((name) =>
    properties.filter((property) => property.name === name)
  )
  const fields = orderedProperties.map(({ name, write }) => ({
    first: `{${quote(name)}:`,
    next: `,${quote(name)}:`,
    write
  }))
  return (value) => {
    if (!isObject(value) || Array.isArray(value)) return mismatch(value)
    let text = ""
    for (const { first, next, write } of fields) {
      const part = write(value)
      if (part !== absent) text += (text === "" ? first : next) + part
    }
    return text === "" ? "{}" : `${text}}`
  }
}

const isNamed = (ast: SchemaAST.TypeLiteral): boolean =>
  ast.indexSignatures.length === 0 && ast.propertySignatures.length > 0 &&
  ast.propertySignatures.every(({ name }) => typeof name === "string" && !isInherited(name))

/** A record: the keys that its parameter allows, in the order of the value. */
const writeRecord = ({ parameter, type }: SchemaAST.IndexSignature, compile: Compile, mismatch: Write): Write => {
  const write = compile(type)
  const isKey = parameter._tag === "StringKeyword" ? () => true : ParseResult.is(Schema.make(parameter))
  return (value) => {
    if (!isObject(value) || Array.isArray(value)) return mismatch(value)
    let text = ""
    for (const key of Object.keys(value)) {
      // Schema assigns the keys one by one, and this one would set the prototype.
      if (key === "__proto__" || !isKey(key)) continue
      const part = write(value[key])
      if (part !== absent) text += `${text === "" ? "{" : ","}${quote(key)}:${part}`
    }
    return text === "" ? "{}" : `${text}}`
  }
}

/** Compiles a struct or a record; `mismatch` writes what is neither, and all values of other type literals. */
export const writeTypeLiteral = (ast: SchemaAST.TypeLiteral, compile: Compile, mismatch: Write): Write => {
  const [record, ...others] = ast.indexSignatures
  if (record !== undefined && others.length === 0 && ast.propertySignatures.length === 0) {
    return record.parameter._tag === "SymbolKeyword" ? mismatch : writeRecord(record, compile, mismatch)
  }
  if (!isNamed(ast)) return mismatch
  return writeProperties(
    ast.propertySignatures.map(({ isOptional, name, type }) => {
      const write = compile(type)
      return {
        name: String(name),
        write: isOptional
          ? (owner) => owner[name] === undefined ? absent : write(owner[name])
          : (owner) => write(owner[name])
      }
    }),
    mismatch
  )
}

/** A property that is renamed, has a default or is an Option on the type side. */
const writeTransformed =
  ({ encode, to }: SchemaAST.PropertySignatureTransformation, write: Write): Property["write"] => (owner) => {
    const output = encode(Object.hasOwn(owner, to) ? Option.some(owner[to]) : Option.none())
    return Option.isNone(output) || output.value === undefined ? absent : write(output.value)
  }

/**
 * Compiles a struct whose properties are transformed one by one. `mismatch` writes what does not fit, and all values where
 * the type side encodes anything itself or where properties take each other's names.
 */
export const writeTransformedStruct = (
  { from, to, transformation }: SchemaAST.Transformation,
  compile: Compile,
  mismatch: Write
): Write => {
  if (
    transformation._tag !== "TypeLiteralTransformation" || from._tag !== "TypeLiteral" || to._tag !== "TypeLiteral" ||
    !isNamed(from) || !isNamed(to) || SchemaAST.typeAST(to) !== to
  ) return mismatch
  const changes = transformation.propertySignatureTransformations
  const sources = from.propertySignatures.map(({ name }) => changes.find((change) => change.from === name)?.to ?? name)
  const isDistinct = new Set(sources).size === sources.length &&
    new Set(changes.map((change) => change.from)).size === changes.length &&
    changes.every((change) =>
      change.from === change.to || changes.every((other) => other.from !== change.to && other.to !== change.from)
    )
  const isKnown = sources.every((source) => to.propertySignatures.some(({ name }) => name === source))
  if (!isDistinct || !isKnown) return mismatch
  return writeProperties(
    from.propertySignatures.map(({ name, type }) => {
      const write = compile(type)
      const change = changes.find((candidate) => candidate.from === name)
      return {
        name: String(name),
        write: change === undefined
          ? (owner) => owner[name] === undefined ? absent : write(owner[name])
          : writeTransformed(change, write)
      }
    }),
    mismatch
  )
}
