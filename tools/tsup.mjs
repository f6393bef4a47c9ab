// The bundler of `npm run build`, from the packages of this folder.
export { build } from "tsup"
