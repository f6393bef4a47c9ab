/** Functions that Effect's main module exports beside its modules. */
const functions = new Set(["absurd", "flow", "hole", "identity", "pipe", "unsafeCoerce"])

/** Import of one name of Effect's main module from the module that it comes from; none for a type. */
const importOf = (named) => {
  const [name, local = name] = named.split(/\s+as\s+/)
  if (name.startsWith("type ")) return []
  return functions.has(name)
    ? [`import { ${name} as ${local} } from "effect/Function"`]
    : [`import * as ${local} from "effect/${name}"`]
}

/**
 * Source in which every import from `effect` is one from its modules, such as `effect/Layer`: to load the main module is to
 * load all of Effect, of which a program uses a third.
 */
export const importSubpaths = (source) =>
  source.replaceAll(
    /^import \{([^}]*)\} from "effect"$/gm,
    (_, names) => names.split(",").map((name) => name.trim()).filter((name) => name !== "").flatMap(importOf).join(";")
  )
