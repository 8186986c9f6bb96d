// What of the tree of packages and classes is open, as it stands in the address: "all" ("*"), "none"
// ("-") or what is searched for and selected, but for the nodes that were toggled (ids of TreeNode).
// Packages by name, their classes behind them: "java.util .HashMap .List -java.lang .String"; "-" in
// front of a package: only classes of it; "." is the package without a name.
export interface OpenNodes {
  base: "all" | "none" | "default";
  toggled: ReadonlySet<string>;
}

const BASES = { "*": "all", "-": "none" } as const;

// What does not read is ignored.
export function parseOpen(text: string): OpenNodes {
  const toggled = new Set<string>();
  let base: OpenNodes["base"] = "default", inPackage = "";
  for (const token of text.split(" ")) {
    if (token === "*" || token === "-") base = BASES[token];
    else if (token === ".") toggled.add("p:");
    else if (token.startsWith(".")) {
      const type = decoded(token.slice(1));
      if (type !== undefined) toggled.add(`c:${inPackage ? `${inPackage}.` : ""}${type}`);
    } else if (token) {
      inPackage = decoded(token.replace(/^-/, "")) ?? "";
      if (!token.startsWith("-")) toggled.add(`p:${inPackage}`);
    }
  }
  return { base, toggled };
}

export function renderOpen({ base, toggled }: OpenNodes): string {
  const classes = new Map<string, string[]>();
  for (const id of toggled) {
    if (!id.startsWith("c:")) continue;
    const type = id.slice(2), dot = type.lastIndexOf(".");
    const name = type.slice(0, Math.max(0, dot)), list = classes.get(name);
    if (list) list.push(type.slice(dot + 1));
    else classes.set(name, [type.slice(dot + 1)]);
  }
  const packages = [...new Set([...classes.keys(), ...[...toggled].filter((id) => id.startsWith("p:")).map((id) => id.slice(2))])].sort();
  const tokens = packages.flatMap((name) => {
    const isToggled = toggled.has(`p:${name}`);
    const own = name === "" ? (isToggled ? ["."] : []) : [(isToggled ? "" : "-") + encoded(name)];
    return [...own, ...(classes.get(name) ?? []).sort().map((type) => `.${encoded(type)}`)];
  });
  return [...(base === "all" ? ["*"] : base === "none" ? ["-"] : []), ...tokens].join(" ");
}

// Class files allow nearly every sign in names.
function encoded(name: string): string { return name.replace(/[% ]|^[-*.]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`); }
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
