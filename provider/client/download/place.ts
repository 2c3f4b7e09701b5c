import { lstat, mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";

/** The folder that files are downloaded into. Nothing below it is followed out of it. */
export interface Place {
  /** The path of a file in it. */
  fileOf(parts: readonly string[]): string;
  /**
   * The folder of a file.
   * @param make whether to make what is missing of it
   * @throws Error when a part of it is a symbolic link or no folder
   */
  folderOf(parts: readonly string[], make: boolean): Promise<string>;
  /** Whether the file is there. @throws Error when something else has its name */
  isThere(parts: readonly string[]): Promise<boolean>;
}

export async function openPlace(folder: string): Promise<Place> {
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Cannot download into ${JSON.stringify(folder)}: it cannot be made (${why})`, { cause });
  });
  // The folder itself is the caller's choice and may be reached by links.
  const root = await realpath(folder);
  const fileOf = (parts: readonly string[]): string => join(root, ...parts);
  return {
    fileOf,
    async folderOf(parts, make) {
      for (let depth = 1; depth < parts.length; depth += 1) {
        const above = parts.slice(0, depth);
        const kind = await kindOf(fileOf(above));
        if (kind === "nothing" && make) await mkdir(fileOf(above)).catch(ignoreExisting);
        const now = kind === "nothing" && make ? await kindOf(fileOf(above)) : kind;
        if (now === "nothing") break;
        if (now !== "folder") {
          throw new Error(`Cannot download the file ${shown(parts)}: ${shown(above)} in ${folder} is a ${now}`);
        }
      }
      return fileOf(parts.slice(0, -1));
    },
    async isThere(parts) {
      const kind = await kindOf(fileOf(parts));
      if (kind === "folder")
        throw new Error(`Cannot download the file ${shown(parts)}: a folder in ${folder} has its name`);
      return kind !== "nothing";
    },
  };
}

async function kindOf(path: string): Promise<"nothing" | "folder" | "symbolic link" | "file"> {
  const found = await lstat(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (found === undefined) return "nothing";
  return found.isSymbolicLink() ? "symbolic link" : found.isDirectory() ? "folder" : "file";
}

/** Several files of one folder are downloaded at once. */
function ignoreExisting(error: unknown): void {
  if (codeOf(error) !== "EEXIST") throw error;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function shown(parts: readonly string[]): string {
  return JSON.stringify(parts.join("/"));
}
