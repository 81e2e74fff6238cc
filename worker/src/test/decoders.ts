import { pino } from 'pino';
import type { DecoderOptions } from '../decoder/decoder.js';
import { Decoders } from '../decoder/decoders.js';

const hook = new URL('./run-typescript.mjs', import.meta.url).href;

/** Run a decoder from its source. */
export const FROM_SOURCE = {
  childPath: new URL('../decoder/child.ts', import.meta.url),
  environment: { NODE_OPTIONS: `--import=${hook} --disable-warning=ExperimentalWarning` },
} satisfies DecoderOptions;

export const testDecoders = (options: DecoderOptions = {}): Decoders =>
  new Decoders({ log: pino({ level: 'silent' }) }, { ...FROM_SOURCE, ...options });
