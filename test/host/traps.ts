/** Providers that do to the host what none should, as a module of a program. */
export const TRAPS: string = `
const thrown = (error) => async () => { throw error; };
const outs = (value) => async () => ({ id: "x-1", outs: value });
const initError = (id, properties, reasons) =>
  Object.assign(new Error("not ready"), { id, properties, reasons });

exports.plain = {
  check: async (olds, news) => ({ inputs: { ...news, filled: 1, none: null }, failures: [] }),
  diff: async (id, olds, news) => ({ changes: news.a !== olds.a, replaces: news.a === 9 ? ["a"] : [] }),
  create: async (inputs) => ({ id: "p-1", outs: { ...inputs, list: [1, "two", null, { three: 3 }] } }),
  update: async (id, olds, news) => ({ outs: { ...olds, ...news, id } }),
  read: async (id, props) => ({ id, props: { ...props, seen: true }, inputs: { a: props.a } }),
  delete: async () => undefined,
};
exports.bare = { create: async () => ({ id: "b-1", outs: undefined }) };
exports.failures = {
  check: async (olds, news) => ({ failures: [{ property: "a", reason: "wrong" }, { property: "b", reason: "too" }] }),
  diff: async () => ({ replaces: ["a"], deleteBeforeReplace: true, stables: ["b"] }),
  create: async () => ({ id: 7, outs: {} }),
  update: async () => undefined,
  read: async () => ({}),
};
exports.throws = {
  check: thrown(new Error("check is wrong")),
  diff: thrown(new Error("diff is wrong")),
  create: thrown(new Error("create is wrong")),
  update: thrown(new TypeError("update is wrong")),
  read: thrown(new Error("read is wrong")),
  delete: thrown(new Error("delete is wrong")),
};
exports.partial = {
  create: thrown(initError("i-1", { a: 1, nested: { b: [true] } }, ["first", "second"])),
  update: thrown(initError("i-2", { a: 2 }, ["third"])),
  read: thrown(initError("i-3", { a: 3 }, ["fourth"])),
};
exports.sparse = { create: thrown(initError("i-4")), update: thrown(initError("")) };
exports.unclean = {
  check: async (olds, news) => ({ inputs: { ...news, bad: undefined } }),
  create: outs({ bad: undefined }),
  update: async () => ({ outs: { deep: { bad: [() => 1] } } }),
  read: async (id) => ({ id, props: { bad: 1n } }),
};
exports.odd = {
  create: outs({ nan: NaN, infinite: Infinity, date: new Date(0), map: new Map([[1, 2]]), made: Object.create({ inherited: 1 }) }),
  update: async () => ({ outs: { a: [[], {}], text: "ä€😀", big: 2 ** 53, small: -0.5 } }),
};
exports.hangs = {
  create: thrown(undefined),
  update: thrown(initError("i-5", { bad: undefined }, [])),
};
`;
