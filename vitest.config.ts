import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    // Two cores: more files at once only slow down those that run the real CLI.
    maxWorkers: 2,
    projects: [
      { test: { name: "fast", include: ["test/unit/**/*.test.ts", "test/hooks/**/*.test.ts", "tools/**/*.test.ts"] } },
      {
        test: {
          name: "built",
          include: ["test/{program,host,package,cli}/**/*.test.ts"],
          globalSetup: ["test/setup.ts"],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
