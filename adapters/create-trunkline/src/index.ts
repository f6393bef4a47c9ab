import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join, relative, resolve } from "node:path"

/** Environment of the command. */
export interface CreateContext {
  /** Base of relative paths. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

const usage = `Usage: npm create trunkline [folder]

Makes the folder of a Trunkline server, which must be empty or absent, and installs what it needs.`

const managers = ["npm", "pnpm", "yarn", "bun"]

/** The package manager that runs this command. */
const managerOf = ({ environment }: CreateContext): string => {
  const [name = ""] = (environment["npm_config_user_agent"] ?? "").split("/")
  return managers.includes(name) ? name : "npm"
}

/** Version of this package, which is released with that of `trunkline`. */
const version = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  const value: unknown = typeof manifest === "object" && manifest !== null
    ? Reflect.get(manifest, "version")
    : undefined
  return typeof value === "string" ? value : "latest"
}

const manifestOf = (folder: string): string =>
  `${
    JSON.stringify(
      {
        name: basename(folder).toLowerCase().replaceAll(/[^a-z0-9-]+/g, "-") || "trunkline-server",
        private: true,
        type: "module",
        scripts: { start: "trunkline serve", check: "trunkline serve --check", doctor: "trunkline doctor" },
        dependencies: { trunkline: `^${version()}` }
      },
      null,
      2
    )
  }\n`

const ignoredText = "node_modules\n.env\n.trunkline\nbackups\n"

/** Runs a program with the terminal of this one; resolves with its exit code, 1 when it cannot be started. */
const run = (program: string, args: ReadonlyArray<string>, folder: string): Promise<number> =>
  new Promise((finish) => {
    const child = spawn(program, args, {
      cwd: folder,
      // The package manager has set it to the folder in which it was called.
      env: { ...process.env, INIT_CWD: folder },
      stdio: "inherit",
      shell: process.platform === "win32"
    })
    child.once("error", (error) => {
      console.error(`${program} cannot be started: ${error.message}`)
      finish(1)
    })
    child.once("exit", (code) => finish(code ?? 1))
  })

/**
 * Makes the folder of a server; resolves with the exit code: 1 when the folder is taken or the installation fails, which says how
 * to go on, and 2 when the command line is wrong.
 */
export const create = async (args: ReadonlyArray<string>, context: CreateContext): Promise<number> => {
  if (args.includes("--help") || args.length > 1 || args[0]?.startsWith("-") === true) {
    console.log(usage)
    return args.includes("--help") ? 0 : 2
  }
  const target = resolve(context.folder, args[0] ?? "trunkline-server")
  const place = relative(context.folder, target) || "."
  if (existsSync(target) && readdirSync(target).length > 0) {
    console.error(`${place} is not empty: name another folder`)
    return 1
  }
  mkdirSync(target, { recursive: true })
  writeFileSync(join(target, "package.json"), manifestOf(target), { flag: "wx" })
  writeFileSync(join(target, ".gitignore"), ignoredText, { flag: "wx" })
  const manager = managerOf(context)
  if (await run(manager, ["install"], target) !== 0) {
    console.error(`${manager} install failed in ${place}: run it again there, then npx trunkline init`)
    return 1
  }
  const tool = join(target, "node_modules/trunkline/bin/trunkline.mjs")
  if (await run(process.execPath, [tool, "init", "."], target) !== 0) return 1
  console.log(`\nThe server is in ${place}. Start it with:\n  cd ${place}\n  ${manager} start`)
  return 0
}
