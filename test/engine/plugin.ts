export type Props = Readonly<Record<string, unknown>>;

/** A resource plugin as the engine sees it: the Node host, or the stand-in for it. All values have been over the wire. */
export interface Plugin {
  check(urn: string, olds: Props, news: Props): Promise<{ inputs: Props; failures: readonly CheckFailure[] }>;
  diff(urn: string, id: string, olds: Props, news: Props): Promise<DiffAnswer>;
  create(urn: string, inputs: Props): Promise<{ id: string; outputs: Props }>;
  update(urn: string, id: string, olds: Props, news: Props): Promise<Props>;
  /** An empty id: the resource is gone. */
  read(urn: string, id: string, props: Props): Promise<{ id: string; outputs: Props; inputs: Props | undefined }>;
  delete(urn: string, id: string, props: Props): Promise<void>;
  /** The engine's Cancel. */
  cancel(): Promise<void>;
}

export interface CheckFailure {
  readonly property: string;
  readonly reason: string;
}

export interface DiffAnswer {
  readonly changes: "some" | "none" | "unknown";
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** ErrorResourceInitFailed: the resource exists, and is not as it should be. */
export class InitFailed extends Error {
  override readonly name = "InitFailed";
  readonly id: string;
  readonly properties: Props;
  readonly reasons: readonly string[];

  constructor(message: string, id: string, properties: Props, reasons: readonly string[]) {
    super(message);
    this.id = id;
    this.properties = properties;
    this.reasons = reasons;
  }
}
