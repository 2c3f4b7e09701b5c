import { type Answer, parseBody, Refusal } from "./answer.ts";
import { createBackdoor } from "./backdoor.ts";
import type { Emulator } from "./emulator.ts";
import type { Fault } from "./faults.ts";
import { type EmulatorOptions, settingsOf } from "./options.ts";
import { controlRoutes } from "./routes/control.ts";
import { listen } from "./server.ts";
import { addFault, createService, type Incoming, newIds, type Service } from "./service.ts";

/**
 * Starts the API on 127.0.0.1.
 *
 * @throws RangeError for an option that makes no sense; the listen error, such as EADDRINUSE
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const settings = settingsOf(options);
  const ids = newIds(settings);
  // The port, and with it the address in download links, is known only after listening.
  let service = createService(settings, "", ids);
  for (const fault of settings.faults) addFault(service, fault);

  const { url, close } = await listen(settings.port, (incoming) =>
    incoming.url.pathname.startsWith("/__emulator/") ? control(incoming) : service.respond(incoming),
  );
  const renew = (): Service => {
    const renewed = createService(settings, url, ids);
    for (const fault of settings.faults) addFault(renewed, fault);
    return renewed;
  };
  service = renew();

  const emulator: Emulator = {
    ...createBackdoor(() => service),
    url,
    addFault: (fault) => addFault(service, fault),
    setFaults(faults: readonly Fault[]) {
      service.faults.clear();
      for (const fault of faults) addFault(service, fault);
    },
    clearFaults: () => service.faults.clear(),
    faultsFired: () => service.faults.fired(),
    reset: () => void (service = renew()),
    close,
    [Symbol.asyncDispose]: close,
  };
  const controls = controlRoutes(emulator);

  async function control({ method, url, readBody }: Incoming): Promise<Answer> {
    const text = await readBody();
    try {
      const act = controls[`${method} ${url.pathname}`];
      return act?.(parseBody(text)) ?? { status: 404, body: { message: `No such route: ${method} ${url.pathname}` } };
    } catch (error) {
      if (error instanceof Refusal) return error.answer;
      throw error;
    }
  }
  return emulator;
}
