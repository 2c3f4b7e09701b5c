import type { FileHandle } from "node:fs/promises";

/** A file that is written from its beginning on, in large pieces. */
export interface Sink {
  /** All that has come so far. */
  readonly bytes: number;
  /** Takes a chunk over: its memory must not be used any more. */
  push(chunk: Uint8Array): Promise<void>;
  /** Writes what is still held back. */
  flush(): Promise<void>;
  /** Forgets everything. */
  restart(): Promise<void>;
}

/** Many small writes would cost more time than the bytes themselves. */
const PIECE_BYTES = 2 ** 20;

export function createSink(file: FileHandle): Sink {
  let written = 0;
  let held: Uint8Array[] = [];
  let heldBytes = 0;

  async function flush(): Promise<void> {
    const chunks = held;
    [held, heldBytes] = [[], 0];
    for (let left = chunks; left.length > 0; ) {
      const { bytesWritten } = await file.writev(left, written);
      written += bytesWritten;
      left = after(left, bytesWritten);
    }
    for (const chunk of chunks) release(chunk);
  }

  return {
    get bytes() {
      return written + heldBytes;
    },
    async push(chunk) {
      held.push(chunk);
      heldBytes += chunk.length;
      if (heldBytes >= PIECE_BYTES) await flush();
    },
    flush,
    async restart() {
      [held, heldBytes, written] = [[], 0, 0];
      await file.truncate(0);
    },
  };
}

/** What is left of the chunks after their first `bytes`: a system may write less than it is given. */
function after(chunks: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skip = bytes;
  return chunks.flatMap((chunk) => {
    const rest = chunk.subarray(Math.min(skip, chunk.length));
    skip -= chunk.length - rest.length;
    return rest.length > 0 ? rest : [];
  });
}

/**
 * Gives the memory of a written chunk back at once. The collector would let 64 MiB of them pile up first. Only where the
 * chunk is all of its memory: several chunks may share what one read has brought.
 */
function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
