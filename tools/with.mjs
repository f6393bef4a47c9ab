// Runs a command with the packages of a folder that has a lock file of its own, which it installs first if they are missing
// or of another lock file: node tools/with.mjs FOLDER COMMAND [ARGUMENT...]. Such folders keep what only benchmarks, client
// tests or checks need out of `npm ci`.
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { root } from "./bundle.mjs"

const run = (command, args, options) => {
  const { error, status } = spawnSync(command, args, { stdio: "inherit", ...options })
  if (error !== undefined) throw error
  if (status !== 0) process.exit(status ?? 1)
}

const [folder = "", command = "", ...args] = process.argv.slice(2)
const home = join(root, folder)
const lock = readFileSync(join(home, "package-lock.json"), "utf8")
const installed = join(home, "node_modules/.installed-lock.json")

if (!existsSync(installed) || readFileSync(installed, "utf8") !== lock) {
  console.log(`Installing the packages of ${folder}/package.json for the first use of ${folder} (about half a minute)`)
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: home })
  writeFileSync(installed, lock)
}

const PATH = [join(home, "node_modules/.bin"), process.env.PATH].join(delimiter)
if (command !== "") run(command, args, { env: { ...process.env, PATH } })
