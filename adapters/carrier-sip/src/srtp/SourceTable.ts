import { makePacketWindow, type PacketWindow } from "./PacketWindow.js"

/** State of a synchronization source: the SSRC of its packets, and those that have come. */
export interface Source {
  readonly ssrc: number
  readonly rtp: PacketWindow
  readonly rtcp: PacketWindow
}

/** Sources of one direction of a call, a few at most. */
export interface SourceTable {
  /** Source of an SSRC; one without packets, which is not kept yet, when the SSRC is new. */
  readonly find: (ssrc: number) => Source
  /** Keeps a source that was found. Returns false, and does not keep it, when there is no room for a new one. */
  readonly keep: (source: Source) => boolean
}

/** Sources that are kept at most. A call has one, and may get others by transfers and music on hold. */
export const maxSources = 8

/**
 * Makes a table. When it is full, it forgets the source that was kept least recently for a new one, if it may forget: a
 * sender that forgot would use its keystream a second time.
 */
export const makeSourceTable = ({ mayForget }: { readonly mayForget: boolean }): SourceTable => {
  /** Begins with the one that was kept least recently. */
  const sources: Array<Source> = []
  let unkept: Source | null = null

  return {
    find: (ssrc) => {
      for (const source of sources) if (source.ssrc === ssrc) return source
      // Forged packets each have another SSRC, as a rule: they share what is allocated.
      unkept = { rtp: unkept?.rtp ?? makePacketWindow(), rtcp: unkept?.rtcp ?? makePacketWindow(), ssrc }
      return unkept
    },
    keep: (source) => {
      if (sources.at(-1) === source) return true
      const place = sources.indexOf(source)
      if (place >= 0) sources.splice(place, 1)
      else if (sources.length === maxSources) {
        if (!mayForget) return false
        sources.shift()
      }
      if (source === unkept) unkept = null
      sources.push(source)
      return true
    }
  }
}
