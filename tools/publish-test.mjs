// Publishes the packages that `npm run build` has packed to a registry on this machine, installs them from there as their
// users do, and runs programs that use them: npm run test:publish [npm] [pnpm] [bun] [next]
// [bundlers] [unbuilt] [effect] [size] [image].
import { spawn, spawnSync } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { root } from "./bundle.mjs"
import { imageOf } from "./image.mjs"
import {
  bundled,
  bundlers,
  next,
  nextPackages,
  scriptPackages,
  scripts,
  unbuilt,
  wrongEffect,
  wrongEffectPackages
} from "./publish-projects.mjs"
import { startRegistry } from "./registry.mjs"

const wanted = process.argv.slice(2)
const home = mkdtempSync(join(tmpdir(), "trunkline-publish-"))
const registry = await startRegistry()
const rows = []

/** Environment of commands: better-sqlite3 takes the binary of this repository, since compiling it takes minutes. */
const environment = {
  ...process.env,
  npm_config_better_sqlite3_local_prebuilds: home,
  npm_config_registry: registry.url,
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
  BUN_CONFIG_REGISTRY: registry.url,
  NEXT_TELEMETRY_DISABLED: "1"
}

const run = (command, args, cwd, options = {}) =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 600_000,
      ...options
    })
    let output = ""
    const add = (text) => output += text
    child.stdout.setEncoding("utf8").on("data", add)
    child.stderr.setEncoding("utf8").on("data", add)
    child.on("error", (error) => add(error.message))
    child.on("close", (status) => resolve({ status, output: output.trim() }))
  })

/** Runs a step and keeps its result, which must succeed with an output that matches. */
const step = async (project, name, work, expected = /^/) => {
  const begun = Date.now()
  const { output, status } = await work()
  const isFine = status === 0 && expected.test(output)
  const seconds = ((Date.now() - begun) / 1000).toFixed(1)
  const last = output.split("\n").at(-1) ?? ""
  rows.push({ project, step: name, result: isFine ? "ok" : "FAILED", seconds, output: last.slice(0, 100) })
  console.log(`${isFine ? "ok    " : "FAILED"} ${project}: ${name} (${seconds} s) ${isFine ? last : `\n${output}`}`)
  return isFine
}

/** Packs the native part of better-sqlite3 as its authors publish it. */
const packBinary = () => {
  const folder = join(root, "node_modules/better-sqlite3")
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const name = `better-sqlite3-v${version}-node-v${process.versions.modules}-${process.platform}-${process.arch}.tar.gz`
  spawnSync("tar", ["-czf", join(home, name), "-C", folder, "build/Release/better_sqlite3.node"])
}

const write = (folder, files) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

const project = (name, dependencies, files) => {
  const folder = join(home, name)
  const manifest = {
    private: true,
    type: "module",
    dependencies,
    // Bun trusts better-sqlite3 by default, but only from npm's own registry.
    trustedDependencies: ["better-sqlite3"]
  }
  write(folder, {
    ...files,
    "package.json": JSON.stringify(manifest),
    ".npmrc": `registry=${registry.url}/\n//${new URL(registry.url).host}/:_authToken=none\n`
  })
  return folder
}

const bun = (args, cwd) => run(join(root, "tools/node_modules/.bin/bun"), args, cwd)

const installers = {
  npm: (cwd) => run("npm", ["install", "--prefer-offline"], cwd),
  pnpm: (cwd) =>
    run(join(root, "tools/node_modules/.bin/pnpm"), ["install", "--prefer-offline", "--no-frozen-lockfile"], cwd),
  bun: (cwd) => bun(["install"], cwd)
}

const node = (cwd, ...args) => run(process.execPath, args, cwd)
const tsx = (cwd, file) => node(cwd, "--import", "tsx", file)
const tsc = (cwd, file) => node(cwd, "node_modules/typescript/bin/tsc", "-p", file)

