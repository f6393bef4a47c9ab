import { useEffect, useRef } from "preact/hooks"
import type { QuerySchema } from "../api/types.js"

interface Props {
  readonly value: string
  readonly schema: QuerySchema | undefined
  readonly onChange: (text: string) => void
}

/** An editor of SQL that completes the tables and columns of the workspace. Its script is loaded when it is opened. */
export const SqlEditor = ({ onChange, schema, value }: Props) => {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let close = () => {}
    let isOpen = true
    void import("./editor.js").then(({ openEditor }) => {
      if (isOpen && host.current !== null) close = openEditor(host.current, { text: value, schema, onChange })
    })
    return () => {
      isOpen = false
      close()
    }
  }, [schema])
  return <div ref={host} class="sql" />
}
