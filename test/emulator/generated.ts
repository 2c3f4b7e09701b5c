/** An output file of any size, whose bytes are made when they are asked for and kept nowhere. */
export interface GeneratedFile {
  readonly bytes: number;
  /** Offsets at which the connection breaks, each once, when a download comes by. @default none */
  readonly breaksAt?: readonly number[];
}

const BLOCK_BYTES = 2 ** 16;
/** Blocks that are made together. */
const AT_ONCE = 16;
/** Any bytes that are not all alike. */
const PATTERN: Uint8Array = Uint8Array.from({ length: BLOCK_BYTES }, (_, index) => (index * 31 + (index >> 8)) & 255);

/**
 * The bytes from `first` to `last`, both included, in blocks. Every block of the file has its number in front, so none
 * can stand in for another.
 * @param breakAt the offset before which it breaks off with an error
 */
export function* generatedBytes(first: number, last: number, breakAt: number | undefined): Generator<Uint8Array> {
  const end = Math.min(last + 1, breakAt ?? Number.POSITIVE_INFINITY);
  for (let at = first; at < end; ) {
    const number = Math.floor(at / BLOCK_BYTES);
    const start = at - number * BLOCK_BYTES;
    const part = blocks(number).subarray(start, start + end - at);
    at += part.length;
    yield part;
  }
  if (breakAt !== undefined && breakAt <= last) throw new Error(`broken off at byte ${breakAt}`);
}

function blocks(firstNumber: number): Buffer {
  const bytes = Buffer.allocUnsafe(AT_ONCE * BLOCK_BYTES);
  for (let index = 0; index < AT_ONCE; index += 1) {
    bytes.set(PATTERN, index * BLOCK_BYTES);
    bytes.writeUInt32BE(firstNumber + index, index * BLOCK_BYTES);
  }
  return bytes;
}
