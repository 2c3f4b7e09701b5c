import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const REPOSITORY = path.join(import.meta.dirname, "../..");
const PAGES = globSync(["*.md", "docs/*.md", "{bench,tools}/*.md", "test/emulator/*.md", "examples/**/*.md"], {
  cwd: REPOSITORY,
  exclude: (name) => name.includes("node_modules"),
});

/** A page without its blocks of code, in which a # is a comment. */
function textOf(page: string): string {
  return readFileSync(path.join(REPOSITORY, page), "utf8").replaceAll(/^```.*?^```$/gms, "");
}

/** As GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-");
}

function headings(page: string, level = "#{1,6}"): string[] {
  return [...textOf(page).matchAll(new RegExp(`^${level} (.+)$`, "gm"))].map(([, heading = ""]) => heading);
}

test("the README's table of contents names its sections, all and in order", () => {
  const [, contents = ""] = /^## Contents\n\n(.*?)\n\n/ms.exec(textOf("README.md")) ?? [];
  const sections = headings("README.md", "##").filter((heading) => heading !== "Contents");
  expect(contents.split("\n")).toEqual(sections.map((heading) => `- [${heading}](#${anchorOf(heading)})`));
});

test.for(PAGES)("each link of %s leads somewhere", (page) => {
  const links = [...textOf(page).matchAll(/\]\((?!https?:)([^)\s#]*)(?:#([^)\s]+))?\)/g)];
  for (const [link, file = "", anchor] of links) {
    const target = file === "" ? page : path.join(path.dirname(page), file);
    expect(existsSync(path.join(REPOSITORY, target)), link).toBe(true);
    if (anchor !== undefined) expect(headings(target).map(anchorOf), link).toContain(anchor);
  }
});
