import type { Reporter, TestCase, TestModule } from "vitest/node";

/** Ends a run with one line that any CI can read: `N passed, N failed`, and `, N skipped` where there are any. */
export default class LastLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests: TestCase[] = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
    // A file that fails to load, or an error outside every test, is a failure that no test shows.
    const broken = modules.filter((module) => module.errors().length > 0).length + errors.length;
    const skipped = count("skipped") + count("pending");
    const line = `${count("passed")} passed, ${count("failed") + broken} failed`;
    // Printed when the process ends, so that it stands behind the summary of the other reporters.
    process.once("exit", () => process.stdout.write(`${line}${skipped > 0 ? `, ${skipped} skipped` : ""}\n`));
  }
}
