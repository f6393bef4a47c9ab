import { readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"

/** As much of an element as the page uses. */
class FakeElement {
  readonly children: Array<FakeElement | string> = []
  readonly listeners = new Map<string, (event: { readonly preventDefault: () => void }) => void>()
  readonly elements: Record<string, { value: string }> = { org: { value: "" }, workspace: { value: "" } }
  textContent = ""
  className = ""
  hidden = true
  disabled = false
  href = ""
  src = ""

  constructor(readonly name: string) {}

  append(...children: ReadonlyArray<FakeElement | string>) {
    this.children.push(...children)
  }

  replaceChildren(...children: ReadonlyArray<FakeElement | string>) {
    this.children.splice(0, this.children.length, ...children)
  }

  private added(name: string): FakeElement {
    const child = new FakeElement(name)
    this.children.push(child)
    return child
  }

  readonly createTHead = () => this.added("thead")
  readonly createTBody = () => this.added("tbody")
  readonly insertRow = () => this.added("tr")
  readonly decode = () => Promise.resolve()
  readonly reset = () => {}

  addEventListener(name: string, listener: (event: { readonly preventDefault: () => void }) => void) {
    this.listeners.set(name, listener)
  }

  /** All text inside, and the names of images. */
  get text(): string {
    const inside = this.children.map((child) => typeof child === "string" ? child : child.text)
    return [this.name === "img" ? "[image]" : this.textContent, ...inside].filter((text) => text !== "").join(" ")
  }
}

const script = readFileSync(new URL("../../assets/page/board.mjs", import.meta.url), "utf8")

/** A request of the page. */
export interface Asked {
  readonly path: string
  readonly key: string | undefined
  readonly body: string | undefined
}

/** Opens the page at a fragment in a browser that is faked, with the answers of the API by path. */
export const openPage = async (
  fragment: string,
  answers: Readonly<Record<string, { readonly status?: number; readonly body: unknown }>>
) => {
  const ids = new Map<string, FakeElement>()
  const asked: Array<Asked> = []
  const location = { hash: fragment }
  const kept = new Map<string, string>()
  const byId = (id: string) => {
    const found = ids.get(id) ?? new FakeElement(id)
    ids.set(id, found)
    return found
  }
  const fetch = (path: string, init: { readonly headers: Record<string, string>; readonly body?: string }) => {
    asked.push({ path, key: init.headers["X-API-Key"], body: init.body })
    const { body, status = 200 } = answers[path.split("?")[0] ?? ""] ?? { status: 404, body: {} }
    return Promise.resolve(new Response(JSON.stringify(body), { status }))
  }
  runInNewContext(script, {
    URLSearchParams,
    URL: { createObjectURL: () => "blob:chart", revokeObjectURL: () => {} },
    Image: class extends FakeElement {
      constructor() {
        super("img")
      }
    },
    FormData: Map,
    addEventListener: () => {},
    document: { getElementById: byId, createElement: (name: string) => new FakeElement(name) },
    fetch,
    history: { replaceState: (_: null, __: string, hash: string) => location.hash = hash },
    location,
    sessionStorage: {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => kept.set(name, value)
    }
  })
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  return { asked, location, shown: (id: string) => byId(id).text, isHidden: (id: string) => byId(id).hidden }
}
