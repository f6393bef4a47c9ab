import { render } from "preact"
import { App } from "./shell/App.js"
import "./style/index.css"

const root = document.getElementById("root")
if (root !== null) render(<App />, root)
