// Builds and runs the image of a Dockerfile: with Docker where it answers, otherwise step by step in folders of this machine,
// which shows that the steps work and says nothing about the base image.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"

const port = 18_787

/** Instructions of a Dockerfile in order, as names and texts. */
const instructionsOf = (text) =>
  text.replaceAll(/^#.*\n/gm, "").replaceAll(/\\\n\s*/g, "").split("\n").filter((line) => line.trim() !== "").map(
    (line) => {
      const [name, ...rest] = line.split(" ")
      return { name, text: rest.join(" ").trim() }
    }
  )

/** Arguments in JSON or as words. */
const wordsOf = (text) => text.startsWith("[") ? JSON.parse(text) : text.split(/\s+/)

/** Asks the server until it answers. */
const ask = async (path, child) => {
  for (let attempt = 0; attempt < 300 && (child === undefined || child.exitCode === null); attempt++) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
    if (response !== undefined) {
      return { status: response.ok ? 0 : 1, output: `${response.status} ${await response.text()}` }
    }
    await pause(100)
  }
  return { status: 1, output: "no answer" }
}

const inDocker = (folder, run) => {
  const name = `trunkline-image-${process.pid}`
  const docker = (...args) => run("docker", args, folder)
  return {
    kind: "by Docker",
    build: () => docker("build", "--network", "host", "--tag", name, folder),
    check: async () => {
      const started = await docker(
        "run",
        "--detach",
        "--rm",
        "--init",
        "--read-only",
        "--tmpfs",
        "/tmp",
        "--cap-drop",
        "ALL",
        "--publish",
        `127.0.0.1:${port}:8787`,
        "--name",
        name,
        name
      )
      return started.status === 0 ? ask("/readyz") : started
    },
    stop: () => docker("stop", "--time", "30", name)
  }
}

/** User that the image's `node` stands for, where this process may change to it. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const inFolders = (folder, run) => {
  const root = mkdtempSync(join(tmpdir(), "trunkline-image-"))
  chmodSync(root, 0o755)
  const instructions = instructionsOf(readFileSync(join(folder, "Dockerfile"), "utf8"))
  const ignored = new Set(readFileSync(join(folder, ".dockerignore"), "utf8").split("\n"))
  const stages = []
  let server
  let image

  /** Copies from the folder, without what is ignored, or from an earlier stage. */
  const copy = (stage, text) => {
    const words = text.split(/\s+/)
    const from = words[0].startsWith("--from=")
      ? stages.find(({ name }) => name === words[0].slice(7)).root
      : folder
    const [target, ...sources] = words.filter((word) => !word.startsWith("--")).toReversed()
    const place = join(stage.root, target.startsWith("/") ? target : join(stage.workdir, target))
    for (const source of sources) {
      if (source !== "." && !source.startsWith("/")) cpSync(join(from, source), join(place, basename(source)))
      else if (source.startsWith("/")) cpSync(join(from, source), place, { recursive: true })
      else {
        const kept = readdirSync(from).filter((name) => !ignored.has(name))
        kept.forEach((name) => cpSync(join(from, name), join(place, name), { recursive: true }))
      }
    }
  }

  const steps = {
    FROM: (_stage, text) => {
      const stage = { name: text.split(/\s+/)[2], root: join(root, String(stages.length)), workdir: "/", env: {} }
      mkdirSync(stage.root)
      stages.push(stage)
    },
    WORKDIR: (stage, text) => {
      stage.workdir = text
      mkdirSync(join(stage.root, text), { recursive: true })
    },
    ENV: (stage, text) =>
      Object.assign(stage.env, Object.fromEntries(text.split(/\s+/).map((pair) => pair.split("=")))),
    COPY: copy,
    RUN: (stage, text) => {
      if (!text.startsWith("mkdir ")) return run("sh", ["-c", text], join(stage.root, stage.workdir))
      // The data folder of the image, for the user of this machine.
      const place = join(stage.root, "data")
      mkdirSync(place, { mode: 0o700 })
      if (user.uid !== undefined) chownSync(place, user.uid, user.gid)
    },
    USER: (stage, text) => void (stage.user = text),
    HEALTHCHECK: (stage, text) => void (stage.health = wordsOf(text.slice(text.indexOf("CMD ") + 4))),
    CMD: (stage, text) => void (stage.command = wordsOf(text)),
    VOLUME: () => undefined,
    EXPOSE: () => undefined
  }

  const build = async () => {
    for (const { name, text } of instructions) {
      const step = steps[name]
      if (step === undefined) return { status: 1, output: `${name} is not known here` }
      const { output = "", status = 0 } = await step(stages.at(-1), text) ?? {}
      if (status !== 0) return { status, output: `${name} ${text}\n${output}` }
    }
    image = stages.at(-1)
    return image.user === undefined || image.user === "root"
      ? { status: 1, output: "the image runs as root" }
      : { status: 0, output: `${instructions.length} instructions` }
  }

  const settings = () => ({
    PATH: process.env.PATH,
    ...image.env,
    PORT: String(port),
    TRUNKLINE_DATA: join(image.root, image.env.TRUNKLINE_DATA)
  })
  const options = () => ({ cwd: join(image.root, image.workdir), env: settings(), ...user })

  const check = async () => {
    const [program, ...args] = image.command
    server = spawn(program === "node" ? process.execPath : program, args, {
      ...options(),
      stdio: ["ignore", "pipe", "pipe"]
    })
    let output = ""
    for (const stream of [server.stdout, server.stderr]) stream.on("data", (chunk) => output += chunk)
    const ready = await ask("/readyz", server)
    const [, ...health] = image.health
    const healthy = await run(process.execPath, health, options().cwd, options())
    return healthy.status === 0 ? ready : { status: 1, output: `${ready.output}\n${output}${healthy.output}` }
  }

  const stop = async () => {
    const exited = once(server, "exit")
    server.kill("SIGTERM")
    const [code] = await exited
    return { status: code ?? 1, output: `exit code ${code}` }
  }

  return { kind: "in folders, since Docker does not answer", build, check, stop }
}

/**
 * The image of a folder with a Dockerfile: its kind, and how to build, check and stop it. `run` runs a command in a folder, by
 * default with the settings of the registry.
 */
export const imageOf = async (folder, run) =>
  (await run("docker", ["info"], folder)).status === 0 ? inDocker(folder, run) : inFolders(folder, run)
