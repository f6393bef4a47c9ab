import { readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"

/** As much of an element as the page uses. */
class FakeElement {
  readonly children: Array<FakeElement | string> = []
  readonly listeners = new Map<string, (event: { readonly preventDefault: () => void }) => void>()
  readonly fields = new Map<string, string>()
  readonly elements = Object.fromEntries(
    ["org", "workspace", "key"].map((name) => [name, { value: "", focus: () => this.focused = name }])
  )
  focused = ""
  readonly clientWidth = 342
  readonly clientHeight = 280
  textContent = ""
  className = ""
  hidden = true
  disabled = false
  href = ""
  src = ""

  constructor(readonly name: string, readonly isDecodable = true) {}

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
  readonly decode = () => this.isDecodable ? Promise.resolve() : Promise.reject(new Error("no picture"))
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

const script = readFileSync(new URL("../../../assets/page/board.mjs", import.meta.url), "utf8")

/** A request of the page. */
export interface Asked {
  readonly path: string
  readonly key: string | undefined
  readonly body: string | undefined
}

/** An answer of the API; null is a server that does not answer. */
export type Answer = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
} | null

/** Answers of the API by path, which a test may change while the page is open. */
export type Answers = Record<string, Answer>

/** Opens the page at a fragment in a browser that is faked. Its timers go off in `pass` only. */
export const openPage = async (
  fragment: string,
  answers: Answers,
  { isDecodable = true }: { readonly isDecodable?: boolean } = {}
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
    const answer = answers[path.split("?")[0] ?? ""]
    if (answer === null) return Promise.reject(new TypeError("Failed to fetch"))
    const { body, headers, status } = { status: 200, headers: {}, ...(answer ?? { status: 404, body: {} }) }
    return Promise.resolve(new Response(JSON.stringify(body), { status, headers }))
  }
  const resizes: Array<() => void> = []
  let timer: { readonly seconds: number; readonly run: () => void } | undefined
  const browser = {
    URLSearchParams,
    URL: { createObjectURL: () => "blob:chart", revokeObjectURL: () => {} },
    Image: class extends FakeElement {
      constructor() {
        super("img", isDecodable)
      }
    },
    AbortSignal,
    FormData: class {
      readonly get = (name: string) => byId("door").fields.get(name) ?? ""
    },
    addEventListener: (name: string, listener: () => void) => name === "resize" && resizes.push(listener),
    clearTimeout: () => timer = undefined,
    setTimeout: (run: () => void, millis: number) => timer = { seconds: millis / 1_000, run },
    innerWidth: 390,
    document: {
      hidden: false,
      addEventListener: () => {},
      getElementById: byId,
      createElement: (name: string) => new FakeElement(name)
    },
    fetch,
    history: { replaceState: (_: null, __: string, hash: string) => location.hash = hash },
    location,
    sessionStorage: {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => kept.set(name, value),
      removeItem: (name: string) => kept.delete(name)
    }
  }
  runInNewContext(script, browser)
  const settle = async () => {
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  await settle()
  return {
    asked,
    kept,
    location,
    shown: (id: string) => byId(id).text,
    isHidden: (id: string) => byId(id).hidden,
    focused: () => byId("door").focused,
    classOf: (id: string) => byId(id).className,
    /** Makes the window as wide, in pixels. */
    resize: (width: number) => {
      browser.innerWidth = width
      for (const listener of resizes) listener()
    },
    /** Seconds until the page does something by itself; undefined when it never does. */
    next: () => timer?.seconds,
    /** Lets that time pass. */
    pass: async () => {
      const { run = () => {} } = timer ?? {}
      timer = undefined
      run()
      await settle()
    },
    click: async (id: string) => {
      byId(id).listeners.get("click")?.({ preventDefault: () => {} })
      await settle()
    },
    signIn: async (fields: Readonly<Record<string, string>>) => {
      for (const [name, value] of Object.entries(fields)) byId("door").fields.set(name, value)
      byId("door").listeners.get("submit")?.({ preventDefault: () => {} })
      await settle()
    }
  }
}