const callAnswered = /^connected \d+$/m
const healthy = /^200 /m

const testScripts = async (installer) => {
  const cwd = project(installer, { trunkline: "latest", ...scriptPackages }, { ...scripts, ...unbuilt })
  if (!await step(installer, "install", () => installers[installer](cwd))) return
  await step(installer, "call.ts awaits call.ended", () => tsx(cwd, "call.ts"), callAnswered)
  await step(installer, "Express", () => tsx(cwd, "express.ts"), healthy)
  await step(installer, "Hono", () => tsx(cwd, "hono.ts"), healthy)
  await step(installer, "CommonJS", () => tsx(cwd, "common.cts"), callAnswered)
  await step(
    installer,
    "charts and mail say what to install",
    () => tsx(cwd, "optional.ts"),
    /npm i echarts[^]*npm i nodemailer/
  )
  await step(installer, "the console", () => tsx(cwd, "console.ts"), /^200 text\/html; \S+ null$/m)
  await step(
    installer,
    "command line",
    () => node(cwd, "node_modules/trunkline/bin/trunkline.mjs", "--help"),
    /accounts/
  )
  if (installer === "bun") {
    const underBun = async () => ({ ...await bun(["unbuilt.mjs"], cwd), status: 0 })
    await step(
      installer,
      "under Bun, one error says to use Node",
      underBun,
      /SqliteNotBuilt .*Run this program with Node/
    )
  }
  if (installer !== "npm") return
  await step(installer, "tsc --strict", () => tsc(cwd, "tsconfig.json"))
  await step(installer, "tsc with exact optional properties", () => tsc(cwd, "tsconfig.exact.json"))
  await step(installer, "import", () => node(cwd, "import.mjs"), /CPU/)
}

/** Sizes on disk of a folder and of the largest in it. */
const sizes = async (folder) => {
  const { output, status } = await run("du", ["-kd", "1", folder])
  const largest = output.split("\n").map((line) => line.split("\t")).toSorted(([one], [other]) => other - one).slice(
    0,
    6
  )
  return { status, output: largest.map(([size, path]) => `${basename(path)} ${size}`).join(", ") }
}

/** Installs nothing but the package, to see its size. */
const testSize = async () => {
  const cwd = project("alone", { trunkline: "latest" }, {})
  await step("alone", "install", () => installers.npm(cwd))
  await step("alone", "size in kB", () => sizes(join(cwd, "node_modules")))
}

const ask = async (url, child) => {
  for (let attempt = 0; attempt < 600 && child.exitCode === null; attempt++) {
    const response = await fetch(url).catch(() => undefined)
    if (response !== undefined) {
      return { status: response.ok ? 0 : 1, output: `${response.status} ${await response.text()}` }
    }
    await pause(500)
  }
  return { status: 1, output: "no answer" }
}

const serveNext = async (cwd, command, port) => {
  const child = spawn(process.execPath, ["node_modules/next/dist/bin/next", command, "-p", String(port)], {
    cwd,
    env: environment,
    stdio: "ignore"
  })
  try {
    return await ask(`http://127.0.0.1:${port}/voice/health`, child)
  } finally {
    child.kill("SIGTERM")
  }
}

const testNext = async () => {
  const cwd = project("next", { trunkline: "latest", ...nextPackages }, next)
  if (!await step("next", "install", () => installers.npm(cwd))) return
  await step("next", "dev", () => serveNext(cwd, "dev", 18_741), healthy)
  const built = await step("next", "build", () => node(cwd, "node_modules/next/dist/bin/next", "build"))
  if (built) await step("next", "start", () => serveNext(cwd, "start", 18_742), healthy)
}

