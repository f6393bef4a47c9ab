import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { rmdir } from "node:fs/promises"
import { setTimeout } from "node:timers/promises"

/** Period of the scheduler in which a group has its share, in microseconds: short, so that no timer waits for long. */
const period = 10_000

/** Groups of processes of Linux, in the first and the second version of their files. */
const roots = [
  {
    folder: "/sys/fs/cgroup/cpu",
    files: (quota: number) => [["cpu.cfs_period_us", period], ["cpu.cfs_quota_us", quota]]
  },
  { folder: "/sys/fs/cgroup", files: (quota: number) => [["cpu.max", `${quota} ${period}`]] }
] as const

/** Names of the groups that were made, with their processes. */
const groups: Array<string> = []

/**
 * Limits a process to a share of a core, so that processes on one machine are as fast as on small machines of their own.
 * Returns false where that is not possible, as without the rights of root.
 */
export const limitToShare = (pid: number, share: number): boolean => {
  const root = roots.find(({ folder }) => existsSync(`${folder}/cgroup.procs`))
  if (root === undefined) return false
  const group = `${root.folder}/trunkline-bench-${pid}`
  try {
    mkdirSync(group)
    groups.push(group)
    for (const [file, value] of root.files(Math.round(period * share))) writeFileSync(`${group}/${file}`, String(value))
    writeFileSync(`${group}/cgroup.procs`, String(pid))
    return true
  } catch {
    return false
  }
}

/** Removes the groups of processes that have ended, which the kernel notices a little later; tries for some seconds. */
export const removeShares = async (): Promise<void> => {
  for (const group of groups.splice(0)) {
    for (let remaining = 50; remaining > 0; remaining--) {
      const isGone = await rmdir(group).then(() => true, () => false)
      if (isGone) break
      await setTimeout(100)
    }
  }
}
