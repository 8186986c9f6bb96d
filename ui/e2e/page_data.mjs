// The data within a made page, as format/page/page.cc puts them there.

import { readFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";

const DATA = /(<script type="application\/octet-stream" id="yp-data" data-encoding="gzip">)([^<]*)(<\/script>)/;

export function readPageData(file) {
  const found = DATA.exec(readFileSync(file, "utf8"));
  if (!found) throw new Error(`${file} has no profile in it: yp report P -o F.html makes a page`);
  return JSON.parse(gunzipSync(Buffer.from(found[2], "base64")).toString("utf8"));
}

// The same page with other data.
export function pageWithData(file, data) {
  const content = gzipSync(JSON.stringify(data)).toString("base64");
  return readFileSync(file, "utf8").replace(DATA, (_, begin, __, end) => begin + content + end);
}

// Full name, as src/model/names.ts has it.
export function fullName(data, method) {
  const { strings, methods } = data;
  const type = strings[methods.class[method]];
  return (type ? `${type}.` : "") + strings[methods.name[method]] + strings[methods.descriptor[method]];
}

export function shortName(data, method) {
  const type = data.strings[data.methods.class[method]].split(".").pop();
  return (type ? `${type}.` : "") + data.strings[data.methods.name[method]];
}

// As src/model/names.ts has it; empty where it is not known.
export function sourcePath(data, method) {
  const { strings, methods } = data;
  if (methods.file[method] < 0) return "";
  return [...strings[methods.class[method]].split(".").slice(0, -1), strings[methods.file[method]]].join("/");
}

// The most called edge between two methods of different short names, none of which another has: what
// a test can look for by name.
export function namedEdge(data) {
  const { edges } = data.profiles.at(-1);
  const namesakes = new Map();
  for (let m = 0; m < data.methods.name.length; m++) {
    namesakes.set(shortName(data, m), (namesakes.get(shortName(data, m)) ?? 0) + 1);
  }
  const isUnique = (method) => method >= 0 && namesakes.get(shortName(data, method)) === 1;
  const order = edges.calls.map((_, edge) => edge).sort((a, b) => edges.calls[b] - edges.calls[a]);
  const edge = order.find((e) => edges.caller[e] !== edges.callee[e] && isUnique(edges.caller[e]) && isUnique(edges.callee[e]));
  if (edge === undefined) throw new Error("no edge with unique names in this page");
  return { caller: edges.caller[edge], callee: edges.callee[edge] };
}

// The most called method of which there are overloads.
export function overloaded(data) {
  const { edges } = data.profiles.at(-1);
  const key = (method) => fullName(data, method).split("(")[0];
  const overloads = new Map();
  data.methods.name.forEach((_, method) => overloads.set(key(method), (overloads.get(key(method)) ?? 0) + 1));
  const order = edges.calls.map((_, edge) => edge).sort((a, b) => edges.calls[b] - edges.calls[a]);
  const edge = order.find((e) => overloads.get(key(edges.callee[e])) > 1);
  if (edge === undefined) throw new Error("no overloads in this page");
  return edges.callee[edge];
}

// The method that the compilers made the most versions of.
export function mostRecompiled(data) {
  const { methods, compilations, recompilations } = data.profiles.at(-1).jit;
  const versions = new Map();
  for (const compilation of recompilations.compilation) {
    const method = methods.method[compilations.method[compilation]];
    versions.set(method, (versions.get(method) ?? 0) + 1);
  }
  const [most] = [...versions].sort((a, b) => b[1] - a[1]);
  if (!most) throw new Error("no recompilation in this page");
  return most[0];
}

// A method of whose compilations inlining decisions are known.
export function withInlinings(data) {
  const { methods, compilations, inlinings } = data.profiles.at(-1).jit;
  const known = new Set(inlinings.compile_id.map((id, i) => `${id} ${inlinings.osr[i]}`));
  const compilation = compilations.id.findIndex((id, i) => known.has(`${id} ${compilations.osr[i]}`));
  if (compilation < 0) throw new Error("no inlining decision in this page");
  return methods.method[compilations.method[compilation]];
}
