import { copyFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { runCommand } from "./process.ts";
import { say } from "./say.ts";

const VERSION_VARIABLE = "github.com/pulumi/pulumi/sdk/v3/go/common/version.Version";
const EXE = process.platform === "win32" ? ".exe" : "";

/**
 * Builds the CLI and its Node language host with Go from the modules pinned in this folder, into `<folder>/bin`.
 * @throws when there is no Go, a module cannot be had, or the build fails
 */
export async function buildPulumi(version: string, folder: string): Promise<void> {
  const { code, output } = await runCommand("go", ["version"], { cwd: path.join(import.meta.dirname, "pulumi-cli") });
  if (code !== 0) throw new Error(`Cannot build the Pulumi CLI ${version}: Go does not run: ${output.trim()}`);
  say(`building the Pulumi CLI ${version} with ${output.trim()} (about 4 minutes on two cores, once)`);
  const bin = path.join(folder, "bin");
  await mkdir(bin, { recursive: true });
  await build(
    "pulumi-cli",
    "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    `v${version}`,
    path.join(bin, `pulumi${EXE}`),
  );
  await build(
    "pulumi-language-nodejs",
    "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    "v3.60.0",
    path.join(bin, `pulumi-language-nodejs${EXE}`),
  );
  const launcher = `pulumi-resource-pulumi-nodejs${EXE && ".cmd"}`;
  const sdk = path.dirname(fileURLToPath(import.meta.resolve("@pulumi/pulumi/package.json")));
  await copyFile(path.join(sdk, launcher), path.join(bin, launcher));
}

async function build(module: string, command: string, version: string, file: string): Promise<void> {
  const start = Date.now();
  const minutes = (): string => ((Date.now() - start) / 60_000).toFixed(1);
  let packages = 0;
  const progress = setInterval(() => say(`${module}: ${packages} packages compiled, ${minutes()} minutes`), 30_000);
  try {
    // -v names each package as it is compiled. No C compiler is needed, and a go.work above us does not count.
    const { code, output } = await runCommand(
      "go",
      [
        "build",
        "-v",
        "-buildvcs=false",
        "-mod=readonly",
        "-trimpath",
        "-ldflags",
        `-s -w -X ${VERSION_VARIABLE}=${version}`,
        "-o",
        file,
        command,
      ],
      {
        cwd: path.join(import.meta.dirname, module),
        env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off" },
        timeoutMs: 3_600_000,
        onOutput: (text) => {
          packages += text.split("\n").length - 1;
        },
      },
    );
    if (code !== 0) {
      throw new Error(
        `Cannot build "${module}": go build ends with ${code}: ${output.trim().split("\n").slice(-8).join("\n")}`,
      );
    }
    say(`${module}: built in ${minutes()} minutes`);
  } finally {
    clearInterval(progress);
  }
}
