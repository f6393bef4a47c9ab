import { sql, SQLite } from "@codemirror/lang-sql"
import { EditorState } from "@codemirror/state"
import { EditorView } from "@codemirror/view"
import { basicSetup } from "codemirror"
import type { QuerySchema } from "../api/types.js"

interface Options {
  readonly text: string
  readonly schema: QuerySchema | undefined
  readonly onChange: (text: string) => void
}

const look = EditorView.theme({
  "&": { fontSize: "13px", border: "1px solid var(--edge)", borderRadius: "7px", background: "var(--surface)" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-content": { fontFamily: "var(--mono)", minHeight: "140px", caretColor: "var(--text)" },
  ".cm-gutters": { background: "var(--sunken)", color: "var(--muted)", border: "0", borderRadius: "7px 0 0 7px" },
  ".cm-activeLine, .cm-activeLineGutter": { background: "transparent" },
  ".cm-tooltip": { background: "var(--raised)", color: "var(--text)", border: "1px solid var(--line)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" }
})

/**
 * Opens an editor in an element; the result closes it. It lives in a shadow root, where the styles of CodeMirror are sheets of
 * their own: the content security policy of the page lets no script write a style element.
 */
export const openEditor = (parent: HTMLElement, { onChange, schema, text }: Options): () => void => {
  const tables = Object.fromEntries(
    (schema?.tables ?? []).map(({ columns, name }) => [name, columns.map((column) => column.name)])
  )
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" })
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        basicSetup,
        sql({ dialect: SQLite, schema: tables, upperCaseKeywords: false }),
        look,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ "aria-label": "SQL" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString())
        })
      ]
    })
  })
  return () => view.destroy()
}
