import { Array, Option, SchemaAST } from "effect"

/** Annotation key under which a schema that decodes unknown values names the schema of what it really reads. */
export const ReadAsAnnotation = Symbol.for("@trunkline/errors/ReadAs")

/** Schema of what a schema of unknown values really reads. */
export const readAs = SchemaAST.getAnnotation<SchemaAST.AST>(ReadAsAnnotation)

/** Names of the fields of an object; of the first item's fields for a list. */
const namesIn = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  const read = readAs(ast)
  if (Option.isSome(read)) return namesIn(read.value)
  switch (ast._tag) {
    case "TypeLiteral":
      return ast.propertySignatures.map(({ name }) => String(name))
    case "TupleType":
      return [...ast.elements, ...ast.rest].slice(0, 1).flatMap(({ type }) => namesIn(type)).map((name) => `0.${name}`)
    case "Union":
      return Array.dedupe(ast.types.flatMap(namesIn))
    case "Refinement":
      return namesIn(ast.from)
    case "Transformation": {
      const names = namesIn(ast.from)
      return names.length === 0 && ast.transformation._tag === "ComposeTransformation" ? namesIn(ast.to) : names
    }
    case "Suspend":
      return namesIn(ast.f())
    default:
      return []
  }
}

/** Paths of the fields one level below an object's own ones, such as `allowed_schedule.timezone`. */
export const pathsBelow = ({ propertySignatures }: SchemaAST.TypeLiteral): ReadonlyArray<string> =>
  propertySignatures.flatMap(({ name, type }) => namesIn(type).map((below) => `${String(name)}.${below}`))
