// Builds the page of the console: scripts in parts that are loaded when visited, with hashed names, compressed beforehand.
import { build } from "esbuild"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"

const root = fileURLToPath(new URL("../", import.meta.url))

const source = "adapters/console/page"

const brotli = (contents) =>
  brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: contents.length } })

/** The worklet of calls, a file of its own: the page's policy has no blobs. */
const buildWorklet = (outDir) =>
  build({
    absWorkingDir: root,
    entryPoints: { "talk-worklet": "adapters/client/src/talk/Worklet.ts" },
    outdir: outDir,
    bundle: true,
    format: "esm",
    target: ["es2022"],
    minify: true,
    entryNames: "assets/[name]-[hash]",
    metafile: true,
    write: false,
    logLevel: "silent"
  })

/** Writes the page into a folder. Resolves with the paths of its source files. */
export const buildConsolePage = async (outDir) => {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: { main: `${source}/main.tsx` },
    outdir: outDir,
    bundle: true,
    splitting: true,
    format: "esm",
    target: ["es2022", "chrome110", "firefox115", "safari16.4"],
    minify: true,
    conditions: ["@trunkline/source"],
    jsx: "automatic",
    jsxImportSource: "preact",
    tsconfig: `${source}/tsconfig.json`,
    entryNames: "assets/[name]-[hash]",
    chunkNames: "assets/[name]-[hash]",
    legalComments: "none",
    metafile: true,
    write: false,
    logLevel: "silent"
  })
  const worklet = await buildWorklet(outDir)
  mkdirSync(join(outDir, "assets"), { recursive: true })
  for (const { contents, path } of [...outputFiles, ...worklet.outputFiles]) {
    writeFileSync(path, contents)
    writeFileSync(`${path}.br`, brotli(contents))
    writeFileSync(`${path}.gz`, gzipSync(contents, { level: 9 }))
  }
  const nameOf = (path) => `assets/${path.split("/").at(-1)}`
  const mainIn = (ending) => Object.keys(metafile.outputs).find((path) => /\/main-/.test(path) && path.endsWith(ending))
  const main = mainIn(".js")
  const first = new Set()
  const follow = (path) => {
    first.add(path)
    metafile.outputs[path].imports.filter(({ kind, path: next }) => kind === "import-statement" && !first.has(next))
      .forEach(({ path: next }) => follow(next))
  }
  follow(main)
  const preloads = [...first].slice(1).map((path) => `<link rel="modulepreload" href="${nameOf(path)}">`).join("")
  const style = `<link rel="stylesheet" href="${nameOf(mainIn(".css"))}">`
  const [{ path: workletPath }] = worklet.outputFiles
  const meta = `<meta name="talk-worklet" content="${nameOf(workletPath)}">`
  const tags = `${meta}${style}${preloads}<script type="module" src="${nameOf(main)}"></script>`
  const html = readFileSync(join(root, source, "index.html"), "utf8")
  writeFileSync(join(outDir, "index.html"), html.replace("{{head}}", () => `{{head}}${tags}`))
  return [...Object.keys(metafile.inputs), ...Object.keys(worklet.metafile.inputs), `${source}/index.html`]
}
