import { isBuiltin } from "node:module"
import { posix } from "node:path"
import ts from "typescript"

/**
 * Packages by floor, lowest first. A package imports lower floors only; adapters stand on top of them, and may stand on other
 * adapters, without circles; examples come last.
 */
export const floors: ReadonlyArray<ReadonlyArray<string>> = [
  ["errors"],
  ["kernel", "spoken-text"],
  ["audio"],
  [
    "cohorts",
    "telephony",
    "models",
    "analytics",
    "webhooks",
    "rate-limits",
    "warehouse",
    "charts",
    "speech",
    "sip",
    "knowledge"
  ],
  ["agents", "scripted-model"],
  ["after-call", "campaigns", "conversation", "turn-taking", "chat", "responses", "boards", "notifications"],
  ["rehearsal", "agent-testing", "replay"],
  ["engine", "storage-kysely"],
  ["http-api"]
]

/** A package as its folder and its manifest describe it. */
export interface Package {
  /** From the root of the repository, such as `packages/kernel`. */
  readonly folder: string
  readonly name: string
  /** The names in `dependencies` and `peerDependencies`. */
  readonly declared: ReadonlyArray<string>
  /** The names in `devDependencies`, which only tests may import. */
  readonly declaredForTests: ReadonlyArray<string>
  /** The folders that its tsconfig.json refers to. */
  readonly references: ReadonlyArray<string>
}

/** A file of a package; its path is from the root of the repository. */
export interface SourceText {
  readonly path: string
  readonly text: string
}

/** The height of a package's floor; undefined when the table does not know the package. */
export const floorOf = (folder: string): number | undefined => {
  const [group, name = ""] = folder.split("/")
  if (group === "examples") return floors.length + 1
  if (group === "adapters") return floors.length
  const floor = floors.findIndex((names) => names.includes(name))
  return floor < 0 ? undefined : floor
}

/** Packages that depend on themselves through others; each as the folders that the circle goes through. */
export const dependencyCircles = (packages: ReadonlyArray<Package>): ReadonlyArray<string> => {
  const circles: Array<string> = []
  const finished = new Set<string>()
  const visit = (owner: Package, above: ReadonlyArray<string>): void => {
    const { declared, folder } = owner
    if (above.includes(folder)) {
      circles.push([...above.slice(above.indexOf(folder)), folder].join(" → "))
      return
    }
    if (finished.has(folder)) return
    packages.filter(({ name }) => declared.includes(name)).forEach((needed) => visit(needed, [...above, folder]))
    finished.add(folder)
  }
  packages.forEach((owner) => visit(owner, []))
  return circles
}

const isAdapter = (folder: string) => folder.startsWith("adapters/")

const packageOf = (specifier: string) => specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/")

/** Faults in the imports of one file, types included. Tests may start the programs that a run bundles for all. */
export const importFaults = (
  { path, text }: SourceText,
  options: {
    readonly owner: Package
    readonly packages: ReadonlyArray<Package>
    readonly rootDevDependencies: ReadonlyArray<string>
  }
): ReadonlyArray<string> => {
  const { owner, packages, rootDevDependencies } = options
  const within = path.slice(owner.folder.length + 1)
  const declared = within.startsWith("src/")
    ? owner.declared
    : [...owner.declared, ...owner.declaredForTests, ...rootDevDependencies]
  return ts.preProcessFile(text, true, true).importedFiles.flatMap(({ fileName: specifier }) => {
    if (specifier.startsWith(".")) {
      const target = posix.join(posix.dirname(path), specifier)
      const inside = target.startsWith(`${owner.folder}/`)
      const isSetup = within.startsWith("test/") && /^(test\/(programs|setup)|tools)\//.test(target)
      return inside || isSetup ? [] : [`${path}: ${specifier} leaves the package`]
    }
    if (isBuiltin(specifier)) {
      return isPure(path) ? [`${path}: ${specifier} belongs in an adapter`] : []
    }
    const name = packageOf(specifier)
    if (name === owner.name) {
      return []
    }
    const imported = packages.find((candidate) => candidate.name === name)
    const height = floorOf(owner.folder)
    const below = imported && floorOf(imported.folder)
    return [
      ...(declared.includes(name) ? [] : [`${path}: ${name} is not declared in ${owner.folder}/package.json`]),
      ...(below !== undefined && height !== undefined && below >= height &&
          !(isAdapter(owner.folder) && below === height)
        ? [`${path}: ${name} is not on a lower floor`]
        : [])
    ]
  })
}

const isUnitTest = (path: string) =>
  /^packages\/[^/]+\/test\/.*\.test\.ts$/.test(path) && !/\.(world|full)\.test\.ts$/.test(path)

/** Modules of Node that only compute. */
const computing: ReadonlyArray<string> = ["node:crypto", "node:util"]

/**
 * Modules of Node by which a package's unit tests, or the files of its tests that they import, reach the outside world.
 * Such a test is named `*.world.test.ts`, or `*.full.test.ts` if only a full run has it.
 */
