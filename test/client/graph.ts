/** Run by its test in a process of its own: prints every file that loading a module loads. */
import { registerHooks } from "node:module";

const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
await import(process.argv[2] ?? "");
process.stdout.write(JSON.stringify(loaded));