/** Bundles everything into one file with each bundler, and runs that file. */
const testBundlers = async () => {
  const cwd = project("bundlers", { trunkline: "latest", ...bundlers }, bundled)
  if (!await step("bundlers", "install", () => installers.npm(cwd))) return
  const esbuild = (format, file) =>
    run(join(cwd, "node_modules/.bin/esbuild"), [
      file,
      "--bundle",
      "--platform=node",
      `--format=${format}`,
      `--outfile=esbuild/${file}`
    ], cwd)
  const cases = [
    ["esbuild", () => esbuild("esm", "app.mjs"), "esbuild/app.mjs"],
    ["esbuild, CommonJS", () => esbuild("cjs", "plain.cjs"), "esbuild/plain.cjs"],
    ["Vite", () => node(cwd, "node_modules/vite/bin/vite.js", "build"), "vite/app.js"],
    ["webpack", () => node(cwd, "node_modules/webpack-cli/bin/cli.js"), "webpack/plain.cjs"]
  ]
  for (const [name, bundle, file] of cases) {
    if (await step("bundlers", name, bundle)) {
      await step("bundlers", `${name}: a board and a call`, () => node(cwd, file), callAnswered)
    }
  }
}

/** Installs without install scripts, as package managers do by default: one error says what to do. */
const testUnbuilt = async () => {
  const cwd = project("unbuilt", { trunkline: "latest" }, unbuilt)
  await step("unbuilt", "install", () => run("npm", ["install", "--prefer-offline", "--ignore-scripts"], cwd))
  await step("unbuilt", "says what to do", () => node(cwd, "unbuilt.mjs"), /SqliteNotBuilt .*pnpm approve-builds/)
}

/** Installs another major version of Effect with pnpm, which only warns: every import is one clear error. */
const testWrongEffect = async () => {
  const cwd = project("wrong effect", wrongEffectPackages, wrongEffect)
  await step("wrong effect", "install", () => installers.pnpm(cwd))
  const clear = /^(?:@trunkline\/\S+ \S+ needs effect \^3\S+, and another major version is installed: [^\n]*\n?){3}$/
  await step("wrong effect", "one clear error at import", () => node(cwd, "wrong.mjs"), clear)
}

/** Makes the folder of a server with `npm create`, and the image of that folder; lets the image serve, and stops it. */
const testImage = async () => {
  const cwd = join(home, "image")
  mkdirSync(cwd)
  if (!await step("image", "npm create trunkline", () => run("npm", ["create", "-y", "trunkline", "desk"], cwd))) return
  const folder = join(cwd, "desk")
  cpSync(join(folder, "node_modules/trunkline/deploy"), folder, { recursive: true })
  const image = await imageOf(folder, run)
  if (!await step("image", `build (${image.kind})`, image.build)) return
  await step("image", "is healthy as another user than root", image.check, /^200 /)
  await step("image", "stops when it is told to", image.stop)
}

const publish = async () => {
  const tarballs = readdirSync(join(root, "packed")).map((name) => join(root, "packed", name))
  const isMain = (tarball) => /\/trunkline-\d[^/]*$/.test(tarball)
  tarballs.filter((tarball) => !isMain(tarball)).forEach(registry.publish)
  const cwd = project("publisher", {}, {})
  return run("npm", ["publish", "--ignore-scripts", tarballs.find(isMain) ?? "nothing"], cwd)
}

const tests = {
  npm: () => testScripts("npm"),
  pnpm: () => testScripts("pnpm"),
  bun: () => testScripts("bun"),
  next: testNext,
  bundlers: testBundlers,
  unbuilt: testUnbuilt,
  effect: testWrongEffect,
  size: testSize,
  image: testImage
}

try {
  packBinary()
  if (await step("registry", "publish", publish)) {
    for (const [name, test] of Object.entries(tests)) {
      if (wanted.length === 0 || wanted.includes(name)) await test()
    }
  }
} finally {
  registry.close()
  rmSync(home, { recursive: true, force: true })
}
console.table(rows)
process.exit(rows.every(({ result }) => result === "ok") ? 0 : 1)
