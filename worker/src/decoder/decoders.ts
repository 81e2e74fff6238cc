import { RootLog } from '@clearframe/runtime/logging';
import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { canConfine } from './confinement.js';
import { Decoder, type DecoderOptions } from './decoder.js';

/** A new picture needs two at once: one for its result, one for what pages show of the original. */
const SPARES = 2;

/**
 * Gives each picture a decoder of its own, which has no other before or after it. The next one starts when one ends: a picture waits
 * only where several come at once.
 */
export class Decoders implements OnModuleInit, OnApplicationShutdown {
  readonly #spares: Promise<Decoder>[] = [];
  #isConfined = canConfine();
  #isClosed = false;

  constructor(
    private readonly root: RootLog,
    private readonly options: DecoderOptions = {},
  ) {}

  /** @throws DecoderCrashedError */
  async onModuleInit(): Promise<void> {
    const { log } = this.root;
    const spare = await this.#start().catch((error) => {
      if (!this.#isConfined) throw error;
      this.#isConfined = false;
      log.warn({ err: error }, 'decoders do not start confined');
      return this.#start();
    });
    this.#spares.push(Promise.resolve(spare));
    this.#prepare();
    if (!this.#isConfined) log.warn('decoders are not confined: they can reach network and files of the worker');
    else if (!spare.hasConfinedFiles) log.warn('decoders can reach files of the worker: the kernel has no Landlock');
  }

  /** @throws the signal's reason, DecoderCrashedError, errors of the work */
  async use<Result>(signal: AbortSignal, work: (decoder: Decoder) => Promise<Result>): Promise<Result> {
    const decoder = await this.#take();
    const abort = () => void decoder.close(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      signal.throwIfAborted();
      return await work(decoder);
    } finally {
      signal.removeEventListener('abort', abort);
      await decoder.close();
      this.#prepare();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.#isClosed = true;
    const spares = await Promise.all(this.#spares.map((spare) => spare.catch(() => undefined)));
    await Promise.all(spares.map((spare) => spare?.close()));
  }

  #start(): Promise<Decoder> {
    return Decoder.start({ isConfined: this.#isConfined, ...this.options });
  }

  async #take(): Promise<Decoder> {
    const spare = await this.#spares.shift()?.catch(() => undefined);
    if (!spare || spare.hasEnded) {
      await spare?.close();
      return this.#start();
    }
    return spare;
  }

  #prepare(): void {
    if (this.#isClosed) return;
    while (this.#spares.length < SPARES) {
      const spare = this.#start();
      // The next picture tries again.
      spare.catch(() => undefined);
      this.#spares.push(spare);
    }
  }
}
