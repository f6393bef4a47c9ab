import { useSignal } from "@preact/signals"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { api } from "../api/client.js"
import { addressOf, navigate } from "../state/location.js"
import { nextTheme } from "../state/theme.js"
import { hostPages, hostPath } from "./links.js"
import { pages } from "./pages.js"

interface Command {
  readonly title: string
  readonly kind: string
  readonly run: () => void
}

const go = (...parts: ReadonlyArray<string>) => () => navigate(addressOf(parts))

const fixed = (): ReadonlyArray<Command> => [
  ...pages.map(({ path, title }) => ({ title, kind: "Page", run: go(path) })),
  ...hostPages.map(({ name, title }) => ({ title, kind: "Page", run: go(hostPath, name) })),
  { title: "Change the theme", kind: "Command", run: nextTheme }
]

/** Campaigns and boards by name. */
const search = async (text: string): Promise<ReadonlyArray<Command>> => {
  const [campaigns, boards] = await Promise.all([
    api().campaigns.list({ search: text, limit: 8 }).catch(() => ({ items: [] })),
    api().boards.list().catch(() => ({ items: [] }))
  ])
  const matches = (name: string) => name.toLowerCase().includes(text.toLowerCase())
  return [
    ...campaigns.items.map(({ campaign_id, name }) => ({ title: name, kind: "Campaign", run: go("campaigns", campaign_id) })),
    ...boards.items.filter(({ name }) => matches(name)).map(({ id, name }) => ({ title: name, kind: "Board", run: go("boards", id) }))
  ]
}

/** Goes anywhere by keyboard: pages, campaigns, boards, commands, and calls by their id. */
export const Palette = ({ onClose }: { readonly onClose: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const text = useSignal("")
  const findings = useSignal<{ readonly query: string | null; readonly commands: ReadonlyArray<Command> }>({ query: null, commands: [] })
  // Enter before the answer came: its first result opens once it is there.
  const isEager = useSignal(false)
  const chosen = useSignal(0)
  // Before the next key: an effect after the frame would lose what is typed until then.
  useLayoutEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    const timer = setTimeout(() => {
      const query = text.peek()
      void search(query).then((commands) => {
        if (query !== text.peek()) return
        findings.value = { query, commands }
        if (isEager.peek()) run(commands[0])
      })
    }, 150)
    return () => clearTimeout(timer)
  }, [text.value])
  const words = text.value.trim().toLowerCase()
  const call: ReadonlyArray<Command> = /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(words)
    ? [{ title: words, kind: "Call", run: go("calls", text.value.trim()) }]
    : []
  const isAnswered = findings.value.query === text.value
  const hasWords = ({ title }: Command) => title.toLowerCase().includes(words)
  const commands = [...call, ...fixed().filter(hasWords), ...findings.value.commands.filter((command) => isAnswered || hasWords(command))]
  const run = (command: Command | undefined) => {
    isEager.value = command === undefined && !isAnswered
    if (command === undefined) return
    onClose()
    command.run()
  }
  const move = (step: number) => {
    chosen.value = (chosen.value + step + commands.length) % Math.max(1, commands.length)
  }
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Go to"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <input
        role="combobox"
        aria-label="Page, campaign, board or call"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={commands.length > 0 ? `palette-${chosen.value}` : undefined}
        placeholder="Go to a page, a campaign, a board or a call"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value
          chosen.value = 0
          isEager.value = false
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") move(1)
          else if (event.key === "ArrowUp") move(-1)
          else if (event.key === "Enter") run(commands[chosen.value])
          else return
          event.preventDefault()
        }}
      />
      <div role="listbox" id="palette-list" aria-label="Results">
        {commands.map((command, index) => (
          <div
            key={`${command.kind} ${command.title} ${index}`}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === chosen.value}
            onClick={() => run(command)}
          >
            <span>{command.title}</span>
            <span class="muted small">{command.kind}</span>
          </div>
        ))}
        {commands.length === 0 && <p class="empty">{isAnswered ? "Nothing has this name." : "Searching…"}</p>}
      </div>
    </dialog>
  )
}
