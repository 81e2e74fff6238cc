import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, link, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize } from 'node:v8';
import { InvalidImageError } from '../image/errors.js';
import type { PictureMetadata } from '../image/file-metadata.js';
import { LIBVIPS_TIMEOUT_SECONDS } from '../image/libvips.js';
import type { GrayPicture } from '../image/mask.js';
import { isDeep, type Picture } from '../image/picture.js';
import { PixelFile } from '../image/pixel-file.js';
import { type Envelope, Exchange } from '../inference/exchange.js';
import { ANSWERS_FD, forkChild } from '../inference/fork-child.js';
import { makeScratch, removeScratch } from '../platform/scratch.js';
import { confinedNode, PLAIN_ENVIRONMENT } from './confinement.js';
import { messageIn } from './frames.js';
import {
  type DecodeRequest,
  FromDecoder,
  type MaskRequest,
  StoredArrays,
  type ToDecoder,
  type WriteRequest,
} from './protocol.js';

/** Its process ended or answered nonsense: the picture's fault, or that of a machine without memory. */
export class DecoderCrashedError extends Error {
  override readonly name = 'DecoderCrashedError';
  readonly retryable = true;
}

export interface DecoderOptions {
  /** For tests; default: the compiled child. */
  readonly childPath?: URL | undefined;
  readonly environment?: NodeJS.ProcessEnv | undefined;
  /** Of each request, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  readonly maxMemoryBytes?: number | undefined;
  readonly isConfined?: boolean | undefined;
}

/** 48 megapixels of HEVC take about 6 s on one core. */
const TIMEOUT_MS = LIBVIPS_TIMEOUT_SECONDS * 1000;
/** A picture of 100 megapixels takes up to 1 GB. Node counts half of another as used, which it only reserves. */
const MAX_MEMORY_BYTES = 3_000_000_000;
/** Of pictures: as the process that restores them. */
const NICENESS = 5;
/** Of an answer without its pixels: a profile has up to 4 MB. */
const MAX_ANSWER_BYTES = 8_000_000;

type Answer<Type extends FromDecoder['type']> = Extract<FromDecoder, { type: Type }>;

/**
 * A process that opens one picture, and the mask beside it. It can reach neither network nor other processes, and of files only the
 * program, the picture and a folder of its own.
 */
export class Decoder {
  #call: { resolve(answer: Buffer): void; reject(error: Error): void } | undefined;
  #received = Buffer.alloc(0);
  #ended: Error | undefined;
  readonly #exited: Promise<unknown>;

  private constructor(
    private readonly process: ChildProcess,
    private readonly exchange: Exchange,
    private readonly folder: string,
    private readonly timeoutMs: number,
  ) {
    this.#exited = once(process, 'exit').catch(() => undefined);
    process.stdio[ANSWERS_FD]?.on('data', (bytes: Buffer) => this.#receive(bytes));
    // Its exit tells that it reads no more.
    process.stdin?.on('error', () => undefined);
    process.once('error', (error) => this.#end(new DecoderCrashedError(`no decoder was started: ${error.message}`)));
    process.once('exit', (code, signal) =>
      this.#end(new DecoderCrashedError(`the decoder of a picture ended (${signal ?? `code ${code}`})`)),
    );
  }

  /** Resolves when it can take a picture. @throws DecoderCrashedError */
  static async start(options: DecoderOptions = {}): Promise<Decoder> {
    const {
      childPath,
      environment,
      timeoutMs = TIMEOUT_MS,
      maxMemoryBytes = MAX_MEMORY_BYTES,
      isConfined = true,
    } = options;
    const folder = await makeScratch();
    const [read, write] = [join(folder, IN), join(folder, OUT)];
    await Promise.all([mkdir(read), mkdir(write)]);
    const exchange = Exchange.create();
    const child = forkChild(childPath ?? new URL('./child.js', import.meta.url), {
      inherited: PLAIN_ENVIRONMENT,
      environment: { TMPDIR: write, ...environment },
      niceness: NICENESS,
      shared: exchange.fd,
      hasPipes: true,
      ...(isConfined && confinedNode({ read: [read], write: [write], maxMemoryBytes })),
    });
    const decoder = new Decoder(child, exchange, folder, timeoutMs);
    try {
      const { hasConfinedFiles } = await decoder.#answer('ready', () => undefined);
      decoder.hasConfinedFiles = hasConfinedFiles;
      return decoder;
    } catch (error) {
      await decoder.close();
      throw error;
    }
  }

  hasConfinedFiles = false;

  get pid(): number | undefined {
    return this.process.pid;
  }

  get hasEnded(): boolean {
    return this.#ended !== undefined;
  }

  /** @throws InvalidImageError */
  async probe(file: string, maxBytes?: number): Promise<ProbedPicture> {
    const path = await this.#place(file, 'picture');
    const { type: _, ...probed } = await this.#ask({ type: 'probe', path, maxBytes }, 'probed');
    return probed;
  }

  async decode(options: Omit<DecodeRequest, 'type'>): Promise<Picture> {
    const { width, height, rgb, alpha, icc, exif } = await this.#ask({ type: 'decode', ...options }, 'decoded');
    const pixels = width * height;
    const fits =
      Math.max(width, height) <= options.maxSide &&
      rgb.length === pixels * 3 &&
      (!alpha || (alpha.length === pixels && isDeep(alpha) === isDeep(rgb)));
    if (!fits) throw new DecoderCrashedError('the decoder sent a picture of another size');
    return { width, height, rgb, alpha, metadata: { icc, exif } };
  }

  /** Decodes to a file, with 16 bits a sample if the picture has them. @param path on the disk of scratch files */
  async write(path: string, options: Omit<WriteRequest, 'type' | 'path'>): Promise<WrittenPicture> {
    const out = join(this.folder, OUT, 'pixels');
    const {
      layout,
      offset,
      path: written,
      icc,
      exif,
    } = await this.#ask({ type: 'write', path: out, ...options }, 'written');
    if (Math.max(layout.width, layout.height) > options.maxSide) {
      throw new DecoderCrashedError('the decoder wrote a picture of another size');
    }
    // libvips gives its own files an ending.
    await rename(written === `${out}.v` ? written : out, path);
    return { pixels: await PixelFile.adopt(path, layout, offset), metadata: { icc, exif } };
  }

  async mask(file: string, size: MaskRequest['size']): Promise<GrayPicture> {
    const path = await this.#place(file, 'mask');
    const { width, height, data } = await this.#ask({ type: 'mask', path, size }, 'mask');
    const fits = data.length === width * height && (!size || (size.width === width && size.height === height));
    if (!fits) throw new DecoderCrashedError('the decoder sent a mask of another size');
    return { width, height, data };
  }

  /** Kills the process. May be called again. */
  async close(reason: Error = new DecoderCrashedError('the decoder was closed')): Promise<void> {
    this.#end(reason);
    this.process.kill('SIGKILL');
    if (this.process.pid !== undefined) await this.#exited;
    await Promise.all([this.exchange.close(), removeScratch(this.folder)]);
  }

  /** Makes a file readable for the process. */
  async #place(file: string, name: string): Promise<string> {
    const path = join(this.folder, IN, name);
    // Another file system, or a file of another user's: a copy.
    await link(file, path).catch((error) => {
      if (error.code !== 'EEXIST') return copyFile(file, path);
    });
    return path;
  }

  #ask<Type extends FromDecoder['type']>(request: ToDecoder, type: Type): Promise<Answer<Type>> {
    return this.#answer(type, () => this.process.stdin?.write(`${JSON.stringify(request)}\n`));
  }

