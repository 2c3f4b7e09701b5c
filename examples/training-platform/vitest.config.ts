import { defineConfig } from "vitest/config";

// The real CLI takes its time.
export default defineConfig({ test: { testTimeout: 120_000 } });
