/**
 * The parts of a path that the server names, if it stays inside the folder it is to lie in on every system: also the forms
 * of another system are refused, so that a script does the same everywhere.
 * @throws Error that says why the path is refused
 */
export function safeParts(path: string, platform: NodeJS.Platform = process.platform): string[] {
  const why = dangerOf(path) ?? (platform === "win32" ? windowsDangerOf(path) : undefined);
  if (why !== undefined) throw new Error(`Cannot download the file ${JSON.stringify(path)}: ${why}`);
  return path.split("/").filter((part) => part !== "" && part !== ".");
}

function dangerOf(path: string): string | undefined {
  const parts = path.split("/");
  // biome-ignore lint: control characters are what is looked for
  if (/\p{Cc}/u.test(path)) return "its path has control characters";
  if (path.includes("\\")) return "its path has a backslash, which leads elsewhere on Windows";
  if (path.startsWith("/")) return "its path is absolute";
  if (/^[A-Za-z]:/.test(path)) return "its path names a drive";
  if (parts.includes("..")) return "its path leaves the folder";
  if (["", "."].includes(parts.at(-1) ?? "")) return "its path names no file";
  return undefined;
}

/** Devices, other streams of a file, and names that Windows takes for another one. */
function windowsDangerOf(path: string): string | undefined {
  const parts = path.split("/");
  if (/[:<>"|?*]/.test(path)) return "its path has characters that Windows does not allow";
  if (parts.some((part) => part !== "." && /[. ]$/.test(part)))
    return "its path has a part that ends with a dot or blank";
  if (parts.some((part) => /^(con|prn|aux|nul|(com|lpt)[\d¹²³]|conin\$|conout\$) *(\.|$)/i.test(part))) {
    return "its path names a device";
  }
  return undefined;
}

/**
 * The parts of all paths.
 * @throws Error that names every path that is refused, or two that would be one file
 */
export function allSafeParts(
  paths: readonly string[],
  platform: NodeJS.Platform = process.platform,
): Map<string, string[]> {
  const ignoresCase = platform === "win32" || platform === "darwin";
  const taken = new Map<string, string>();
  const safe = new Map<string, string[]>();
  const refused: string[] = [];
  for (const path of paths) {
    try {
      const parts = safeParts(path, platform);
      const file = parts.join("/");
      const key = ignoresCase ? file.normalize("NFC").toLowerCase() : file;
      const twin = taken.get(key);
      if (twin !== undefined)
        throw new Error(
          `Cannot download both ${JSON.stringify(twin)} and ${JSON.stringify(path)}: they are one file here`,
        );
      taken.set(key, path);
      safe.set(path, parts);
    } catch (error) {
      refused.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (refused.length > 0) throw new Error(`${refused.join("; ")}. Nothing was downloaded`);
  return safe;
}