export const unitTestFaults = (files: ReadonlyArray<SourceText>): ReadonlyArray<string> => {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const reached = (path: string, seen: Set<string>): ReadonlyArray<string> => {
    const text = texts.get(path)
    if (text === undefined || seen.has(path)) return []
    seen.add(path)
    return ts.preProcessFile(text, true, true).importedFiles.flatMap(({ fileName: specifier }) => {
      if (isBuiltin(specifier)) return computing.includes(specifier) ? [] : [specifier]
      return reached(posix.join(posix.dirname(path), specifier).replace(/\.js$/, ".ts"), seen)
    })
  }
  return files.filter(({ path }) => isUnitTest(path)).flatMap(({ path }) =>
    reached(path, new Set()).map((specifier) => `${path}: ${specifier} belongs in a test of the world`)
  )
}

/** Faults of a package as a whole: an unknown floor, or references that are not its dependencies. */
export const packageFaults = (owner: Package, packages: ReadonlyArray<Package>): ReadonlyArray<string> => {
  const needed = packages.filter(({ name }) => owner.declared.includes(name)).map(({ folder }) => folder)
  const only = (some: ReadonlyArray<string>, others: ReadonlyArray<string>) =>
    some.filter((folder) => !others.includes(folder))
  return [
    ...(floorOf(owner.folder) === undefined ? [`${owner.folder}: not in the table of floors`] : []),
    ...only(needed, owner.references).map((folder) => `${owner.folder}/tsconfig.json: no reference to ${folder}`),
    ...only(owner.references, needed).map((folder) => `${owner.folder}/package.json: ${folder} is not declared`)
  ]
}

const isPure = (path: string) => /^packages\/[^/]+\/src\//.test(path)
const livesInBusinessTime = (path: string) =>
  /^packages\/(telephony|campaigns|conversation|cohorts|agents|analytics)\/src\//.test(path)

const impure: ReadonlyArray<RegExp> = [
  /^(fetch|setTimeout|setInterval|setImmediate|queueMicrotask)$/,
  /^(process|console|performance)\./,
  /^Date(\.now)?$/,
  /^Math\.random$/,
  /^crypto\.(getRandomValues|randomUUID)$/,
  /(^|\.)run(Promise|Sync|Fork|Callback)(Exit)?$/
]

const technicalTime: ReadonlyArray<RegExp> = [/^DateTime\.(now|unsafeNow)/, /^Clock\.currentTime/, /^Effect\.sleep$/]

/** Files that may do what the others of their kind may not, and what that is. */
const allowed: Readonly<Record<string, RegExp>> = {
  // The one place that uses the timers of the host's event loop.
  "packages/kernel/src/time/Timers.ts": /^(setImmediate|setTimeout)$/,
  // A timed effect starts at once in its own fiber, within the fiber that waits for it.
  "packages/kernel/src/time/Timeout.ts": /^Runtime\.runFork$/,
  // Providers' servers, models and old events are looked after in technical time, whatever business time does.
  "packages/telephony/src/calls/Reaper.ts": /^Effect\.sleep$/,
  "packages/conversation/src/StreamedReply.ts": /^Effect\.sleep$/,
  "packages/telephony/src/events/CallEvents.ts": /^Effect\.sleep$/,
  // So are other processes, whose leases run by the clock of their database.
  "packages/campaigns/src/runner/CampaignRunner.ts": /^Effect\.sleep$/,
  "packages/cohorts/src/imports/Imports.ts": /^Effect\.sleep$/,
  "packages/telephony/src/lines/LeasedLimits.ts": /^Effect\.sleep$/,
  "packages/telephony/src/live/OtherProcesses.ts": /^Effect\.sleep$/
}

/** `a.b.c` as text, without a leading `globalThis`; undefined where the expression is no such chain. */
const chainOf = (node: ts.Expression): string | undefined => {
  if (ts.isIdentifier(node)) {
    return node.text
  }
  if (!ts.isPropertyAccessExpression(node)) {
    return undefined
  }
  const base = chainOf(node.expression)
  return base === "globalThis" ? node.name.text : `${base ?? ""}.${node.name.text}`
}

/** The calls and members that a node reaches for: a chain, or a constructor without arguments. */
const reachedBy = (node: ts.Node): string | undefined => {
  if (ts.isPropertyAccessExpression(node)) {
    return chainOf(node)
  }
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
    return node.expression.text
  }
  return ts.isNewExpression(node) && !node.arguments?.length ? chainOf(node.expression) : undefined
}

/** Where a file reaches for the outside world, or for the wrong one of the two times. */
export const effectFaults = ({ path, text }: SourceText): ReadonlyArray<string> => {
  const forbidden = [...(isPure(path) ? impure : []), ...(livesInBusinessTime(path) ? technicalTime : [])]
  const faults: Array<string> = []
  const visit = (node: ts.Node): void => {
    const reached = reachedBy(node)
    if (reached !== undefined && !allowed[path]?.test(reached) && forbidden.some((pattern) => pattern.test(reached))) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
      faults.push(`${path}:${line + 1}: ${reached}`)
    }
    ts.forEachChild(node, visit)
  }
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  visit(source)
  return faults
}
