import { type Answer, type Fields, ok } from "../answer.ts";
import { isTrue, queryFields, type Reader, readerOf } from "../body.ts";
import { clusterUsdPerHour, refusalOf } from "../catalogue.ts";
import * as objects from "../objects.ts";
import type { Caller } from "../options.ts";
import type { Call, Routes } from "../table.ts";
import { type ClusterRecord, type InstanceRecord, type StoredCluster, serverDate, type World } from "../world.ts";

/** guessed: the server may as well start in another word */
const LIFE: readonly string[] = ["PENDING", "PROVISIONING", "CONFIGURING"];

export function clusterRoutes(world: World): Routes {
  const { clusters } = world;
  return {
    "POST /cluster/create": (call) => create(world, call),
    "GET /cluster/list": ({ caller, query }) => {
      const found = objects.list(world, clusters, caller, isTrue(query, "include_org"));
      const views = found.map((one) => clusterView(world, one));
      const message =
        found.map((one) => line(world, one, isTrue(query, "instances"))).join("\n") || "No clusters found";
      return ok({ message, clusters: views });
    },
    "GET /cluster/info/{cluster}": ({ caller, id }) => {
      const cluster = objects.findForInfo(world, clusters, caller, id);
      return ok({ message: line(world, cluster, true), cluster_info: clusterView(world, cluster) });
    },
    "PATCH /cluster/edit/{cluster}": (call) => {
      const cluster = objects.find(world, clusters, call.caller, call.id);
      const reader = readerOf(call.body);
      const name = reader.text("cluster_name");
      const protection = reader.flag("deletion_protection");
      if (name === undefined && protection === undefined) reader.problem("cluster_name", "Nothing to change");
      reader.check();
      if (name !== undefined) objects.claimName(clusters, call.caller, name, cluster);
      const apply = (): void => {
        cluster.record.deletion_protection = protection ?? cluster.record.deletion_protection;
      };
      return objects.beginEdit(world, call, "CLUSTER_EDIT", cluster, { name, apply });
    },
    "DELETE /cluster/{cluster}": (call) => {
      const cluster = objects.find(world, clusters, call.caller, call.id);
      const operation = objects.beginDestroy(world, call, "CLUSTER_RELEASE", cluster);
      const { id } = cluster.record;
      return { status: 202, body: { cluster_id: id, request_id: operation.id, message: `Destroying cluster ${id}` } };
    },
    "GET /cluster/quote": ({ query }) => {
      const reader = readerOf(queryFields(query), "query");
      const [instanceType, numNodes] = wanted(reader);
      reader.check();
      return ok({ hourly_rate: clusterUsdPerHour(instanceType, numNodes) });
    },
  };
}

function create(world: World, call: Call): Answer {
  const reader = readerOf(call.body);
  const [instance_type, num_nodes] = wanted(reader);
  const name = reader.text("tp_cluster_name");
  const deletion_protection = reader.flag("deletion_protection") ?? false;
  const container = reader.text("container") ?? null;
  reader.texts("public_keys");
  reader.flag("save_keys");
  if (world.settings.strictSpec) reader.requiredText("ssh_key_id");
  else reader.text("ssh_key_id");
  reader.check();
  const wish = { instance_type, num_nodes, deletion_protection, container, ...(name !== undefined && { name }) };
  const cluster = addCluster(world, call.caller, { ...wish, status: "PENDING" });
  const { id, instances } = cluster.record;
  const operation = objects.beginCreate(world, call, "CLUSTER_CLAIM", cluster, LIFE, "RUNNING");
  const instance_ids = instances.map((one) => one.id);
  const message = `Creating cluster ${cluster.record.name} (${id})`;
  return { status: 202, body: { cluster_id: id, instance_ids, request_id: operation.id, message } };
}

function wanted(reader: Reader): [instanceType: string, numNodes: number] {
  const instanceType = reader.requiredText("instance_type");
  const numNodes = reader.whole("num_nodes", 1) ?? 1;
  const refused = instanceType === "" ? undefined : refusalOf(instanceType, numNodes);
  if (refused !== undefined) reader.problem("instance_type", refused);
  return [instanceType, numNodes];
}

/** Puts a cluster there. @throws Refusal 409 when its name is taken */
export function addCluster(world: World, caller: Caller, wish: Partial<ClusterRecord>): StoredCluster {
  const { id = world.ids("c") } = wish;
  const { name = `cluster-${id.slice(2)}`, num_nodes = 1 } = wish; // guessed: the server's own names
  objects.claimName(world.clusters, caller, name);
  return objects.store(world.clusters, "cluster", caller, {
    instance_type: "1xH100",
    status: "RUNNING",
    instances: Array.from({ length: num_nodes }, (_, node) => instance(world, node)),
    deletion_protection: false,
    container: null,
    created_at: serverDate(world).toISOString(),
    ...wish,
    id,
    name,
    num_nodes,
  });
}

/** guessed: the first node is the one with a public address (in a range that is reserved for documentation) */
function instance(world: World, node: number): InstanceRecord {
  const [host, net] = [world.clusters.size % 254, Math.floor(world.clusters.size / 254) % 254];
  const ip_address = node === 0 ? `203.0.113.${host + 1}` : null;
  return { id: world.ids("i"), ip_address, private_ip_address: `10.${net}.${host}.${node + 1}` };
}

/** The cluster as the API shows it. */
function clusterView(world: World, cluster: StoredCluster): Fields {
  const { record, operation } = cluster;
  const status = objects.statusOf(world, cluster);
  const hasAddresses = operation?.type !== "CLUSTER_CLAIM"; // guessed: none before it runs
  const instances = record.instances.map((one) =>
    hasAddresses ? { ...one, status } : { ...one, status, ip_address: null, private_ip_address: null },
  );
  const storage = world.links.filter((one) => one.cluster === record.id).map((one) => one.volume);
  return { ...record, status, instances, storage };
}

function line(world: World, cluster: StoredCluster, withInstances: boolean): string {
  const { record } = cluster;
  const status = objects.statusOf(world, cluster);
  const own = `${record.id}  ${record.name}  ${record.num_nodes} x ${record.instance_type}  ${status}`;
  const nodes = withInstances
    ? record.instances.map((one) => `\n  ${one.id}  ${one.ip_address ?? "-"}  ${status}`)
    : [];
  return own + nodes.join("");
}
