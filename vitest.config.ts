import { defineConfig, type ViteUserConfig } from "vitest/config";

const config: ViteUserConfig = defineConfig({
  test: {
    // Two cores: more files at once only slow down those that run the real CLI.
    maxWorkers: 2,
    reporters: ["default", "./test/last-line.ts"],
    projects: [
      {
        test: {
          name: "fast",
          include: ["test/{unit,hooks}/**/*.test.ts", "test/client/*.test.ts", "tools/**/*.test.ts"],
          // Only a test that hangs: how fast they are depends on what else the machine does.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: "built",
          include: ["test/{program,host,package,cli,chaos,client/built}/**/*.test.ts"],
          globalSetup: ["test/setup.ts"],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});

export default config;
