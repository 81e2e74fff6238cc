import { resolve } from 'node:path';
import { type Environment, readEnvironment, wholeNumber } from '@clearframe/runtime/environment';
import { z } from 'zod';

/** ONNX Runtime's names. Which of them a build has depends on the platform. */
const PROVIDERS = ['cpu', 'cuda', 'tensorrt', 'coreml', 'dml', 'webgpu'] as const;

const schema = z.object({
  WORKER_INFERENCE_THREADS: wholeNumber(1, 256).optional(),
  WORKER_INFERENCE_PROVIDERS: z
    .string()
    .transform((value) => [...new Set(value.split(',').map((name) => name.trim()))])
    .pipe(z.array(z.enum(PROVIDERS, { error: `must be names of ${PROVIDERS.join(', ')}, separated by commas` })))
    .optional(),
  CLEARFRAME_MODELS_DIR: z.string().optional(),
});

/** Resources of the networks; read by the worker and by its inference processes. */
export class InferenceConfig {
  /** Threads of each network; by the number of cores when absent. */
  readonly threads: number | undefined;
  /** Execution providers, the preferred one first; the processor when absent. */
  readonly providers: readonly string[] | undefined;
  /** Folder of the manifest; that of the models package when absent. */
  readonly modelsFolder: string | undefined;

  // No parameter properties: the inference process loads this file, in tests by stripping its types.
  constructor(values: Partial<Pick<InferenceConfig, 'threads' | 'providers' | 'modelsFolder'>> = {}) {
    this.threads = values.threads;
    this.providers = values.providers;
    this.modelsFolder = values.modelsFolder;
  }

  static fromEnvironment(environment: Environment): InferenceConfig {
    const values = readEnvironment(schema, environment);
    const folder = values.CLEARFRAME_MODELS_DIR;
    return new InferenceConfig({
      threads: values.WORKER_INFERENCE_THREADS,
      providers: values.WORKER_INFERENCE_PROVIDERS,
      modelsFolder: folder === undefined ? undefined : resolve(folder),
    });
  }

  get childEnvironment(): NodeJS.ProcessEnv {
    return {
      ...(this.threads === undefined ? {} : { WORKER_INFERENCE_THREADS: String(this.threads) }),
      ...(this.providers === undefined ? {} : { WORKER_INFERENCE_PROVIDERS: this.providers.join(',') }),
      ...(this.modelsFolder === undefined ? {} : { CLEARFRAME_MODELS_DIR: this.modelsFolder }),
    };
  }
}
