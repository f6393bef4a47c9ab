import type { JoiningProcess } from "@trunkline/storage-kysely"
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"

/**
 * Tells this machine from all others: on Linux by its boot and the namespace of its process numbers, which containers have
 * of their own. Elsewhere nothing tells as surely, so others wait for the lease of a process that has died.
 */
const machine = (): string | null => {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`
  } catch {
    return null
  }
}

/** Checks that no process with a number runs on this machine. */
const hasEnded = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH"
  }
}

/** This process, as it joins those that share a database. */
export const thisProcess = (): Omit<JoiningProcess, "lease"> => ({
  name: `${process.pid} on ${hostname()}`,
  machine: machine(),
  pid: process.pid,
  hasEnded
})
