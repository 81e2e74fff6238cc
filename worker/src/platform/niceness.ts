import { type Environment, readEnvironment, wholeNumber } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({ WORKER_NICENESS: wholeNumber(0, 19).default(5) });

/**
 * Niceness of the worker's processes and, where it leads one, of its session: requests to `api` and `web` on the same
 * machine come first.
 * @throws ConfigurationError
 */
export const readNiceness = (environment: Environment): number => readEnvironment(schema, environment).WORKER_NICENESS;
