import { randomUUID } from 'node:crypto';
import { close, ftruncate, openSync, read, unlinkSync, write } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const writeAt = promisify(write);
const readAt = promisify(read);

/** Smaller arrays stay in their message. */
const MIN_BYTES = 1 << 16;

const KINDS = { Uint8Array, Uint16Array, Float32Array } as const;
type Kind = keyof typeof KINDS;

interface Stored {
  readonly path: readonly string[];
  readonly kind: Kind;
  readonly at: number;
  readonly bytes: number;
}

/** A message whose large arrays are empty, and where they are. */
export interface Envelope<Message> {
  readonly message: Message;
  readonly stored: readonly Stored[];
}

/**
 * Passes large arrays through a file that both processes have open: in a message, pixels would be copied several times
 * on either side. Each packed message replaces the one before, so they must be unpacked in turn.
 */
export class Exchange {
  readonly fd: number;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(fd: number) {
    this.fd = fd;
  }

  /** Uses a new unlinked file, which the system deletes with the processes that have it open. */
  static create(): Exchange {
    const path = join(tmpdir(), `clearframe-${randomUUID()}`);
    const fd = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return new Exchange(fd);
  }

  pack<Message>(message: Message): Promise<Envelope<Message>> {
    return this.#use(async () => {
      const arrays: [Stored, Uint8Array][] = [];
      let at = 0;
      const emptied = withoutArrays(message, [], (array, kind, path) => {
        const { buffer, byteOffset, byteLength: bytes } = array;
        arrays.push([{ path, kind, at, bytes }, new Uint8Array(buffer, byteOffset, bytes)]);
        at += bytes;
      });
      for (const [{ at: start }, bytes] of arrays) {
        for (let done = 0; done < bytes.length; ) {
          done += (await writeAt(this.fd, bytes, done, bytes.length - done, start + done)).bytesWritten;
        }
      }
      return { message: emptied as Message, stored: arrays.map(([stored]) => stored) };
    });
  }

  unpack<Message>({ message, stored }: Envelope<Message>): Promise<Message> {
    return this.#use(async () => {
      for (const { path, kind, at, bytes } of stored) {
        const array = new Uint8Array(bytes);
        for (let done = 0; done < bytes; ) {
          const { bytesRead } = await readAt(this.fd, array, done, bytes - done, at + done);
          if (bytesRead === 0) throw new Error('the exchanged file is too short');
          done += bytesRead;
        }
        place(message, path, new KINDS[kind](array.buffer));
      }
      return message;
    });
  }

  clear(): Promise<void> {
    return this.#use(() => promisify(ftruncate)(this.fd));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#last;
    await promisify(close)(this.fd);
  }

  #use<Result>(work: () => Promise<Result>): Promise<Result> {
    // Its descriptor may be another file's by now.
    if (this.#isClosed) return Promise.reject(new Error('the exchanged file is closed'));
    const using = work();
    this.#last = using.catch(() => undefined);
    return using;
  }
}

type Found = (array: Uint8Array | Uint16Array | Float32Array, kind: Kind, path: readonly string[]) => void;

function withoutArrays(value: unknown, path: readonly string[], found: Found): unknown {
  if (value instanceof Uint8Array || value instanceof Uint16Array || value instanceof Float32Array) {
    if (value.byteLength < MIN_BYTES) return value;
    const kind =
      value instanceof Uint8Array ? 'Uint8Array' : value instanceof Uint16Array ? 'Uint16Array' : 'Float32Array';
    found(value, kind, path);
    return new KINDS[kind]();
  }
  if (Array.isArray(value)) return value.map((item, index) => withoutArrays(item, [...path, String(index)], found));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutArrays(item, [...path, key], found)]),
  );
}

function place(message: unknown, path: readonly string[], array: Uint8Array | Uint16Array | Float32Array): void {
  const parent = path.slice(0, -1).reduce<unknown>((value, key) => Reflect.get(Object(value), key), message);
  Reflect.set(Object(parent), path.at(-1) ?? '', array);
}
