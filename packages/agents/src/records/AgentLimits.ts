/** Bounds of the agents of workspaces, beyond which a request is refused with a message that names the bound. */
export const agentLimits = {
  /** Agents of a workspace. */
  agents: 200,
  /** Versions of an agent. */
  versions: 200,
  /** Characters of a version as JSON, with its defaults. */
  versionCharacters: 262_144,
  /** Characters of all versions of a workspace: 16 Mi. */
  workspaceCharacters: 16_777_216,
  /** Hand-overs of a version. */
  handOvers: 50,
  /** Characters of the name of an agent. */
  name: 200
} as const
