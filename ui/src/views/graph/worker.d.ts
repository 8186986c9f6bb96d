// build.mjs bundles what follows the colon; the default export is the worker's whole script.
declare module "worker:*" {
  const source: string;
  export default source;
}
