import { refusal } from "../answer.ts";
import { faultOf, requestStatus } from "../operations.ts";
import type { Routes } from "../table.ts";
import type { World } from "../world.ts";

export const REQUEST_INFO = "GET /request/info/{request_id}";

export function requestRoutes(world: World): Routes {
  return {
    [REQUEST_INFO]: ({ caller, id }) => {
      const operation = world.operations.get(id);
      const isLost = operation !== undefined && faultOf(operation.faults, "request-lost") !== undefined;
      if (operation?.account !== caller.account || isLost) throw refusal(404, `Request ${id} not found`);
      operation.polls += 1;
      const status = requestStatus(operation, world.settings.clock.now());
      const body = {
        request_id: id,
        request_type: operation.type,
        status,
        created_at: operation.createdAt,
        object_id: operation.objectId,
        external_message: status === "FAILED" ? (operation.message ?? null) : null,
      };
      return { status: 200, body, goesOn: status !== "COMPLETED" && status !== "FAILED" };
    },
  };
}
