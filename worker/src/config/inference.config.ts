import { resolve } from 'node:path';
import { type Environment, readEnvironment, wholeNumber } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({
  WORKER_INFERENCE_THREADS: wholeNumber(1, 256).optional(),
  CLEARFRAME_MODELS_DIR: z.string().optional(),
});

export class InferenceConfig {
  /** @param childEnvironment for the inference process, which has defaults */
  constructor(readonly childEnvironment: NodeJS.ProcessEnv) {}

  static fromEnvironment(environment: Environment): InferenceConfig {
    const { WORKER_INFERENCE_THREADS: threads, CLEARFRAME_MODELS_DIR: folder } = readEnvironment(schema, environment);
    return new InferenceConfig({
      ...(threads === undefined ? {} : { WORKER_INFERENCE_THREADS: String(threads) }),
      ...(folder === undefined ? {} : { CLEARFRAME_MODELS_DIR: resolve(folder) }),
    });
  }
}