  async #answer<Type extends FromDecoder['type']>(type: Type, send: () => void): Promise<Answer<Type>> {
    if (this.#ended) throw this.#ended;
    let timer: NodeJS.Timeout | undefined;
    try {
      const bytes = await new Promise<Buffer>((resolve, reject) => {
        this.#received = Buffer.alloc(0);
        this.#call = { resolve, reject };
        timer = setTimeout(() => {
          const cause = new Error(`not finished after ${this.timeoutMs} ms`);
          const isStarting = type === 'ready';
          void this.close(
            isStarting
              ? new DecoderCrashedError('no decoder was started', { cause })
              : new InvalidImageError('uploads.undecodable', { cause }),
          );
        }, this.timeoutMs);
        send();
      });
      const answer = await this.#checked(bytes);
      if (answer.type === 'invalid') {
        throw new InvalidImageError(answer.code, { cause: new Error(answer.reason) });
      }
      if (answer.type === 'error') throw Object.assign(new Error(answer.error.message), { name: answer.error.name });
      if (answer.type !== type) throw new DecoderCrashedError('the decoder answered another request');
      return answer as Answer<Type>;
    } finally {
      clearTimeout(timer);
      this.#call = undefined;
    }
  }

  #receive(bytes: Buffer): void {
    if (!this.#call) return;
    this.#received = Buffer.concat([this.#received, bytes]);
    try {
      const answer = messageIn(this.#received, MAX_ANSWER_BYTES);
      if (!answer) return;
      this.#call.resolve(answer);
      this.#call = undefined;
    } catch (cause) {
      void this.close(new DecoderCrashedError('the decoder sent what is no answer', { cause }));
    }
  }

  async #checked(bytes: Buffer): Promise<FromDecoder> {
    try {
      const { message, stored }: Envelope<unknown> = deserialize(bytes);
      const unpacked = await this.exchange.unpack({ message, stored: StoredArrays.parse(stored) });
      await this.exchange.clear();
      return FromDecoder.parse(unpacked);
    } catch (cause) {
      throw this.#ended ?? new DecoderCrashedError('the decoder sent what is no answer', { cause });
    }
  }

  #end(error: Error): void {
    this.#ended ??= error;
    this.#call?.reject(this.#ended);
  }
}

/** Folders of a decoder: the first can't be written by it. */
const [IN, OUT] = ['in', 'out'];

/** What the header of a picture says. Width and height are those of the upright picture. */
export type ProbedPicture = Omit<Answer<'probed'>, 'type'>;

export interface WrittenPicture {
  readonly pixels: PixelFile;
  readonly metadata: PictureMetadata;
}
