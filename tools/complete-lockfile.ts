/**
 * Adds to package-lock.json what a registry that serves only this machine's platform leaves out of it: the optional
 * packages for other platforms. Without them `npm ci` refuses the lockfile, here and everywhere else. They get no
 * integrity, because nobody here has seen them; `npm install` on a machine with the whole registry adds it.
 */
import { readFileSync, writeFileSync } from "node:fs";

interface Entry {
  version?: string;
  dev?: true;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  optionalDependencies?: Readonly<Record<string, string>>;
}

const OS = [
  "aix",
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "wasi",
  "win32",
];
const CPU = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

/** The platform in a package's name; one that tells of none gets a system that npm never runs on. */
function platform(name: string): Pick<Entry, "os" | "cpu"> {
  const words = name.split(/[^a-z0-9]+/);
  const os = name === "fsevents" ? "darwin" : OS.find((one) => words.includes(one));
  const cpu = CPU.find((one) => words.includes(one));
  return { os: [os ?? "none"], ...(cpu !== undefined && { cpu: [cpu] }) };
}

const FILE = new URL("../package-lock.json", import.meta.url);
const lockfile: { packages: Record<string, Entry> } = JSON.parse(readFileSync(FILE, "utf8"));
const { packages } = lockfile;
let added = 0;
for (const [place, { dev, optionalDependencies = {} }] of Object.entries(packages)) {
  for (const [name, range] of Object.entries(optionalDependencies)) {
    if (`node_modules/${name}` in packages || `${place}/node_modules/${name}` in packages) continue;
    const version = range.replace(/^[\^~]/, "");
    packages[`node_modules/${name}`] = { version, ...(dev && { dev }), optional: true, ...platform(name) };
    added += 1;
  }
}
const sorted = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(FILE, `${JSON.stringify({ ...lockfile, packages: sorted }, null, 2)}\n`);
process.stdout.write(`${added} packages of other platforms added to package-lock.json\n`);
