import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The parts of a CPU profile that the table needs. */
interface Profile {
  readonly nodes: ReadonlyArray<{ readonly id: number; readonly callFrame: Frame }>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

interface Frame {
  readonly functionName: string
  readonly url: string
}

const layers: ReadonlyArray<readonly [layer: string, url: RegExp]> = [
  ["Effect's schemas", /node_modules\/effect\/.*\/(Schema|SchemaAST|ParseResult)\.js$/],
  ["Effect's streams", /node_modules\/effect\/.*\/(stream|channel|sink|mailbox|core-stream|Channel|Stream).*\.js$/],
  ["Effect's runtime", /node_modules\/effect\//],
  ["@effect/platform", /node_modules\/@effect\//]
]

/** Layer that the time of a function counts for: a package of ours or of others, a part of Node.js, or of V8. */
const layerOf = ({ functionName, url }: Frame): string => {
  const match = layers.find(([, pattern]) => pattern.test(url))
  if (match !== undefined) return match[0]
  const ours = /\/((?:packages|adapters|examples)\/[^/]+)\//.exec(url)?.[1]
  if (ours !== undefined) return ours
  const theirs = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(url)?.[1]
  if (theirs !== undefined) return theirs
  if (url.startsWith("node:")) return `Node.js ${url.slice("node:".length).split("/").slice(0, 2).join("/")}`
  return url === "" ? `V8 ${functionName || "(native)"}` : "bench"
}

/** Prints the self time of each layer in a profile, the longest first, without idle time. */
const printTable = (file: string, name: string) => {
  const profile: Profile = JSON.parse(readFileSync(file, "utf8"))
  const layerOfNode = new Map(profile.nodes.map(({ callFrame, id }) => [id, layerOf(callFrame)]))
  const micros = new Map<string, number>()
  profile.samples.forEach((id, index) => {
    const layer = layerOfNode.get(id) ?? ""
    micros.set(layer, (micros.get(layer) ?? 0) + (profile.timeDeltas[index] ?? 0))
  })
  micros.delete("V8 (idle)")
  const total = [...micros.values()].reduce((sum, value) => sum + value, 0)
  console.log(`\n${name}: ${(total / 1_000_000).toFixed(1)} s`)
  for (const [layer, time] of [...micros].toSorted(([, a], [, b]) => b - a).slice(0, 20)) {
    console.log(`  ${(time / total * 100).toFixed(1).padStart(5)} %  ${layer}`)
  }
}

const [name] = process.argv.slice(2)
if (name === undefined) {
  console.error("Usage: npm run profile -- NAME, where NAME is a bench")
  process.exit(1)
}

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
mkdirSync(at("../dist"), { recursive: true })
const folder = mkdtempSync(at(`../dist/profile-${name}-`))

const { status } = spawnSync("npm", ["run", "bench", "--", name], {
  stdio: "inherit",
  env: {
    ...process.env,
    TRUNKLINE_PROFILE: folder,
    NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} --import=${new URL("record.mjs", import.meta.url).href}`
  }
})

/** Processes of npm and of the build, which are not part of the bench. */
const isBench = (file: string) => !/^(npm|build\.mjs|tsc|publint|attw)/.test(file)

for (const file of readdirSync(folder).filter(isBench)) printTable(join(folder, file), file)
console.log(`\nChromium's developer tools open the profiles in ${folder}`)
process.exitCode = status ?? 1
