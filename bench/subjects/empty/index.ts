/** Subject E: the emptiest possible dynamic resource, which does nothing at all. */
import * as pulumi from "@pulumi/pulumi";

const provider: pulumi.dynamic.ResourceProvider = { create: async () => ({ id: "nothing" }) };

class Nothing extends pulumi.dynamic.Resource {
  constructor(name: string) {
    super(provider, name, {});
  }
}

const count = Number(process.env["BENCH_CLUSTERS"] ?? "1");
for (let index = 0; index < count; index += 1) new Nothing(`nothing-${index}`);
